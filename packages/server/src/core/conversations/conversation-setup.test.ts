import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import type { SessionServerState } from "../ports/agent-setup.ts";

let bed: CoreBed;
const switched: unknown[] = [];
const told = new Map<string, SessionServerState>();
const server = { type: "stdio" as const, command: "x", args: [], env: {} };
beforeEach(async () => {
	bed = await createCoreBed();
	switched.length = 0;
	told.clear();
	bed.runtime.setup = {
		look: async () => ({ mcp: told, skills: [{ name: "s", source: "SKILL.md", enabled: true }] }),
		setServer: async (name, enabled) => void switched.push([name, enabled]),
		goOn: () => void switched.push("go on"),
		login: async (name) => ({ authorizationUrl: `https://login.example/${name}` }),
		finishLogin: async () => "connected",
	};
	bed.servers.push(
		{ name: "notes", source: "settings", isAllowed: true, server, hides: [".mcp.json"] },
		{ name: "tickets", source: ".mcp.json", isAllowed: true, server },
		{ name: "broken", source: ".mcp.json", isAllowed: true, server: undefined, problem: "The file is not valid JSON." },
		{ name: "strange", source: ".mcp.json", isAllowed: false, server },
	);
});
afterEach(() => bed.close());

/** With an open session. */
async function answered() {
	const id = await bed.begin();
	bed.conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	(await bed.runtime.nextTurn()).end();
	await bed.clock.advance(0);
	return id;
}

test("[MS10] a set-up tells every server with its state, also without a session, and starts nothing", async () => {
	const id = await bed.begin();
	const stateOf = async () => (await bed.setups.get(id)).mcp.map(({ name, state, enabled, error }) => [name, state, enabled, error]);
	expect(await stateOf()).toEqual([
		["notes", "pending", true, undefined],
		["tickets", "pending", true, undefined],
		["broken", "failed", true, "The file is not valid JSON."],
		["strange", "disabled", false, undefined],
	]);
	expect((await bed.setups.get(id)).open).toBe(false);
	expect(bed.runtime.opened).toEqual([]);
});

test("[MS10] an open session says how its servers are, without our secrets", async () => {
	const id = await answered();
	told.set("notes", { state: "connected", tools: ["echo"] });
	told.set("tickets", { state: "failed", tools: [], error: "no key s3cret-value" });
	const setup = await bed.setups.get(id);
	expect(setup).toMatchObject({ trusted: true, open: true, skills: [{ name: "s" }], agents: [], instructions: [] });
	expect(setup.mcp.slice(0, 2)).toEqual([
		{ name: "notes", source: "settings", enabled: true, hides: [".mcp.json"], state: "connected", tools: ["echo"] },
		{ name: "tickets", source: ".mcp.json", enabled: true, state: "failed", tools: [], error: expect.not.stringContaining("s3cret-value") },
	]);
	bed.setups.goOn(id);
	expect(switched).toEqual(["go on"]);
});

test("[MS11] a switch is kept over a crash, told to everybody and taken by the open session; only servers that are allowed are given", async () => {
	const id = await answered();
	const given = async () => (await bed.runtime.opened.at(-1)?.mcpServers?.())?.map(({ name, enabled }) => [name, enabled]);
	expect(await given()).toEqual([
		["notes", true],
		["tickets", true],
	]);
	const changes: unknown[] = [];
	bed.conversations.onChange((change) => void changes.push("conversation" in change ? change.conversation.mcp : undefined));
	expect((await bed.conversations.update(id, { mcp: { notes: false } })).mcp).toEqual({ notes: false });
	await bed.clock.advance(0);
	expect(changes).toContainEqual({ notes: false });
	expect(switched).toEqual([["notes", false]]);
	expect(await given()).toContainEqual(["notes", false]);
	// At the same time from two devices.
	await Promise.all([bed.conversations.update(id, { mcp: { tickets: false } }), bed.conversations.update(id, { mcp: { notes: false } })]);
	expect(bed.conversations.get(id).mcp).toEqual({ notes: false, tickets: false });
	await bed.conversations.update(id, { mcp: { tickets: true } });
	bed = bed.afterCrash();
	expect(bed.conversations.get(id).mcp).toEqual({ notes: false });
	expect((await bed.setups.get(id)).mcp[0]).toMatchObject({ name: "notes", state: "disabled", enabled: false });
	expect(await bed.conversations.update(id, { mcp: { notes: true } })).not.toHaveProperty("mcp");
});

test("[MS12] a server that is not there, and one of a folder that nobody trusts, are refused, and then nothing changes", async () => {
	const id = await bed.begin();
	const change = (mcp: Record<string, boolean>) => bed.conversations.update(id, { title: "New", mcp });
	await expect(change({ notes: false, nobody: true })).rejects.toMatchObject({ code: "not-found", params: { reason: "mcp-server" } });
	await expect(change({ strange: true })).rejects.toMatchObject({ code: "forbidden", params: { reason: "folder-not-trusted" } });
	expect(bed.conversations.get(id)).not.toMatchObject({ title: "New" });
	await expect(bed.setups.login(id, "strange")).rejects.toMatchObject({ code: "not-found" });
	await expect(bed.setups.finishLogin(id, "notes", "http://127.0.0.1:1/")).rejects.toMatchObject({ code: "not-running" });
	expect(await bed.setups.login(id, "notes")).toEqual({ authorizationUrl: "https://login.example/notes" });
	expect(await bed.setups.finishLogin(id, "notes", "http://127.0.0.1:1/")).toBe("connected");
});
