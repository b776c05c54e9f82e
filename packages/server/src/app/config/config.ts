import { join } from "node:path";
import type { McpServer } from "@rightseat/protocol/http/mcp-servers";
import { COPILOT_AGENT } from "../../core/ports/agents.ts";
import { KNOWN_AGENTS } from "../../runtime/agents/known-agents.ts";
import { ACCOUNT_FILE, readAccountFile } from "../../services/model-account/account-file.ts";
import type { AgentEntry } from "./agent-entries.ts";
import { isLoopbackHost } from "./config-loopback.ts";
import { ALL_SETTINGS, SETTINGS } from "./config-schema.ts";
import { ConfigError, type ConfigSources, createReader, readConfigFile, readFlags } from "./config-sources.ts";
import type { Setting } from "./setting.ts";

const MEGABYTE = 1024 * 1024;

/** Everything a running Rightseat was told. */
export interface Config {
	port: number;
	host: string;
	open: boolean;
	home: string;
	workdir: string;
	/** Conversations may work only within these; empty: anywhere. */
	roots: string[];
	githubToken?: string;
	defaultModel?: string;
	provider?: ProviderConfig;
	/** Where token or provider come from; a person can change on the page what did not come from `configuration` or `demo-flag`. */
	accountFrom: "nothing" | "page" | "configuration" | "demo-flag";
	/** The token is that of the GitHub CLI's login. */
	accountLogin?: "gh";
	/** Beside `copilot` and those that are found. */
	agents: AgentEntry[];
	/** By name. */
	mcpServers: Record<string, McpServer>;
	/** `copilot`, one of the known agents, or one of `agents`. */
	defaultAgent: string;
	systemPrompt?: string;
	titles: "model" | "prompt";
	permissions: "auto" | "ask";
	telegram?: TelegramConfig;
	transcribe?: { url: string; key?: string; model: string };
	fleet?: FleetConfig;
	tls?: { certFile: string; keyFile: string };
	behindProxy: boolean;
	/** Without a slash at the end. */
	publicUrl?: string;
	askTimeoutMs: number;
	maxTurns: number;
	/** Bound over all buffers together. */
	memoryMb: number;
	memory: { replaceAboveBytes: number; endAboveBytes: number };
	logLevel: LogLevel;
	/** Given, but not used: a demo connects nothing. */
	idleSecrets?: string[];
}
export interface ProviderConfig {
	type: "openai" | "azure" | "anthropic";
	url: string;
	key?: string;
}
export interface TelegramConfig {
	botToken: string;
	allowedUsers: number[];
	groups: number[];
	/** Strangers get a code to be let in with. */
	pairing: boolean;
	language: "auto" | "en" | "zh-Hant";
	apiRoot: string;
}
export interface FleetConfig {
	url: string;
	credsFile?: string;
	caFile?: string;
	/** What was kept for NATS when this host joined. */
	keptIn?: string;
	allow: "watch" | "talk" | "full";
	allowOld: boolean;
}
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";

export type ParsedConfig = { kind: "config"; config: Config } | { kind: "help" } | { kind: "version" } | { kind: "error"; message: string };

/** Flags win over the environment, the environment over `config.json` in the home directory. Never throws for what a person wrote. */
export function parseConfig(argv: readonly string[], env: NodeJS.ProcessEnv, cwd: string): ParsedConfig {
	try {
		const flags = readFlags(argv);
		if (flags.has("help")) return { kind: "help" };
		if (flags.has("version")) return { kind: "version" };
		const home = createReader({ flags, env, file: new Map() }).required(SETTINGS.home);
		return { kind: "config", config: build({ flags, env, file: readConfigFile(join(home, "config.json")) }, home, cwd) };
	} catch (error) {
		if (error instanceof ConfigError) return { kind: "error", message: error.message };
		throw error;
	}
}

function build(sources: ConfigSources, home: string, cwd: string): Config {
	const { required, optional, where } = createReader(sources);
	const config: Config = {
		port: required(SETTINGS.port),
		host: required(SETTINGS.host),
		open: required(SETTINGS.open),
		home,
		workdir: optional(SETTINGS.workdir) ?? cwd,
		roots: [],
		githubToken: optional(SETTINGS.githubToken),
		defaultModel: optional(SETTINGS.defaultModel),
		accountFrom: "nothing",
		agents: [],
		mcpServers: optional(SETTINGS.mcpServers) ?? {},
		defaultAgent: required(SETTINGS.defaultAgent),
		systemPrompt: optional(SETTINGS.systemPrompt),
		titles: required(SETTINGS.titles),
		permissions: required(SETTINGS.permissions),
		behindProxy: required(SETTINGS.behindProxy),
		publicUrl: optional(SETTINGS.publicUrl),
		askTimeoutMs: required(SETTINGS.askTimeoutMs),
		maxTurns: required(SETTINGS.maxTurns),
		memoryMb: required(SETTINGS.memoryMb),
		memory: {
			replaceAboveBytes: required(SETTINGS.runtimeMemoryMb) * MEGABYTE,
			endAboveBytes: required(SETTINGS.runtimeMaxMemoryMb) * MEGABYTE,
		},
		logLevel: required(SETTINGS.logLevel),
	};
	config.roots = optional(SETTINGS.roots) ?? [];
	config.agents = optional(SETTINGS.agents) ?? [];
	const agentIds = [COPILOT_AGENT, ...new Set([...config.agents, ...KNOWN_AGENTS].map(({ id }) => id))];
	if (!agentIds.includes(config.defaultAgent)) {
		throw new ConfigError(`${where(SETTINGS.defaultAgent)} must be one of ${agentIds.join(", ")}, not "${config.defaultAgent}".`);
	}

	const needs = (setting: Setting<unknown>, missing: Setting<unknown>) =>
		new ConfigError(`${where(setting)} is set, but ${missing.env} is not: set both or neither.`);

	const url = optional(SETTINGS.providerUrl);
	const key = optional(SETTINGS.providerKey);
	const type = required(SETTINGS.providerType);
	if (url !== undefined) config.provider = { type, url, key };
	else if (key !== undefined) throw needs(SETTINGS.providerKey, SETTINGS.providerUrl);
	if (config.provider !== undefined || config.githubToken !== undefined) config.accountFrom = "configuration";

	const botToken = optional(SETTINGS.telegramToken);
	const allowedUsers = optional(SETTINGS.telegramUsers) ?? [];
	const groups = optional(SETTINGS.telegramGroups) ?? [];
	const pairing = optional(SETTINGS.telegramPairing) ?? allowedUsers.length === 0;
	const language = required(SETTINGS.telegramLanguage);
	const apiRoot = required(SETTINGS.telegramApiRoot);
	if (botToken !== undefined) config.telegram = { botToken, allowedUsers, groups, pairing, language, apiRoot };

	const transcribeUrl = optional(SETTINGS.transcribeUrl);
	if (transcribeUrl !== undefined) {
		config.transcribe = { url: transcribeUrl, key: optional(SETTINGS.transcribeKey), model: required(SETTINGS.transcribeModel) };
	}

	const fleetUrl = optional(SETTINGS.fleetUrl);
	if (fleetUrl !== undefined) {
		config.fleet = {
			...{
				url: fleetUrl,
				credsFile: optional(SETTINGS.fleetCreds),
				caFile: optional(SETTINGS.fleetCa),
				keptIn: join(config.home, "fleet"),
			},
			...{ allow: required(SETTINGS.fleetAllow), allowOld: required(SETTINGS.fleetOldServer) },
		};
	}

	const certFile = optional(SETTINGS.tlsCert);
	const keyFile = optional(SETTINGS.tlsKey);
	if (certFile !== undefined && keyFile !== undefined) config.tls = { certFile, keyFile };
	else if (certFile !== undefined) throw needs(SETTINGS.tlsCert, SETTINGS.tlsKey);
	else if (keyFile !== undefined) throw needs(SETTINGS.tlsKey, SETTINGS.tlsCert);

	if (!isLoopbackHost(config.host) && config.tls === undefined && !config.behindProxy) {
		throw new ConfigError(
			`${where(SETTINGS.host)}: "${config.host}" can be reached from other machines. Set RIGHTSEAT_TLS_CERT and RIGHTSEAT_TLS_KEY, or RIGHTSEAT_BEHIND_PROXY=1 if a proxy in front does the TLS.`,
		);
	}
	if (required(SETTINGS.demo)) return withoutAccounts(config);
	return config.accountFrom === "nothing" ? withStoredAccount(config) : config;
}

/** What a person connected on the page, where the configuration says nothing. */
function withStoredAccount(config: Config): Config {
	const stored = readAccountFile(config.home);
	if (stored === undefined) return config;
	if (stored === "unreadable") {
		throw new ConfigError(
			`${join(config.home, ACCOUNT_FILE)} cannot be read. Remove it, start again and connect the model again on the page.`,
		);
	}
	// Its token is asked for when the server starts.
	if (stored.kind === "gh") return { ...config, accountFrom: "page", accountLogin: "gh" };
	if (stored.kind === "copilot") return { ...config, accountFrom: "page", githubToken: stored.token };
	const { type, url, key } = stored;
	return { ...config, accountFrom: "page", provider: { type, url: url.replace(/\/+$/, ""), key } };
}

/** What is connected when only the demo pilot is to answer: nothing. The secrets stay known, so that they are hidden if they turn up. */
function withoutAccounts({ githubToken, provider, defaultModel: _, ...config }: Config): Config {
	const idleSecrets = [githubToken, provider?.key].filter((value) => value !== undefined);
	return { ...config, accountFrom: "demo-flag", defaultAgent: COPILOT_AGENT, idleSecrets };
}

/** Values that must never be written anywhere. */
export function secretsOf(config: Config): string[] {
	const own = [config.githubToken, config.provider?.key, config.telegram?.botToken, config.transcribe?.key, ...(config.idleSecrets ?? [])];
	return [...own.filter((value) => value !== undefined), ...config.agents.flatMap(({ env = {} }) => keysIn(env))];
}

/** An agent's environment holds its keys beside settings such as `LANG`; a setting that was hidden would be missing from everything people read. */
function keysIn(env: Readonly<Record<string, string>>): string[] {
	return Object.entries(env).flatMap(([name, value]) => (/key|token|secret|password|credential/i.test(name) ? [value] : []));
}

/** Names of the variables that hold them; no command that we run may see one. */
export function secretNames(): string[] {
	return ALL_SETTINGS.flatMap((setting) => (setting.secret === true && setting.env !== undefined ? [setting.env] : []));
}

/** Takes our secrets out of the environment, so that no child process inherits them. */
export function removeSecrets(env: NodeJS.ProcessEnv): void {
	for (const name of secretNames()) delete env[name];
}
