import { delimiter, join } from "node:path";
import { CliError } from "@rightseat/cli/cli-error";
import { type Config, parseConfig } from "../config/config.ts";
import { ALL_SETTINGS, SETTINGS } from "../config/config-schema.ts";
import { ConfigError, readConfigFile, readFlags } from "../config/config-sources.ts";
import { captureEnvironment, readEnvironment } from "./environment-file.ts";
import type { ServiceDeps } from "./service-deps.ts";

/** What a person wrote behind `service install`. */
export interface InstallOptions {
	dryRun: boolean;
	linger: boolean;
	strict: boolean;
	/** Variables to take over beside ours. */
	added: readonly string[];
	/** Flags of `start`. */
	startFlags: readonly string[];
}

const SWITCHES = ["--dry-run", "--linger", "--strict"];

/** Splits our own flags from those of `start`, which are read where `start` reads them. */
export function readInstallOptions(args: readonly string[], words: ServiceDeps["words"]): InstallOptions {
	const rest = [...args];
	const switches = new Set<string>();
	const added: string[] = [];
	const startFlags: string[] = [];
	for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
		if (SWITCHES.includes(argument)) switches.add(argument);
		else if (argument === "--env" || argument.startsWith("--env=")) {
			const name = argument === "--env" ? rest.shift() : argument.slice("--env=".length);
			if (name === undefined || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new CliError(words.badFlag("--env"));
			added.push(name);
		} else if (/^--(?:no-)?open\b|^-v$|^--version$/.test(argument)) throw new CliError(words.unknownFlag(argument));
		else startFlags.push(argument);
	}
	const has = (name: string) => switches.has(name);
	return { dryRun: has("--dry-run"), linger: has("--linger"), strict: has("--strict"), added, startFlags };
}

/** What the service will start with. */
export interface InstallPlan {
	config: Config;
	environment: Map<string, string>;
}

/**
 * Puts together what stands in `service.env` already, what this shell has and what the flags say; the later wins. Relative paths become
 * absolute: a service starts elsewhere. Throws CliError for what the server would refuse.
 */
export function planInstall({ cli, place, words }: Pick<ServiceDeps, "cli" | "place" | "words">, options: InstallOptions): InstallPlan {
	const missing = options.added.find((name) => (cli.env[name] ?? "") === "");
	if (missing !== undefined) throw new CliError(words.notInEnvironment(missing));
	try {
		const environment = new Map([...readEnvironment(place.environmentFile, words), ...captureEnvironment(cli.env, options.added)]);
		const flags = readFlags(options.startFlags);
		for (const setting of ALL_SETTINGS) {
			const text = setting.flag === undefined ? undefined : flags.get(setting.flag);
			if (text !== undefined && setting.env !== undefined && setting !== SETTINGS.home) environment.set(setting.env, text);
		}
		const hasFolder = environment.has("RIGHTSEAT_WORKDIR") || readConfigFile(join(place.home, "config.json")).has("workdir");
		if (!hasFolder) environment.set("RIGHTSEAT_WORKDIR", cli.cwd);
		const parsed = parseConfig(["--home", place.home], Object.fromEntries(environment), cli.cwd);
		if (parsed.kind !== "config") throw new CliError(parsed.kind === "error" ? parsed.message : "");
		makeAbsolute(environment, parsed.config);
		return { config: parsed.config, environment };
	} catch (error) {
		throw error instanceof ConfigError ? new CliError(error.message) : error;
	}
}

/** Whatever `npx` runs lies in a cache: a service would end when that is emptied. */
export function refuseTemporaryPlace({ launch, words }: Pick<ServiceDeps, "launch" | "words">): void {
	const place = launch.args.find((argument) => argument.includes("/_npx/"));
	if (place !== undefined) throw new CliError(words.temporaryPlace(place));
}

function makeAbsolute(environment: Map<string, string>, config: Config): void {
	const absolute: Readonly<Record<string, string | undefined>> = {
		RIGHTSEAT_WORKDIR: config.workdir,
		RIGHTSEAT_ROOTS: config.roots.join(delimiter),
		RIGHTSEAT_TLS_CERT: config.tls?.certFile,
		RIGHTSEAT_TLS_KEY: config.tls?.keyFile,
	};
	for (const [name, value] of Object.entries(absolute)) if (value !== undefined && environment.has(name)) environment.set(name, value);
}
