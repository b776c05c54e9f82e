import { languageOf } from "@rightseat/protocol/sentences/language-of";
import { type ParsedConfig, parseConfig, removeSecrets } from "../config/config.ts";
import { helpText } from "../config/config-docs.ts";
import { findInstallPaths } from "../home/install-paths.ts";
import type { Command, CommandDeps } from "./commands.ts";

/** `rightseat` and `rightseat start`. */
export const startCommand: Command = withConfig(async (parsed, deps) => {
	if (parsed.kind !== "config") return refuse(parsed, deps);
	const { startServer } = await import("./start.ts");
	return startServer(parsed.config, deps);
});

/** `rightseat doctor`, which also judges a configuration that is wrong. */
export const doctorCommand: Command = withConfig(async (parsed, deps) => {
	// Loaded only now: help and doctor must work where a dependency of the server is broken.
	const { runDoctor } = await import("../doctor/doctor.ts");
	return runDoctor(parsed, deps);
});

/** `rightseat version`, whatever else stands there. */
export const versionCommand: Command = {
	async run(_, deps) {
		removeSecrets(deps.env);
		deps.print(findInstallPaths().version);
		return 0;
	},
};

/** `rightseat help`, likewise. */
export const helpCommand: Command = {
	async run(_, deps) {
		removeSecrets(deps.env);
		printHelp(deps);
		return 0;
	},
};

type Configured = Exclude<ParsedConfig, { kind: "help" | "version" }>;

/** Reads flags, environment and file; secrets leave the environment, and `--help` and `--version` win over everything else. */
function withConfig(run: (parsed: Configured, deps: CommandDeps) => Promise<number | undefined>): Command {
	return {
		async run(args, deps) {
			const parsed = parseConfig(args, deps.env, deps.cwd);
			removeSecrets(deps.env);
			if (parsed.kind === "version") {
				deps.print(findInstallPaths().version);
				return 0;
			}
			if (parsed.kind === "help") {
				printHelp(deps);
				return 0;
			}
			return await run(parsed, deps);
		},
	};
}

function refuse(parsed: Extract<ParsedConfig, { kind: "error" }>, deps: CommandDeps): number {
	deps.printError(parsed.message);
	return 2;
}

const printHelp = (deps: CommandDeps) => deps.print(helpText(deps.commands, languageOf(deps.env)).trimEnd());
