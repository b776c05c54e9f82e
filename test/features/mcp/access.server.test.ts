import { afterEach, beforeEach, expect, test } from "vitest";
import { createMcpBed, inside } from "./mcp-harness.ts";

let made: Awaited<ReturnType<typeof createMcpBed>>;
beforeEach(async () => {
	made = await createMcpBed();
});
afterEach(() => made.bed.close());

/** A conversation of a person. */
async function personal(body: object = {}): Promise<string> {
	const answer = await made.bed.api("/api/conversations", { method: "POST", body });
	return Object(await answer.json()).conversation.id;
}

test("[MC20] what a token starts asks a person first unless it says otherwise, and works in allowed folders only", async () => {
	const { bed } = made;
	const asks = await made.client();
	const started = await asks.call("start_conversation", { prompt: "Hello", title: "From an editor", cwd: bed.home });
	expect(started).toMatchObject({
		conversation: { permissions: "ask", title: "From an editor", cwd: bed.home },
		depth: 1,
		delivery: "started",
	});
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("Hello");
	const acts = await made.client({ permissions: "auto" });
	expect(await acts.call("start_conversation")).toMatchObject({ conversation: { permissions: "auto", state: "idle" } });
	expect(await asks.refused("start_conversation", { cwd: "/" })).toMatch(/^forbidden: .+RIGHTSEAT_ROOTS/);
	expect(await asks.refused("start_conversation", { cwd: "relative" })).toMatch(/^cwd-missing: /);
	expect(await asks.refused("start_conversation", { agent: "nobody" })).toMatch(/^unknown-agent: /);
});

test("[MC21] a token that reaches its own sees, prompts, reads, awaits and stops no other; one that reaches all does", async () => {
	const id = await personal({ title: "Mine", permissions: "ask" });
	const own = await made.client();
	const other = await made.client();
	const { conversation } = await other.call("start_conversation");
	for (const conversationId of [id, conversation.id, "nothing"]) {
		for (const [name, args] of [
			["send_prompt", { prompt: "Hi" }],
			["read_conversation", {}],
			["await_turn", {}],
			["stop_turn", {}],
		] as const) {
			expect(await own.refused(name, { conversationId, ...args })).toMatch(/^conversation-not-found: /);
		}
	}
	expect(await own.call("list_conversations")).toEqual({ conversations: [] });
	expect((await other.call("list_conversations")).conversations).toMatchObject([{ id: conversation.id }]);
	for (let count = 0; count < 2; count += 1) await other.call("start_conversation");
	const page = await other.call("list_conversations", { limit: 2 });
	expect(page.conversations).toHaveLength(2);
	expect((await other.call("list_conversations", { limit: 2, cursor: page.nextCursor })).conversations).toMatchObject([
		{ id: conversation.id },
	]);
	const all = await made.client({ reach: "all" });
	const ids = (await all.call("list_conversations")).conversations.map((each: { id: string }) => each.id);
	expect(ids).toEqual(expect.arrayContaining([id, conversation.id]));
	expect(await all.call("send_prompt", { conversationId: id, prompt: "Hi" })).toMatchObject({ delivery: "started" });
	expect(await all.call("stop_turn", { conversationId: id })).toEqual({ conversationId: id, stopped: true });
});

test("[MC22] a token that asks prompts nothing that acts without asking, except its own that a person let do so", async () => {
	const { bed } = made;
	const free = await personal({ permissions: "auto" });
	const asks = await made.client({ reach: "all" });
	const acts = await made.client({ reach: "all", permissions: "auto" });
	expect(await asks.refused("send_prompt", { conversationId: free, prompt: "rm" })).toMatch(/^forbidden: /);
	expect(await acts.call("send_prompt", { conversationId: free, prompt: "Hi" })).toMatchObject({ delivery: "started" });
	const theirs = await acts.call("start_conversation");
	expect(await asks.refused("send_prompt", { conversationId: theirs.conversation.id, prompt: "rm" })).toMatch(/^forbidden: /);
	const { conversation } = await asks.call("start_conversation");
	await bed.api(`/api/conversations/${conversation.id}`, { method: "PATCH", body: { permissions: "auto" } });
	expect(await asks.call("send_prompt", { conversationId: conversation.id, prompt: "Hi" })).toMatchObject({ delivery: "started" });
});

test("[MC23] a permission request waits for a person, whatever a program sends, and await_turn says so", async () => {
	const { bed } = made;
	const mine = await made.client();
	const { conversation, messageId } = await mine.call("start_conversation", { prompt: "Do it" });
	const turn = await bed.runtime.nextTurn();
	const decision = turn.options.permit({ kind: "shell", summary: "rm -rf build" }, turn.signal);
	const waits = await mine.call("await_turn", { conversationId: conversation.id, messageId });
	expect(waits).toMatchObject({ state: "asking", waitingForPerson: [{ kind: "permission", text: "rm -rf build" }] });
	await mine.call("send_prompt", { conversationId: conversation.id, prompt: "yes, I allow it" });
	const { permissions } = bed.conversations.pending(turn.options.sessionId as never);
	expect(permissions).toMatchObject([{ summary: "rm -rf build" }]);
	const patient = mine.call("await_turn", { conversationId: conversation.id, messageId, waitForPerson: true });
	const [request] = permissions;
	bed.conversations.decide({
		conversationId: turn.options.sessionId as never,
		requestId: request?.requestId ?? "",
		decision: "reject",
		by: "web",
	});
	expect(await decision).toMatchObject({ kind: "reject" });
	turn.text("I may not.");
	turn.end();
	expect(await patient).toMatchObject({ state: "completed", answer: { text: "I may not." } });
});

test("[MC24] a prompt with the same clientMessageId runs once", async () => {
	const { bed } = made;
	const mine = await made.client();
	const { conversation } = await mine.call("start_conversation");
	const args = { conversationId: conversation.id, prompt: "Once", clientMessageId: "mine-1" };
	const first = await mine.call("send_prompt", args);
	expect(await mine.call("send_prompt", args)).toMatchObject({ messageId: first.messageId, duplicate: true });
	expect(bed.rows("SELECT COUNT(*) AS n FROM messages")).toEqual([{ n: 1 }]);
});

test("[MC25] await_turn gives the answer of the prompt that is meant, a failure, or that it still runs", async () => {
	const { bed } = made;
	const mine = await made.client();
	const { conversation, messageId } = await mine.call("start_conversation", { prompt: "One" });
	const conversationId = conversation.id;
	const turn = await bed.runtime.nextTurn();
	expect(await mine.call("await_turn", { conversationId, timeoutSeconds: 1 })).toEqual({
		conversationId,
		state: "still-running",
		queued: 0,
	});
	const second = await mine.call("send_prompt", { conversationId, prompt: "Two" });
	expect(second.delivery).toBe("queued");
	const [one, two] = [
		mine.call("await_turn", { conversationId, messageId }),
		mine.call("await_turn", { conversationId, messageId: second.messageId }),
	];
	turn.text("First answer.");
	turn.end();
	expect(await one).toMatchObject({ state: "completed", answer: { text: "First answer." } });
	const next = await bed.runtime.nextTurn();
	next.text("Half of");
	next.end("error", { code: "provider-error", message: "The provider failed." });
	expect(await two).toMatchObject({
		state: "error",
		answer: { text: "Half of", error: { code: "provider-error", message: "The provider failed." } },
	});
	expect(await mine.call("await_turn", { conversationId })).toMatchObject({ state: "error" });
	const empty = await mine.call("start_conversation");
	expect(await mine.call("await_turn", { conversationId: empty.conversation.id })).toMatchObject({ state: "ended" });
});

test("[MC26] reading pages from the newest back, and no answer has more than 64 KiB", async () => {
	const { bed } = made;
	const mine = await made.client();
	const { conversation } = await mine.call("start_conversation");
	const conversationId = conversation.id;
	for (const text of ["short", "\u0001".repeat(100_000), "長".repeat(100_000)]) {
		await mine.call("send_prompt", { conversationId, prompt: "Go" });
		const turn = await bed.runtime.nextTurn();
		turn.text(text);
		turn.end();
		await bed.idle();
	}
	const answer = await mine.rpc("tools/call", { name: "await_turn", arguments: { conversationId } });
	expect(JSON.stringify(answer.message).length).toBeLessThan(140_000);
	expect(Buffer.byteLength(Object(answer.message.result).content[0].text)).toBeLessThanOrEqual(65_536);
	const seen: string[] = [];
	let before: string | undefined;
	do {
		const page = await mine.call("read_conversation", { conversationId, limit: 4, ...(before === undefined ? {} : { before }) });
		expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(65_536);
		seen.unshift(...page.messages.map(({ role, content }: { role: string; content: string }) => `${role} ${content.slice(0, 5)}`));
		before = page.nextCursor;
	} while (before !== undefined);
	expect(seen).toEqual(["user Go", "assistant short", "user Go", expect.stringContaining("assistant"), "user Go", "assistant 長長長長長"]);
});

test("[MC32] an agent that was started over MCP may start one more below it, and that one none", async () => {
	const mine = await made.client();
	const first = await mine.call("start_conversation");
	const second = await mine.call("start_conversation", {}, inside(first.conversation.id));
	expect([first.depth, second.depth]).toEqual([1, 2]);
	expect(await mine.refused("start_conversation", {}, inside(second.conversation.id))).toMatch(/^forbidden: .+2 deep/);
	const named = { name: "start_conversation", arguments: {}, _meta: { "rightseat/conversation": second.conversation.id } };
	const byMeta = await mine.rpc("tools/call", named);
	expect(Object(byMeta.message.result)).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("2 deep") }] });
	const id = await personal();
	expect((await mine.call("start_conversation", {}, inside(id))).depth).toBe(1);
	expect((await mine.call("start_conversation", {}, inside("of-another-server"))).depth).toBe(1);
});

test("[MC33] an agent prompts, awaits and stops only what is below it: never itself, its parent or a stranger's", async () => {
	const mine = await made.client({ reach: "all", permissions: "auto" });
	const id = await personal();
	const first = (await mine.call("start_conversation")).conversation.id;
	const second = (await mine.call("start_conversation", {}, inside(first))).conversation.id;
	for (const [from, to] of [
		[first, first],
		[second, first],
		[second, second],
		[first, id],
		[id, first],
		[id, id],
	]) {
		for (const [name, args] of [
			["send_prompt", { prompt: "Hi" }],
			["await_turn", {}],
			["stop_turn", {}],
		] as const) {
			expect(await mine.refused(name, { conversationId: to, ...args }, inside(from ?? ""))).toMatch(/^forbidden: /);
		}
	}
	expect(await mine.call("send_prompt", { conversationId: second, prompt: "Hi" }, inside(first))).toMatchObject({ delivery: "started" });
	expect(await mine.call("stop_turn", { conversationId: second }, inside(first))).toMatchObject({ stopped: true });
});

test("[MC34] what an agent starts asks when its own conversation asks, whatever the token says", async () => {
	const mine = await made.client({ permissions: "auto" });
	const asking = await personal({ permissions: "ask" });
	const acting = await personal({ permissions: "auto" });
	expect(await mine.call("start_conversation", {}, inside(asking))).toMatchObject({ conversation: { permissions: "ask" } });
	expect(await mine.call("start_conversation", {}, inside(acting))).toMatchObject({ conversation: { permissions: "auto" } });
});
