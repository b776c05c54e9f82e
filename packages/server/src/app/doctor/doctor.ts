import { totalmem } from "node:os";
import type { CliDeps } from "../cli/cli.ts";
import type { Config, ParsedConfig } from "../config/config.ts";
import { findInstallPaths } from "../home/install-paths.ts";
import { checkAgents } from "./agents.ts";
import { type Finding, failure, ok } from "./finding.ts";
import { checkFleet } from "./fleet.ts";
import { checkDisk, checkHome, checkToken } from "./home.ts";
import { checkBash, checkGit, checkMemory, checkNode, checkPage, checkRuntimePackage, checkSqlite } from "./machine.ts";
import { checkAgent, checkTelegram } from "./network.ts";
import { checkPairing } from "./pairing.ts";
import { checkLoopback, checkPort } from "./port.ts";
import { checkPublicAddress } from "./public.ts";
import { checkApproval, checkFiles, checkPeople, checkReach, checkRoots, checkSecrets } from "./security.ts";

/** Looks at the machine and the configuration, one line each, after what was found before. Gives the exit code: 1 if anything is in the way. */
export async function runDoctor(parsed: ParsedConfig, { print, env }: Pick<CliDeps, "print" | "env">, first?: Finding): Promise<number> {
	let errors = 0;
	const before = first === undefined ? [] : [() => first];
	for (const check of [...before, ...checksFor(parsed, env)]) {
		const finding = await check();
		if (finding.level === "error") errors += 1;
		print(`${finding.level.padEnd(8)} ${finding.subject}: ${finding.detail}`);
	}
	print(errors === 0 ? "Nothing is in the way." : `${errors} ${errors === 1 ? "thing is" : "things are"} in the way.`);
	return errors === 0 ? 0 : 1;
}

function checksFor(parsed: ParsedConfig, env: NodeJS.ProcessEnv): (() => Finding | Promise<Finding>)[] {
	const places = findInstallPaths();
	const machine = [
		() => checkNode(process.versions.node),
		() => checkRuntimePackage(places.serverRoot, env.COPILOT_CLI_PATH),
		() => checkSqlite(),
		() => checkGit(env),
		() => checkBash(env),
		() => checkPage(places.pageDir),
	];
	if (parsed.kind === "error") return [...machine, () => failure("configuration", parsed.message)];
	if (parsed.kind !== "config") return machine;
	return [...machine, ...configChecks(parsed.config, env), ...securityChecks(parsed.config, env)];
}

function securityChecks(config: Config, env: NodeJS.ProcessEnv): (() => Finding | Promise<Finding>)[] {
	return [
		() => checkReach(config),
		() => checkLoopback(config),
		() => checkPublicAddress(config),
		() => checkPairing(config.home, env),
		() => checkFiles(config.home),
		() => checkApproval(config),
		() => checkRoots(config),
		() => checkSecrets(env),
		() => checkPeople(config),
	];
}

function configChecks(config: Config, env: NodeJS.ProcessEnv): (() => Finding | Promise<Finding>)[] {
	return [
		() => ok("configuration", "valid"),
		() => checkHome(config.home),
		() => checkToken(config.home),
		() => checkDisk(config.home),
		() => checkMemory(config.memoryMb, totalmem() / 1_048_576),
		() => checkPort(config),
		() => checkAgent(config),
		() => checkAgents(config, env),
		() => checkTelegram(config),
		() => checkFleet(config),
	];
}
