import { agentEntries, agentId } from "./agent-entries.ts";
import {
	directories,
	directory,
	file,
	flag,
	host,
	httpUrl,
	integer,
	natsUrl,
	numericIds,
	oneOf,
	path,
	text,
	type ValueType,
} from "./config-values.ts";

/** One setting: where it may come from, what it means. Environment, flags, config file, help and documentation all derive from this. */
export interface Setting<T> {
	/** Key in config.json; undefined where the file cannot say it. */
	readonly key?: string;
	readonly env?: string;
	/** Without dashes. Secrets have none: other users can read the arguments of a process. */
	readonly flag?: string;
	readonly type: ValueType<T>;
	/** Used, and shown in the documentation, when nothing says otherwise. */
	readonly fallback?: string;
	/** What the documentation says when there is no fixed fallback. */
	readonly fallbackNote?: string;
	readonly secret?: boolean;
	readonly description: string;
}

const setting = <T>(definition: Setting<T>): Setting<T> => definition;

export const SETTINGS = {
	port: setting({
		key: "port",
		env: "PORT",
		flag: "port",
		type: integer(0, 65_535),
		fallback: "7417",
		description: "Port to listen on. 0 picks a free one.",
	}),
	host: setting({
		key: "host",
		env: "HOST",
		flag: "host",
		type: host,
		fallback: "127.0.0.1",
		description:
			"Address to listen on. One that other machines can reach is refused unless TLS is configured or a proxy in front is declared.",
	}),
	open: setting({ flag: "open", type: flag, fallback: "0", description: "Open the page in the browser when ready." }),
	demo: setting({ flag: "demo", type: flag, fallback: "0", description: "The demo pilot answers, whatever else is configured." }),
	home: setting({
		env: "RIGHTSEAT_HOME",
		flag: "home",
		type: path,
		fallback: "~/.rightseat",
		description: "Directory of everything that is kept: database, token, config.json, shell state, logs, agent state.",
	}),
	workdir: setting({
		key: "workdir",
		env: "RIGHTSEAT_WORKDIR",
		flag: "workdir",
		type: directory,
		fallbackNote: "current directory",
		description: "Working directory of a new conversation.",
	}),
	roots: setting({
		key: "roots",
		env: "RIGHTSEAT_ROOTS",
		flag: "roots",
		type: directories,
		fallbackNote: "anywhere",
		description: "Directories within which conversations may work.",
	}),
	githubToken: setting({
		key: "githubToken",
		env: "GITHUB_TOKEN",
		type: text,
		secret: true,
		description: "Token of an account with Copilot. When set, the agent runtime must start with it or Rightseat does not start.",
	}),
	defaultModel: setting({
		key: "defaultModel",
		env: "COPILOT_DEFAULT_MODEL",
		flag: "model",
		type: text,
		fallbackNote: "the provider's first",
		description: "Model of a new conversation.",
	}),
	providerType: setting({
		key: "providerType",
		env: "RIGHTSEAT_PROVIDER_TYPE",
		flag: "provider-type",
		type: oneOf("openai", "azure", "anthropic"),
		fallback: "openai",
		description: "Kind of a model provider of your own. Ollama, LM Studio and vLLM speak `openai`.",
	}),
	providerUrl: setting({
		key: "providerUrl",
		env: "RIGHTSEAT_PROVIDER_URL",
		flag: "provider-url",
		type: httpUrl,
		description: "Address of a model provider of your own, for example `http://127.0.0.1:11434/v1`.",
	}),
	providerKey: setting({
		key: "providerKey",
		env: "RIGHTSEAT_PROVIDER_KEY",
		type: text,
		secret: true,
		description: "Key for that provider, if it wants one.",
	}),
	agents: setting({
		key: "agents",
		env: "RIGHTSEAT_AGENTS",
		type: agentEntries,
		secret: true,
		fallbackNote: "those found on `PATH`",
		description: "More agents that speak ACP: `id`, `name`, `command` and `env` of each. Their own page is docs/agents.md.",
	}),
	defaultAgent: setting({
		key: "defaultAgent",
		env: "RIGHTSEAT_DEFAULT_AGENT",
		flag: "agent",
		type: agentId,
		fallback: "copilot",
		description: "Agent of a new conversation.",
	}),
	systemPrompt: setting({
		key: "systemPrompt",
		env: "RIGHTSEAT_SYSTEM_PROMPT",
		flag: "system-prompt",
		type: text,
		description: "Text appended to the agent's system message.",
	}),
	permissions: setting({
		key: "permissions",
		env: "RIGHTSEAT_PERMISSIONS",
		flag: "permissions",
		type: oneOf("auto", "ask"),
		fallback: "auto",
		description: "`auto` approves what the agent wants to do, `ask` asks a person each time. Each conversation can differ.",
	}),
	telegramToken: setting({
		key: "telegramToken",
		env: "TELEGRAM_BOT_TOKEN",
		type: text,
		secret: true,
		description: "Token of a Telegram bot; turns Telegram on.",
	}),
	telegramUsers: setting({
		key: "telegramUsers",
		env: "TELEGRAM_ALLOWED_USERS",
		flag: "telegram-users",
		type: numericIds,
		fallbackNote: "pairing by a code only",
		description: "Ids of the people who may use the bot.",
	}),
	telegramGroups: setting({
		key: "telegramGroups",
		env: "RIGHTSEAT_TELEGRAM_GROUPS",
		flag: "telegram-groups",
		type: numericIds,
		fallbackNote: "private chats only",
		description: "Ids of the groups in which the bot answers those people.",
	}),
	telegramPairing: setting({
		key: "telegramPairing",
		env: "RIGHTSEAT_TELEGRAM_PAIRING",
		flag: "telegram-pairing",
		type: flag,
		fallbackNote: "on, but off with TELEGRAM_ALLOWED_USERS",
		description: "Whether a stranger who writes to the bot gets a code to be let in with. Off: strangers hear nothing.",
	}),
	telegramLanguage: setting({
		key: "telegramLanguage",
		env: "RIGHTSEAT_TELEGRAM_LANGUAGE",
		flag: "telegram-language",
		type: oneOf("auto", "en", "zh-Hant"),
		fallback: "auto",
		description: "Language of the bot. `auto`: that of each person's Telegram.",
	}),
	telegramApiRoot: setting({
		key: "telegramApiRoot",
		env: "TELEGRAM_API_ROOT",
		flag: "telegram-api-root",
		type: httpUrl,
		fallback: "https://api.telegram.org",
		description: "Address of the Bot API, for a Bot API server of your own.",
	}),
	transcribeUrl: setting({
		key: "transcribeUrl",
		env: "RIGHTSEAT_TRANSCRIBE_URL",
		flag: "transcribe-url",
		type: httpUrl,
		description: "Address of an OpenAI-compatible transcription service for voice messages.",
	}),
	transcribeKey: setting({
		key: "transcribeKey",
		env: "RIGHTSEAT_TRANSCRIBE_KEY",
		type: text,
		secret: true,
		description: "Key for that service.",
	}),
	transcribeModel: setting({
		key: "transcribeModel",
		env: "RIGHTSEAT_TRANSCRIBE_MODEL",
		flag: "transcribe-model",
		type: text,
		fallback: "whisper-1",
		description: "Model of that service.",
	}),
	fleetUrl: setting({
		key: "fleetUrl",
		env: "RIGHTSEAT_FLEET_URL",
		flag: "fleet-url",
		type: natsUrl,
		fallbackNote: "no fleet",
		description:
			"NATS server, or servers of one cluster, through which this host takes part in a fleet. Another machine is spoken to with TLS only.",
	}),
	fleetCreds: setting({
		key: "fleetCreds",
		env: "RIGHTSEAT_FLEET_CREDS",
		flag: "fleet-creds",
		type: path,
		description: "File with the credentials for it: as `nsc` makes it, or an nkey seed, a token, or `user:password`.",
	}),
	fleetCa: setting({
		key: "fleetCa",
		env: "RIGHTSEAT_FLEET_CA",
		flag: "fleet-ca",
		type: path,
		fallbackNote: "the system's authorities",
		description: "Certificate file (PEM) of the authority that vouches for the NATS server.",
	}),
	fleetAllow: setting({
		key: "fleetAllow",
		env: "RIGHTSEAT_FLEET_ALLOW",
		flag: "fleet-allow",
		type: oneOf("watch", "talk", "full"),
		fallback: "full",
		description: "The most that other hosts may do on this one, whatever they were given: look, also write to the agent, or everything.",
	}),
	fleetOldServer: setting({
		key: "fleetOldServer",
		env: "RIGHTSEAT_FLEET_OLD_SERVER",
		flag: "fleet-old-server",
		type: flag,
		fallback: "0",
		description: "Accept a NATS server on another machine although its version has known holes.",
	}),
	tlsCert: setting({
		key: "tlsCert",
		env: "RIGHTSEAT_TLS_CERT",
		flag: "tls-cert",
		type: file,
		description: "Certificate file (PEM) to serve HTTPS with; needs the key too.",
	}),
	tlsKey: setting({
		key: "tlsKey",
		env: "RIGHTSEAT_TLS_KEY",
		flag: "tls-key",
		type: file,
		description: "Private key file (PEM) of that certificate.",
	}),
	behindProxy: setting({
		key: "behindProxy",
		env: "RIGHTSEAT_BEHIND_PROXY",
		flag: "behind-proxy",
		type: flag,
		fallback: "0",
		description: "A proxy in front of Rightseat does the TLS. Says that listening on any host is meant.",
	}),
	publicUrl: setting({
		key: "publicUrl",
		env: "RIGHTSEAT_PUBLIC_URL",
		flag: "public-url",
		type: httpUrl,
		fallbackNote: "where it listens",
		description: "Address under which people reach Rightseat, for links and for the check of the Host header.",
	}),
	askTimeoutMs: setting({
		key: "askTimeoutMs",
		env: "RIGHTSEAT_ASK_TIMEOUT_MS",
		flag: "ask-timeout-ms",
		type: integer(1, 86_400_000),
		fallback: "120000",
		description: "How long a question of the agent waits for an answer.",
	}),
	maxTurns: setting({
		key: "maxTurns",
		env: "RIGHTSEAT_MAX_TURNS",
		flag: "max-turns",
		type: integer(1, 1_000),
		fallback: "16",
		description: "Turns running at once on this server.",
	}),
	memoryMb: setting({
		key: "memoryMb",
		env: "RIGHTSEAT_MEMORY_MB",
		flag: "memory-mb",
		type: integer(16, 1_000_000),
		fallback: "128",
		description:
			"Most memory for events kept for readers, sockets, running turns, terminals and uploads together. When it is used up, slow readers are cut off.",
	}),
	runtimeMemoryMb: setting({
		key: "runtimeMemoryMb",
		env: "RIGHTSEAT_RUNTIME_MEMORY_MB",
		flag: "runtime-memory-mb",
		type: integer(256, 1_000_000),
		fallback: "1024",
		description: "An agent runtime that uses more memory is replaced by a fresh one; running turns end on the old one, sessions go on.",
	}),
	runtimeMaxMemoryMb: setting({
		key: "runtimeMaxMemoryMb",
		env: "RIGHTSEAT_RUNTIME_MAX_MEMORY_MB",
		flag: "runtime-max-memory-mb",
		type: integer(512, 1_000_000),
		fallback: "4096",
		description: "An agent runtime that uses more memory than this is ended with the turns that run on it.",
	}),
	logLevel: setting({
		key: "logLevel",
		env: "RIGHTSEAT_LOG",
		flag: "log",
		type: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
		fallback: "info",
		description: "How much goes into the log file.",
	}),
} as const;

export const ALL_SETTINGS: readonly Setting<unknown>[] = Object.values(SETTINGS);
