import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Config, parseConfig, removeSecrets, secretsOf } from "./config.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-config-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const parse = (argv: string[] = [], env: NodeJS.ProcessEnv = {}) => parseConfig(argv, { RIGHTSEAT_HOME: home, ...env }, "/");
const writeFile = (value: unknown) => writeFileSync(join(home, "config.json"), typeof value === "string" ? value : JSON.stringify(value));

function config(argv: string[] = [], env: NodeJS.ProcessEnv = {}): Config {
	const parsed = parse(argv, env);
	if (parsed.kind !== "config") throw new Error(JSON.stringify(parsed));
	return parsed.config;
}
function complaint(argv: string[] = [], env: NodeJS.ProcessEnv = {}): string {
	const parsed = parse(argv, env);
	if (parsed.kind !== "error") throw new Error(`accepted: ${JSON.stringify(parsed)}`);
	expect(parsed.message).not.toContain("\n");
	return parsed.message;
}

describe("what applies", () => {
	test("[CF1] without any setting the documented defaults apply", () => {
		expect(config()).toEqual({
			port: 7417,
			host: "127.0.0.1",
			open: false,
			home,
			workdir: "/",
			accountFrom: "nothing",
			roots: [],
			agents: [],
			mcpServers: {},
			defaultAgent: "copilot",
			permissions: "auto",
			titles: "model",
			behindProxy: false,
			askTimeoutMs: 120_000,
			maxTurns: 16,
			memoryMb: 128,
			memory: { replaceAboveBytes: 1024 * 1024 * 1024, endAboveBytes: 4096 * 1024 * 1024 },
			logLevel: "info",
		});
	});

	test("[CF110] the limits of the agent runtime's memory are settings in megabytes", () => {
		const { memory } = config(["--runtime-memory-mb", "300"], { RIGHTSEAT_RUNTIME_MAX_MEMORY_MB: "600" });
		expect(memory).toEqual({ replaceAboveBytes: 300 * 1024 * 1024, endAboveBytes: 600 * 1024 * 1024 });
	});

	test("[CF2] a flag wins over the environment and the environment over config.json", () => {
		writeFile({ port: 1003, maxTurns: 3, askTimeoutMs: 3000 });
		const { port, maxTurns, askTimeoutMs } = config(["--port", "1001"], { PORT: "1002", RIGHTSEAT_MAX_TURNS: "2" });
		expect({ port, maxTurns, askTimeoutMs }).toEqual({ port: 1001, maxTurns: 2, askTimeoutMs: 3000 });
	});

	test("[CF221] --name=value, switches and --no-switch are understood", () => {
		expect(config(["--port=0", "--open"])).toMatchObject({ port: 0, open: true });
		expect(config(["--no-behind-proxy"], { RIGHTSEAT_BEHIND_PROXY: "1" }).behindProxy).toBe(false);
	});

	test("[PG784] what was connected on the page counts where the configuration says nothing, and its secret is one of ours", () => {
		const connected = (account: object) => writeFileSync(join(home, "model.json"), JSON.stringify(account));
		connected({ kind: "own", type: "anthropic", url: "https://models.example/", key: "key-of-the-page" });
		expect(config()).toMatchObject({
			accountFrom: "page",
			provider: { type: "anthropic", url: "https://models.example", key: "key-of-the-page" },
		});
		expect(secretsOf(config())).toContain("key-of-the-page");
		const configured = config([], { RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:1/v1" });
		expect(configured).toMatchObject({ accountFrom: "configuration", provider: { url: "http://127.0.0.1:1/v1" } });
		const token = config([], { GITHUB_TOKEN: "t" });
		expect([token.accountFrom, token.githubToken, token.provider]).toEqual(["configuration", "t", undefined]);
		const demo = config(["--demo"]);
		expect([demo.accountFrom, demo.githubToken, demo.provider]).toEqual(["demo-flag", undefined, undefined]);
		connected({ kind: "copilot", token: "token-of-the-page" });
		expect(config()).toMatchObject({ accountFrom: "page", githubToken: "token-of-the-page" });
		connected({ kind: "own", url: "sk-secret" });
		expect(complaint()).toMatch(/model\.json cannot be read\. Remove it/);
		expect(complaint()).not.toContain("sk-secret");
	});

	test("[CF222] an empty variable counts as not set", () => {
		expect(config([], { GITHUB_TOKEN: "", PORT: " " })).toMatchObject({ port: 7417, githubToken: undefined });
	});

	test("[CF3] provider, Telegram, transcription and TLS are read as groups", () => {
		writeFile({ telegramUsers: [7, 8], telegramGroups: "-100, -200" });
		const cert = join(home, "config.json");
		const found = config([], {
			RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:11434/v1/",
			TELEGRAM_BOT_TOKEN: "1:abc",
			RIGHTSEAT_TRANSCRIBE_URL: "http://127.0.0.1:9000",
			RIGHTSEAT_TLS_CERT: cert,
			RIGHTSEAT_TLS_KEY: cert,
		});
		expect(found.provider).toEqual({ type: "openai", url: "http://127.0.0.1:11434/v1" });
		expect(found.telegram).toEqual({
			botToken: "1:abc",
			allowedUsers: [7, 8],
			groups: [-100, -200],
			pairing: false,
			language: "auto",
			apiRoot: "https://api.telegram.org",
		});
		expect(found.transcribe).toEqual({ url: "http://127.0.0.1:9000", model: "whisper-1" });
		expect(found.tls).toEqual({ certFile: cert, keyFile: cert });
	});

	test("[CF4] help and version win over everything else on the line", () => {
		expect(parse(["--port", "1", "--help"])).toEqual({ kind: "help" });
		expect(parse(["-v"])).toEqual({ kind: "version" });
	});
});

describe("bad input", () => {
	test.each([
		[["--prot", "1"], "--prot"],
		[["extra"], "extra"],
		[["--port"], "--port"],
		[["--port", "--open"], "--port"],
		[["--port", "70000"], "--port"],
		[["--port", "-1"], "--port"],
		[["--port", "80a"], "--port"],
		[["--no-port"], "--no-port"],
		[["--github-token", "x"], "--github-token"],
	])("[CF5] %j is refused in one line that names the flag", (argv, named) => {
		expect(complaint(argv)).toContain(named);
	});

	test.each([
		["PORT", "http"],
		["PORT", "1e3"],
		["HOST", "not a host"],
		["RIGHTSEAT_PERMISSIONS", "maybe"],
		["RIGHTSEAT_PROVIDER_URL", "localhost:11434"],
		["RIGHTSEAT_PROVIDER_URL", "http://me:secret@127.0.0.1"],
		["RIGHTSEAT_PROVIDER_TYPE", "clever"],
		["RIGHTSEAT_WORKDIR", "/does/not/exist"],
		["RIGHTSEAT_ROOTS", "/does/not/exist"],
		["TELEGRAM_ALLOWED_USERS", "@ann"],
		["RIGHTSEAT_TLS_CERT", "/does/not/exist.pem"],
		["RIGHTSEAT_ASK_TIMEOUT_MS", "0"],
		["RIGHTSEAT_LOG", "loud"],
		["RIGHTSEAT_BEHIND_PROXY", "perhaps"],
	])("[CF5] %s=%s is refused in one line that names the variable", (name, value) => {
		expect(complaint([], { [name]: value })).toContain(name);
	});

	test.each([
		["{", "not valid JSON"],
		["[]", "one JSON object"],
		['{"prot": 1}', "prot"],
		['{"port": {}}', "port"],
		['{"port": "x"}', '"port" in config.json'],
	])("[CF6] config.json with %s is refused in one line", (content, named) => {
		writeFile(content);
		expect(complaint()).toContain(named);
	});

	test("[CF223] a broken config.json is not quoted: it may hold secrets", () => {
		writeFile('{"githubToken": "ghp_secret" oops}');
		expect(complaint()).not.toContain("ghp_secret");
	});

	test("[CF7] half of a pair is refused and the other half is named", () => {
		expect(complaint([], { RIGHTSEAT_PROVIDER_KEY: "k" })).toContain("RIGHTSEAT_PROVIDER_URL");
		writeFile({});
		expect(complaint([], { RIGHTSEAT_TLS_CERT: join(home, "config.json") })).toContain("RIGHTSEAT_TLS_KEY");
	});
});

describe("where it listens", () => {
	test.each(["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])("[CF8] %s is loopback", (host) => {
		expect(config(["--host", host]).host).toBe(host.replace(/[[\]]/g, ""));
	});

	test.each(["0.0.0.0", "::", "192.168.1.5", "100.64.0.1", "127.evil.example", "127.0.0.1.nip.example", "localhost.example"])(
		"[CF8] %s is refused without TLS or a declared proxy, and the flag is named",
		(host) => {
			expect(complaint(["--host", host])).toContain("--host");
			expect(config(["--host", host, "--behind-proxy"]).host).toBe(host);
		},
	);
});

describe("secrets", () => {
	const secrets = { GITHUB_TOKEN: "a", RIGHTSEAT_PROVIDER_KEY: "b", TELEGRAM_BOT_TOKEN: "c", RIGHTSEAT_TRANSCRIBE_KEY: "d" };

	test("[CF9] secrets leave the environment, the rest stays", () => {
		const env: NodeJS.ProcessEnv = { ...secrets, PATH: "/bin" };
		removeSecrets(env);
		expect(env).toEqual({ PATH: "/bin" });
	});

	test("[CF225] every secret that was given is known for redaction", () => {
		const env = { ...secrets, RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:1", RIGHTSEAT_TRANSCRIBE_URL: "http://127.0.0.1:1" };
		expect(secretsOf(config([], env))).toEqual(["a", "b", "c", "d"]);
		expect(secretsOf(config(["--demo"], env)).sort()).toEqual(["a", "b", "c", "d"]);
	});

	test("[PK9] with --demo no account and no model of one's own is connected, whatever else is configured", () => {
		const env = { ...secrets, RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:1", RIGHTSEAT_DEFAULT_AGENT: "codex", COPILOT_DEFAULT_MODEL: "m" };
		const { githubToken, provider, defaultModel, defaultAgent } = config(["--demo"], env);
		expect({ githubToken, provider, defaultModel, defaultAgent }).toEqual({ defaultAgent: "copilot" });
	});
});
