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
export const doctorCommand: Command = {
	async run(args, deps) {
		// Loaded only now: help and doctor must work where a dependency of the server is broken.
		const { runDoctor } = await import("../doctor/doctor.ts");
		const { withServiceSettings } = await import("../doctor/service-settings.ts");
		const { env, finding } = withServiceSettings(args, deps.env, deps.cwd);
		removeSecrets(deps.env);
		return await withConfig((parsed, own) => runDoctor(parsed, own, finding)).run(args, { ...deps, env });
	},
};

/** `rightseat prepare`: whatever was missing has been brought by the time that this program runs (scripts/rightseat.mjs). */
export const prepareCommand: Command = {
	async run(args, deps) {
		removeSecrets(deps.env);
		const chinese = languageOf(deps.env) === "zh-Hant";
		if (args.some((arg) => arg === "--help" || arg === "-h")) {
			deps.print(
				chinese
					? "rightseat prepare：先下載首次啟動所需的檔案，然後結束。"
					: "rightseat prepare: fetches what the first start would fetch, and ends.",
			);
			return 0;
		}
		if (args.length > 0) {
			deps.printError(chinese ? "rightseat prepare 不接受參數。" : "rightseat prepare takes no arguments.");
			return 2;
		}
		deps.print(chinese ? "啟動所需的檔案都已就緒。" : "Everything that a start needs is here.");
		return 0;
	},
};

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
