import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { safeText } from "@rightseat/cli/terminal/safe-text";
import { languageOf } from "@rightseat/protocol/sentences/language-of";
import type { Command, CommandDeps } from "../cli/commands.ts";
import { removeSecrets } from "../config/config.ts";
import { asProblem, createServiceDeps, takeHome } from "./create-service-deps.ts";
import { installService } from "./install.ts";
import { showLogs } from "./logs.ts";
import { runService } from "./run-service.ts";
import { restartService, showStatus } from "./status.ts";
import { uninstallService } from "./uninstall-service.ts";
import { updateService } from "./update.ts";
import { serviceWords } from "./words.ts";

/** `rightseat service …`. */
export const serviceCommand: Command = {
	async run(args, cli) {
		const words = serviceWords(languageOf(cli.env));
		try {
			return await runPart(args, cli);
		} catch (error) {
			removeSecrets(cli.env);
			const problem = asProblem(error, words);
			cli.printError(`rightseat service: ${safeText(problem.message)}`);
			return problem.exitCode;
		}
	},
};

async function runPart([part, ...rest]: readonly string[], cli: CommandDeps): Promise<number | undefined> {
	const words = serviceWords(languageOf(cli.env));
	if (part === undefined || part === "--help" || part === "-h" || rest.includes("--help") || rest.includes("-h")) {
		cli.print(words.help);
		return part === undefined ? EXIT.usage : EXIT.done;
	}
	const { home, others } = takeHome(rest, cli.env, words);
	const deps = createServiceDeps(home, cli);
	const plain = () => {
		removeSecrets(cli.env);
		const unknown = others[0];
		if (unknown !== undefined) throw new CliError(words.unknownFlag(unknown));
	};
	switch (part) {
		case "install":
			return await installService(others, deps);
		case "logs":
			removeSecrets(cli.env);
			return await showLogs(others, deps);
		case "status":
			plain();
			return await showStatus(deps);
		case "restart":
			plain();
			return await restartService(deps);
		case "uninstall":
			plain();
			return await uninstallService(deps);
		case "update":
			removeSecrets(cli.env);
			return await updateService(others, deps);
		// For supervisors only.
		case "run":
			return await runService(deps.place, words, cli);
		default:
			throw new CliError(words.unknownPart(JSON.stringify(part.slice(0, 80))));
	}
}
