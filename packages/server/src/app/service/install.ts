import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { createApi } from "@rightseat/cli/connection/api";
import { loginCodeAnswer } from "@rightseat/protocol/http/login";
import type { Config } from "../config/config.ts";
import { removeSecrets } from "../config/config.ts";
import { ConfigError } from "../config/config-sources.ts";
import { tryListening } from "../doctor/port.ts";
import { prepareHome } from "../home/home-directory.ts";
import { findHomeOwner } from "../home/home-lock.ts";
import { environmentText, isSecretName } from "./environment-file.ts";
import { type InstallPlan, planInstall, readInstallOptions, refuseTemporaryPlace } from "./plan-install.ts";
import type { ServiceDeps } from "./service-deps.ts";
import { findHealthy, getHealthy, type HealthyServer } from "./wait-until-healthy.ts";
import { readIfThere, writeWhole } from "./write-file.ts";

/** `service install`: shows what it writes, writes it, starts it and waits until it answers. Repeated, it changes only what differs. */
export async function installService(args: readonly string[], deps: ServiceDeps): Promise<number> {
	const { cli, words, manager, place, launch } = deps;
	const options = readInstallOptions(args, words);
	const plan = planInstall(deps, options);
	removeSecrets(cli.env);
	refuseTemporaryPlace(deps);
	const obstacle = await manager.findObstacle();
	if (obstacle !== undefined && !options.dryRun) throw new CliError(words.noManager(obstacle), EXIT.failed);
	const definition = await manager.definition(launch, options);
	const environment = environmentText(plan.environment, words);
	const isSame = readIfThere(place.definitionFile) === definition && readIfThere(place.environmentFile) === environment;
	const running = obstacle === undefined ? await findRunning(deps) : undefined;
	if (obstacle === undefined) await refuseWhatIsInUse(deps, plan.config, running?.pid);
	show(deps, { definition, plan });
	if (options.dryRun) {
		cli.print(words.dryRun);
		return EXIT.done;
	}
	if (isSame && running?.server !== undefined) cli.print(words.upToDate);
	else {
		write(deps, { definition, environment });
		await manager.enable();
		cli.print(words.waiting);
		await showReady(deps);
	}
	await offerLinger(deps, options.linger);
	return EXIT.done;
}

async function findRunning({ manager, place }: ServiceDeps): Promise<{ pid: number; server: HealthyServer | undefined } | undefined> {
	const { pid } = await manager.state();
	return pid === undefined ? undefined : { pid, server: await findHealthy(place.home, pid) };
}

async function refuseWhatIsInUse({ place, words }: ServiceDeps, config: Config, servicePid: number | undefined): Promise<void> {
	const owner = existsSync(place.home) ? findHomeOwner(place.home) : undefined;
	const isOurs = servicePid !== undefined && owner?.process === ` (process ${servicePid})`;
	if (owner !== undefined && !isOurs) throw new CliError(words.homeInUse(place.home, owner.process), EXIT.failed);
	const server = isOurs ? await findHealthy(place.home, servicePid) : undefined;
	const isOwnPort = server !== undefined && new URL(server.url).port === String(config.port);
	if (isOwnPort || config.port === 0) return;
	if ((await tryListening(config.host, config.port)) !== "free") throw new CliError(words.portInUse(config.port), EXIT.failed);
}

function show({ cli, words, place }: ServiceDeps, { definition, plan }: { definition: string; plan: InstallPlan }): void {
	const isKept = readIfThere(place.definitionFile) === definition;
	cli.print(isKept ? words.willKeep(place.definitionFile) : `${words.willWrite(place.definitionFile)}\n${indented(definition)}`);
	const rows = [...plan.environment].map(([name, value]) => `${name}=${isSecretName(name) ? words.hidden : value}`);
	cli.print(`${words.environmentOf(place.environmentFile)}\n${indented(rows.join("\n"))}`);
}

const indented = (text: string) =>
	text
		.trimEnd()
		.split("\n")
		.map((line) => `  ${line}`.trimEnd())
		.join("\n");

function write({ place, words }: ServiceDeps, { definition, environment }: { definition: string; environment: string }): void {
	try {
		prepareHome(place.home);
	} catch (error) {
		throw error instanceof ConfigError ? new CliError(error.message) : error;
	}
	writeWhole(place.environmentFile, environment, { mode: 0o600, words });
	mkdirSync(dirname(place.outputFile), { recursive: true, mode: 0o700 });
	// A supervisor would make it readable for everybody.
	closeSync(openSync(place.outputFile, "a", 0o600));
	writeWhole(place.definitionFile, definition, { mode: 0o644, words });
}

async function showReady(deps: ServiceDeps): Promise<void> {
	const { cli, words, place } = deps;
	const server = await getHealthy(deps);
	cli.print(words.installed);
	const token = readFileSync(join(place.home, "token"), "utf8").trim();
	const { url } = await createApi({ url: server.url, token, isOwn: true }).post("/api/login-code", {}, loginCodeAnswer);
	cli.print(words.openOnce(url));
}

/** Whoever keeps services after a logout decides for all of them: only a person's yes, or the flag, turns it on. */
async function offerLinger({ cli, words, manager, ask }: ServiceDeps, wanted: boolean): Promise<void> {
	if (manager.linger === undefined) return cli.print(words.loginOnly);
	if ((await manager.linger.isOn()) === true) return cli.print(words.lingerOn);
	if (!wanted) {
		cli.print(words.lingerOff);
		if (ask === undefined || !(await ask(words.lingerQuestion))) return cli.print(words.lingerHint);
	}
	await manager.linger.turnOn();
	cli.print(words.lingerDone);
}
