import { expect, test } from "vitest";
import { findKnownAgent, KNOWN_AGENTS } from "./known-agents.ts";

test("[AG54] every start of opencode has its own password and no shell of its own, and Codex asks", () => {
	const passwords = [1, 2].map(() => findKnownAgent("opencode")?.environment({}).OPENCODE_SERVER_PASSWORD ?? "");
	expect(passwords[0]).toMatch(/^[\w-]{32}$/);
	expect(passwords[0]).not.toBe(passwords[1]);
	expect(JSON.parse(findKnownAgent("opencode")?.environment({}).OPENCODE_PERMISSION ?? "")).toMatchObject({ bash: "deny", edit: "ask" });
	expect(findKnownAgent("codex")?.environment({})).toMatchObject({ INITIAL_AGENT_MODE: "read-only" });
});

test("[AG47] every known agent has an id of its own that a configuration could use", () => {
	expect(new Set(KNOWN_AGENTS.map(({ id }) => id)).size).toBe(KNOWN_AGENTS.length);
	for (const { id } of KNOWN_AGENTS) expect(id).toMatch(/^[a-z][a-z-]*$/);
});

test("[AG260] Codex has no shell but ours, which its model sees, and keeps what else a person set", () => {
	const set = { model: "mine", features: { apps: false, code_mode: { direct_only_tool_namespaces: ["mcp__other"] } } };
	const config = (given?: string) => JSON.parse(findKnownAgent("codex")?.environment({ CODEX_CONFIG: given }).CODEX_CONFIG ?? "");
	const own = { shell_tool: false, unified_exec: false };
	expect(config()).toEqual({ features: { ...own, code_mode: { enabled: false, direct_only_tool_namespaces: ["mcp__rightseat"] } } });
	const both = { enabled: false, direct_only_tool_namespaces: ["mcp__other", "mcp__rightseat"] };
	expect(config(JSON.stringify(set))).toEqual({ model: "mine", features: { apps: false, ...own, code_mode: both } });
	for (const nonsense of ["{", "null", "[1]", '{"features":7}']) expect(config(nonsense)).toEqual(config());
});
