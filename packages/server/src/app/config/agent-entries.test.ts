import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KNOWN_AGENTS } from "../../runtime/agents/known-agents.ts";
import { MAX_AGENT_ENTRIES } from "./agent-entries.ts";
import { type ParsedConfig, parseConfig, removeSecrets, secretsOf } from "./config.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-agents-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const parse = (env: NodeJS.ProcessEnv = {}) => parseConfig([], { RIGHTSEAT_HOME: home, ...env }, "/");
const agentsOf = (parsed: ParsedConfig) => (parsed.kind === "config" ? parsed.config.agents : parsed);
const complaintOf = (parsed: ParsedConfig) => (parsed.kind === "error" ? parsed.message : JSON.stringify(parsed));

const MINE = { id: "mine", name: "My agent", command: ["my-agent", "--acp"], env: { LANG: "C", MY_API_KEY: "k-0123456789abcdef" } };

test("[AG40] agents come from RIGHTSEAT_AGENTS, or from config.json where they stand as they are", () => {
	expect(agentsOf(parse({ RIGHTSEAT_AGENTS: JSON.stringify([MINE, { id: "b", command: ["b"] }]) }))).toEqual([
		MINE,
		{ id: "b", command: ["b"] },
	]);
	writeFileSync(join(home, "config.json"), JSON.stringify({ agents: [MINE] }));
	expect(agentsOf(parse())).toEqual([MINE]);
	expect(agentsOf(parse({ RIGHTSEAT_AGENTS: "[]" }))).toEqual([]);
});

test("[AG40] a program given by a path is found from wherever a conversation works", () => {
	const RIGHTSEAT_AGENTS = JSON.stringify([
		{ id: "a", command: ["./a", "./b"] },
		{ id: "b", command: ["~/b"] },
	]);
	expect(agentsOf(parse({ RIGHTSEAT_AGENTS }))).toMatchObject([{ command: [resolve("a"), "./b"] }, { command: [join(homedir(), "b")] }]);
});

test.each([
	["opencode,claude", "not valid JSON"],
	["{}", "a JSON list"],
	["[7]", 'entry 1 must be an object with "id" and "command"'],
	['[{"command":["a"]}]', 'entry 1: "id"'],
	['[{"id":"A b","command":["a"]}]', 'entry 1: "id"'],
	['[{"id":"copilot","command":["a"]}]', '"id" must not be "copilot"'],
	['[{"id":"a"}]', 'entry 1: "command"'],
	['[{"id":"a","command":"a --acp"}]', 'entry 1: "command"'],
	['[{"id":"a","command":[]}]', 'entry 1: "command"'],
	['[{"id":"a","command":[" "]}]', 'entry 1: "command"'],
	['[{"id":"a","command":["a",7]}]', 'entry 1: "command"'],
	['[{"id":"a","command":["a\\u0000b"]}]', 'entry 1: "command"'],
	['[{"id":"a","command":["a"],"name":""}]', 'entry 1: "name"'],
	['[{"id":"a","command":["a"],"env":["A=1"]}]', 'entry 1: "env"'],
	['[{"id":"a","command":["a"],"env":{"A":1}}]', 'entry 1: "env"'],
	['[{"id":"a","command":["a"],"env":{"A B":"1"}}]', 'entry 1: "env"'],
	['[{"id":"a","command":["a"],"env":null}]', 'entry 1: "env"'],
	['[{"id":"a","command":["a"]},{"id":"b","comand":["b"]}]', 'entry 2 has the unknown key "comand"'],
	['[{"id":"a","command":["a"]},{"id":"a","command":["b"]}]', '"id" "a" is there twice'],
	[JSON.stringify(Array.from({ length: MAX_AGENT_ENTRIES + 1 }, (_, index) => ({ id: `a${index}`, command: ["a"] }))), "at most 32"],
])("[AG41] a bad entry is one line that names the setting and the key: %s", (value, named) => {
	const complaint = complaintOf(parse({ RIGHTSEAT_AGENTS: value }));
	expect(complaint).toMatch(/^RIGHTSEAT_AGENTS [^\n]+\.$/);
	expect(complaint).toContain(named);
});

test("[AG41] in config.json the key is named, and what an entry holds is not quoted", () => {
	writeFileSync(join(home, "config.json"), JSON.stringify({ agents: [{ ...MINE, command: "my-agent --key k-0123456789abcdef" }] }));
	expect(complaintOf(parse())).toMatch(/^"agents" in config\.json entry 1: "command" must be/);
	expect(complaintOf(parse())).not.toContain("k-0123456789abcdef");
});

test("[AG42] the default agent is copilot, a known one or one of the configuration; another is one line", () => {
	expect(parse({ RIGHTSEAT_DEFAULT_AGENT: "opencode" })).toMatchObject({ config: { defaultAgent: "opencode" } });
	expect(parse({ RIGHTSEAT_AGENTS: JSON.stringify([MINE]), RIGHTSEAT_DEFAULT_AGENT: "mine" })).toMatchObject({ kind: "config" });
	const complaint = complaintOf(parse({ RIGHTSEAT_DEFAULT_AGENT: "mine" }));
	expect(complaint).toMatch(/^RIGHTSEAT_DEFAULT_AGENT must be one of copilot, [^\n]+, not "mine"\.$/);
	for (const { id } of KNOWN_AGENTS) expect(complaint).toContain(id);
	expect(complaintOf(parse({ RIGHTSEAT_DEFAULT_AGENT: "My Agent" }))).toMatch(/^RIGHTSEAT_DEFAULT_AGENT must be/);
});

test("[AG43] the keys of an agent leave the environment with our secrets and are hidden everywhere, its other settings are not", () => {
	const env: NodeJS.ProcessEnv = { RIGHTSEAT_HOME: home, RIGHTSEAT_AGENTS: JSON.stringify([MINE]) };
	const parsed = parseConfig([], env, "/");
	removeSecrets(env);
	expect(env.RIGHTSEAT_AGENTS).toBeUndefined();
	expect(parsed.kind === "config" && secretsOf(parsed.config)).toEqual(["k-0123456789abcdef"]);
});
