import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_RUNNING_TURNS } from "../../../packages/server/src/channels/mcp/access.ts";
import { MAX_CALLS_PER_MINUTE } from "../../../packages/server/src/channels/mcp/call-rate.ts";
import { MAX_CONVERSATIONS_PER_HOUR } from "../../../packages/server/src/channels/mcp/lineage.ts";
import { createMcpBed, inside } from "./mcp-harness.ts";

let made: Awaited<ReturnType<typeof createMcpBed>>;
beforeEach(async () => {
	made = await createMcpBed();
});
afterEach(() => made.bed.close());

test("[MC30] a chain of agents shares one budget, and so does whoever only says that they are inside", async () => {
	const mine = await made.client();
	const first = (await mine.call("start_conversation")).conversation.id;
	for (let count = 1; count < MAX_CONVERSATIONS_PER_HOUR; count += 1) await mine.call("start_conversation", {}, inside(first));
	expect(await mine.refused("start_conversation")).toMatch(/^rate-limited: 20 conversations/);
	expect(await mine.refused("start_conversation", {}, inside(first))).toMatch(/^rate-limited: /);
	const elsewhere = String(await made.bed.begin());
	expect(await mine.refused("start_conversation", {}, inside(elsewhere))).toMatch(/^rate-limited: /);
	const another = await made.client();
	expect((await another.call("start_conversation")).depth).toBe(1);
	expect(await another.refused("start_conversation", {}, inside(first))).toMatch(/^rate-limited: /);
});

test("[MC31] so many turns run at once; a prompt for one of them waits in its queue", async () => {
	const { bed } = made;
	const mine = await made.client();
	const started: string[] = [];
	for (let count = 0; count < MAX_RUNNING_TURNS; count += 1) {
		started.push((await mine.call("start_conversation", { prompt: "Go" })).conversation.id);
	}
	const turn = await bed.runtime.nextTurn();
	expect(await mine.refused("start_conversation", { prompt: "Go" })).toMatch(/^rate-limited: 4 turns run already/);
	expect(bed.rows("SELECT COUNT(*) AS n FROM conversations")).toEqual([{ n: MAX_RUNNING_TURNS }]);
	expect(await mine.call("send_prompt", { conversationId: started[1], prompt: "More" })).toMatchObject({ delivery: "queued" });
	const over = mine.call("await_turn", { conversationId: turn.options.sessionId });
	turn.end();
	await over;
	expect(await mine.call("start_conversation", { prompt: "Go" })).toMatchObject({ delivery: "started" });
});

test("[MC31] so many calls in a minute, each token for itself", async () => {
	const mine = await made.client();
	for (let count = 0; count < MAX_CALLS_PER_MINUTE; count += 1) await mine.call("list_conversations");
	expect(await mine.refused("list_conversations")).toMatch(/^rate-limited: Too many calls/);
	expect(await (await made.client()).call("list_conversations")).toEqual({ conversations: [] });
});

test("[MC36] every call is in the audit log, with who made it, from where and how it ended; so are making and revoking a token", async () => {
	const { bed } = made;
	const mine = await made.client({ name: "Editor\u001b[2J" });
	const { conversation } = await mine.call("start_conversation", { prompt: "Hello there" });
	await mine.refused("send_prompt", { conversationId: "nothing", prompt: "Hi" });
	await bed.api(`/api/mcp-tokens/${mine.tokenId}`, { method: "DELETE" });
	const { entries } = Object(await (await bed.api("/api/audit?limit=10")).json());
	const told = entries.map(({ kind, source, detail }: Record<string, string>) => [kind, source, detail]);
	expect(told).toEqual([
		["mcp-token", "127.0.0.1", "revoked Editor [2J"],
		["mcp", "mcp Editor [2J 127.0.0.1", 'send_prompt "nothing" "Hi": refused, conversation-not-found'],
		["mcp", "mcp Editor [2J 127.0.0.1", 'start_conversation "Hello there": done'],
		["permission-mode", "api mcp Editor [2J", `ask in ${conversation.id}`],
		["mcp-token", "127.0.0.1", "made Editor [2J (ask, own)"],
	]);
});
