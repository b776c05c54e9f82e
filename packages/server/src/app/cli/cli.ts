import { parseConfig, removeSecrets } from "../config/config.ts";
import { helpText } from "../config/config-docs.ts";
import { findInstallPaths } from "../home/install-paths.ts";

export interface CliDeps {
	argv: readonly string[];
	env: NodeJS.ProcessEnv;
	cwd: string;
	/** One line or block to standard output, to standard error. */
	print(text: string): void;
	printError(text: string): void;
}

/** Runs a command. Gives the exit code, or undefined while a server runs on. */
export async function runCli(deps: CliDeps): Promise<number | undefined> {
	const [first, ...rest] = deps.argv;
	const named = first !== undefined && !first.startsWith("-");
	const command = named ? first : "start";
	const flags = named ? rest : deps.argv;
	if (!COMMANDS.has(command)) {
		deps.printError(`Unknown command ${JSON.stringify(command.slice(0, 80))}. Try start, doctor, version or help.`);
		return 2;
	}
	const parsed = parseConfig(flags, deps.env, deps.cwd);
	removeSecrets(deps.env);
	if (command === "version" || parsed.kind === "version") {
		deps.print(findInstallPaths().version);
		return 0;
	}
	if (command === "help" || parsed.kind === "help") {
		deps.print(helpText().trimEnd());
		return 0;
	}
	// Loaded only now: help and doctor must work where a dependency of the server is broken.
	if (command === "doctor") {
		const { runDoctor } = await import("../doctor/doctor.ts");
		return runDoctor(parsed, deps);
	}
	if (parsed.kind === "error") {
		deps.printError(parsed.message);
		return 2;
	}
	const { startServer } = await import("./start.ts");
	return startServer(parsed.config, deps);
}

const COMMANDS: ReadonlySet<string> = new Set(["start", "doctor", "version", "help"]);
