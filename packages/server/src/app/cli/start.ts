import { AppError } from "../../core/kernel/errors.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import { createRedactor } from "../../core/kernel/redact.ts";
import { killAgentsNow } from "../../runtime/leftovers.ts";
import { createGhLogin } from "../../services/model-account/gh-login.ts";
import { type Config, secretsOf } from "../config/config.ts";
import { ConfigError } from "../config/config-sources.ts";
import { createApp } from "../create-app.ts";
import { withGhToken } from "../gh-account.ts";
import { prepareHome } from "../home/home-directory.ts";
import { findHomeOwner } from "../home/home-lock.ts";
import { findInstallPaths } from "../home/install-paths.ts";
import { forgetServerFile, removeServerFile, writeServerFile } from "../home/server-file.ts";
import { createLogger } from "../logging/logger.ts";
import { installShutdown } from "../shutdown.ts";
import type { CliDeps } from "./cli.ts";
import { greeting, listeningUrl } from "./greeting.ts";
import { createOpenPage } from "./open-page.ts";

/** Starts the server. Gives an exit code if it could not, undefined if it runs. */
export async function startServer(
	config: Config,
	{ print, printError }: Pick<CliDeps, "print" | "printError">,
): Promise<number | undefined> {
	try {
		prepareHome(config.home);
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		printError(error.message);
		return 2;
	}
	const owner = findHomeOwner(config.home);
	if (owner !== undefined) {
		printError(`Rightseat is already running with this home directory${owner.process}. Stop it, or choose another one with --home.`);
		return 1;
	}
	const redactor = createRedactor(secretsOf(config));
	const logger = createLogger({ home: config.home, level: config.logLevel, redactor, show: printError });
	function tell(sentence: string): void {
		logger.info({}, sentence);
		printError(sentence);
	}
	try {
		forgetServerFile(config.home);
		const gh = createGhLogin(process.env);
		const app = await createApp(await withGhToken(config, { gh, hide: redactor.hide, tell }), { logger, redactor, tell, gh });
		installShutdown({
			logger,
			signals: process,
			exit: (code) => process.exit(code),
			now: () => performance.now(),
			close() {
				removeServerFile(config.home);
				return app.close();
			},
			abandon: () => void killAgentsNow(config.home),
		});
		const openPage = createOpenPage(config.home, logger);
		const loginUrl = app.loginUrl(openPage.remove);
		const url = listeningUrl(config, app.port);
		tellCommands(config.home, url, logger);
		print(`Rightseat is ready on ${url}`);
		print(`\n${greeting(config, { loginUrl, port: app.port, logFile: logger.file })}\n`);
		logger.info({ url, node: process.version }, "Ready");
		if (config.open) openPage.show(loginUrl);
		return undefined;
	} catch (error) {
		const problem = startProblem(error, config, logger.file);
		// The agent that was asked for cannot run; everything else is for the person to put right and no fault of ours.
		if (error instanceof AppError && error.code.startsWith("runtime-")) logger.fatal({ err: error }, problem);
		else {
			logger.info({ err: error }, "Could not start");
			printError(problem);
		}
		return 1;
	}
}

/** A disk that refuses it costs the commands their way here, and nobody else anything. */
function tellCommands(home: string, url: string, logger: Pick<Logger, "warn">): void {
	try {
		writeServerFile(home, { url, version: findInstallPaths().version });
	} catch (error) {
		logger.warn({ err: error }, "server.json could not be written; commands need --url");
	}
}

function startProblem(error: unknown, config: Config, logFile: string): string {
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	if (code === "EADDRINUSE") return `Port ${config.port} is in use by another program. Stop it, or choose another port with --port.`;
	if (code === "EACCES") return `This user may not listen on port ${config.port}. Choose one above 1023 with --port.`;
	if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
		return `HOST: "${config.host}" is not an address of this machine. Choose another with --host.`;
	if (error instanceof AppError) return `${error.message} (${error.code}; log: ${logFile})`;
	return `Rightseat could not start: ${error instanceof Error ? error.message : String(error)} (log: ${logFile})`;
}
