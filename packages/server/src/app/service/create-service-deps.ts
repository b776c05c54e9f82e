import { existsSync, realpathSync, statfsSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname } from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { languageOf } from "@rightseat/protocol/sentences/language-of";
import type { CommandDeps } from "../cli/commands.ts";
import { SETTINGS } from "../config/config-schema.ts";
import { createLaunchdManager } from "./launchd-manager.ts";
import { createRunTool } from "./run-tool.ts";
import type { ServiceDeps } from "./service-deps.ts";
import { type Supervisor, servicePlace } from "./service-place.ts";
import { createSystemdManager } from "./systemd-manager.ts";
import type { Launch } from "./systemd-unit.ts";
import { openVersions, versionsFolder } from "./versions.ts";
import { serviceWords } from "./words.ts";

/** Which home is meant, and the other arguments. */
export function takeHome(args: readonly string[], env: NodeJS.ProcessEnv, words: ServiceDeps["words"]): { home: string; others: string[] } {
	const others = [...args];
	let given = env.RIGHTSEAT_HOME?.trim() || SETTINGS.home.fallback || "";
	for (let at = others.findIndex(isHomeFlag); at >= 0; at = others.findIndex(isHomeFlag)) {
		const [flag = ""] = others.splice(at, 1);
		const value = flag === "--home" ? others.splice(at, 1)[0] : flag.slice("--home=".length);
		if (value === undefined || value === "" || value.startsWith("--")) throw new CliError(words.badFlag("--home"));
		given = value;
	}
	return { home: SETTINGS.home.type.parse(given), others };
}

const isHomeFlag = (argument: string) => argument === "--home" || argument.startsWith("--home=");

/** The supervisor, the names and the tools for a home. Throws CliError where there is no supervisor that we know. */
export function createServiceDeps(home: string, cli: CommandDeps): ServiceDeps {
	const words = serviceWords(languageOf(cli.env));
	const supervisor = supervisorOf(process.platform);
	if (supervisor === undefined) throw new CliError(words.noSupervisor(process.platform), EXIT.failed);
	const place = servicePlace(home, { userHome: homedir(), env: cli.env, supervisor });
	const run = createRunTool(cli.env);
	const manager =
		supervisor === "systemd"
			? createSystemdManager({ place, run, user: userInfo().username, words })
			: createLaunchdManager({ place, run, uid: process.getuid?.() ?? 0, words });
	const versions = openVersions(versionsFolder(place, cli.env));
	const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
	return {
		cli,
		words,
		supervisor,
		place,
		run,
		manager,
		launch: versions.current() === undefined ? ownLaunch(home) : versions.launch(home),
		ask: isTerminal ? askPerson : undefined,
		time: { now: () => performance.now(), wait: (ms) => sleep(ms) },
		disk: lookAtDisk,
	};
}

function supervisorOf(platform: NodeJS.Platform): Supervisor | undefined {
	if (platform === "darwin") return "launchd";
	return platform === "linux" ? "systemd" : undefined;
}

/** As this process was started: the same in a clone, in an installed package and from the sources. */
function ownLaunch(home: string): Launch {
	const script = process.argv[1] ?? "";
	return { program: process.execPath, args: [...process.execArgv, realpathSync(script), "service", "run", "--home", home] };
}

function lookAtDisk(folder: string): { freeBytes: number; device: number } {
	if (!existsSync(folder)) return lookAtDisk(dirname(folder));
	const { bavail, bsize } = statfsSync(folder);
	return { freeBytes: bavail * bsize, device: statSync(folder).dev };
}

/** A yes has to be typed. */
async function askPerson(question: string): Promise<boolean> {
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	try {
		return /^(?:y|yes|是|好)$/i.test((await terminal.question(`${question} [y/N] `)).trim());
	} finally {
		terminal.close();
	}
}

/** What the parser of flags throws is for people too; everything else is a fault of ours. */
export function asProblem(error: unknown, words: ServiceDeps["words"]): CliError {
	if (error instanceof CliError) return error;
	const isOfFlags = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
	if (!isOfFlags) throw error;
	const flag = /'(-[^' ]*)/.exec(error.message)?.[1] ?? "";
	return new CliError(String(error.code).endsWith("UNKNOWN_OPTION") ? words.unknownFlag(flag) : words.badFlag(flag));
}
