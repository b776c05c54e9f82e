import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import type { ScriptedTurn } from "../../../../../test/support/scripted-runtime.ts";
import { jsonBytes } from "../kernel/fit.ts";
import { type ConversationId, messageId } from "../kernel/ids.ts";

let bed: CoreBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
});
afterEach(() => bed.close());

async function begin(): Promise<ScriptedTurn> {
	bed.conversations.prompt({ conversationId: id, prompt: "Do it", origin: "web" });
	return bed.runtime.nextTurn();
}
async function end(turn: ScriptedTurn): Promise<void> {
	turn.end();
	await bed.clock.advance(100);
}
const stored = () => bed.conversations.messages(id, { limit: 10 }).messages.at(-1)?.metadata;
const exported = () => [...bed.conversations.export(id, "markdown")].join("");

test("[AG20] a plan replaces the one before; the last is stored with the answer and exported", async () => {
	const watcher = bed.watch(id);
	const turn = await begin();
	turn.emit({ kind: "plan", entries: [{ content: "Look", status: "in_progress", priority: "high" }] });
	await bed.clock.advance(100);
	expect(bed.watch(id).of("copilot:snapshot")).toMatchObject([{ turn: { plan: [{ content: "Look", status: "in_progress" }] } }]);
	const entries = [
		{ content: "Look", status: "completed" as const },
		{ content: "Mend", status: "pending" as const },
	];
	turn.emit({ kind: "plan", entries });
	await end(turn);
	expect(watcher.of("copilot:plan").map((data) => data.entries)).toEqual([
		[{ content: "Look", status: "in_progress", priority: "high" }],
		entries,
	]);
	expect(stored()).toMatchObject({ plan: entries });
	expect(exported()).toContain("- [x] Look\n- [ ] Mend");
});

test("[AG21] the newest word about each file stands with the call, stored and exported", async () => {
	const watcher = bed.watch(id);
	const turn = await begin();
	const call = { toolCallId: "k", toolName: "edit", arguments: {} };
	turn.emit(
		{ kind: "tool-start", ...call },
		{ kind: "tool-diff", toolCallId: "k", path: "a.ts", newText: "draft" },
		{ kind: "tool-diff", toolCallId: "k", path: "b.ts", oldText: "one\ntwo", newText: "one\n2" },
		{ kind: "tool-diff", toolCallId: "k", path: "a.ts", newText: "final" },
		{ kind: "tool-end", toolCallId: "k", success: true, result: "done" },
	);
	await end(turn);
	expect(watcher.of("copilot:tool_diff")).toHaveLength(3);
	const diffs = [
		{ path: "a.ts", newText: "final" },
		{ path: "b.ts", oldText: "one\ntwo", newText: "one\n2" },
	];
	expect(stored()).toMatchObject({ tools: [{ ...call, diffs, success: true }] });
	expect(exported()).toContain("--- b.ts\n+++ b.ts\n-one\n-two\n+one\n+2");
	expect(exported()).toContain("+++ a.ts (new)\n+final");
});

test("[AG22] a call that is announced again while it runs is the same call; after its end the id is another", async () => {
	const turn = await begin();
	turn.emit({ kind: "tool-start", toolCallId: "k", toolName: "Read", arguments: {} });
	await bed.clock.advance(1_000);
	turn.emit(
		{ kind: "tool-output", toolCallId: "k", content: "so far" },
		{ kind: "tool-start", toolCallId: "k", toolName: "Read", arguments: { path: "a" }, title: "Read a", shell: "agent" },
	);
	await bed.clock.advance(1_000);
	turn.emit(
		{ kind: "tool-end", toolCallId: "k", success: true, result: "A" },
		{ kind: "tool-start", toolCallId: "k", toolName: "Read", arguments: { path: "b" } },
		{ kind: "tool-end", toolCallId: "k", success: true, result: "B" },
	);
	await end(turn);
	expect(stored()).toMatchObject({
		tools: [
			{ arguments: { path: "a" }, title: "Read a", shell: "agent", result: "A", durationMs: 2_000 },
			{ arguments: { path: "b" }, result: "B", durationMs: 0 },
		],
		parts: [{ kind: "tool" }, { kind: "tool" }],
	});
});

test("[AG23] what the agent calls the conversation is its title, unless a person gave one", async () => {
	const turn = await begin();
	turn.emit({ kind: "title", title: "  Mending s3cret-value\nthe clock " });
	await bed.clock.advance(100);
	expect(bed.conversations.get(id).title).toMatch(/^Mending .+ the clock$/);
	expect(bed.conversations.get(id).title).not.toContain("s3cret-value");
	await bed.conversations.update(id, { title: "Mine" });
	turn.emit({ kind: "title", title: "Theirs" });
	await end(turn);
	expect(bed.conversations.get(id).title).toBe("Mine");
});

test("[AG24] a long plan and changes of many large files are bounded in the log, the snapshot and the row; the call can be had whole", async () => {
	const watcher = bed.watch(id);
	const turn = await begin();
	turn.emit({ kind: "plan", entries: Array.from({ length: 500 }, () => ({ content: "字".repeat(5_000), status: "pending" as const })) });
	turn.emit({ kind: "tool-start", toolCallId: "k", toolName: "edit", arguments: {}, title: "t".repeat(9_000) });
	for (let n = 0; n < 12; n += 1) {
		turn.emit({ kind: "tool-diff", toolCallId: "k", path: `f${n}`, oldText: "舊".repeat(90_000), newText: "新".repeat(90_000) });
	}
	await bed.clock.advance(100);
	const [plan] = watcher.of("copilot:plan");
	expect(plan?.entries).toHaveLength(100);
	expect(plan?.entries[0]?.content).toHaveLength(500);
	expect(watcher.of("copilot:tool_start")[0]?.title).toHaveLength(1_000);
	for (const frame of watcher.of("copilot:tool_diff")) expect(jsonBytes(frame)).toBeLessThan(400_000);
	const [snapshot] = bed.watch(id).of("copilot:snapshot");
	expect(jsonBytes(snapshot?.turn)).toBeLessThanOrEqual(262_144);
	const whole = expect.any(Number);
	expect(snapshot?.turn).toMatchObject({ tools: [{ truncated: { diffs: whole } }] });
	turn.emit({ kind: "tool-end", toolCallId: "k", success: true });
	await end(turn);
	const answer = bed.conversations.messages(id, { limit: 10 }).messages.at(-1);
	expect(answer?.metadata).toMatchObject({ tools: [{ truncated: { diffs: whole } }], plan: { length: 100 } });
	expect(jsonBytes(answer)).toBeLessThan(400_000);
	const { diffs, truncated } = bed.conversations.tool(id, messageId(answer?.id ?? ""), "k");
	expect([diffs?.length, diffs?.[11]?.newText.slice(0, 3), truncated]).toEqual([12, "新新新", undefined]);
	const exportedWhole: { messages: { metadata: { tools: { diffs: unknown }[] } }[] } = JSON.parse(
		[...bed.conversations.export(id, "json")].join(""),
	);
	expect(exportedWhole.messages[1]?.metadata.tools[0]?.diffs).toEqual(diffs);
});

test("[AG24] a turn whose changes grow past its bound is stopped; changes of one file again and again are not", async () => {
	const steady = await begin();
	steady.emit({ kind: "tool-start", toolCallId: "k", toolName: "edit", arguments: {} });
	for (let n = 0; n < 100; n += 1) steady.emit({ kind: "tool-diff", toolCallId: "k", path: "f", newText: `${n}${"x".repeat(60_000)}` });
	await end(steady);
	expect(stored()).toMatchObject({ outcome: "completed" });
	const wild = await begin();
	wild.emit({ kind: "tool-start", toolCallId: "k", toolName: "edit", arguments: {} });
	for (let n = 0; n < 100; n += 1) wild.emit({ kind: "tool-diff", toolCallId: "k", path: `f${n}`, newText: "x".repeat(60_000) });
	await bed.clock.advance(100);
	expect(stored()).toMatchObject({ outcome: "error", error: { code: "too-large" } });
});

test("[AG24] no secret is in a plan, a change or a title of a call", async () => {
	const watcher = bed.watch(id);
	const turn = await begin();
	turn.emit(
		{ kind: "plan", entries: [{ content: `Use ${"s3cret-value"}`, status: "pending" }] },
		{ kind: "tool-start", toolCallId: "k", toolName: "edit", arguments: {}, title: "s3cret-value" },
		{ kind: "tool-diff", toolCallId: "k", path: "s3cret-value", oldText: "s3cret-value", newText: `${"x".repeat(65_530)}s3cret-value` },
	);
	await end(turn);
	expect(JSON.stringify(watcher.frames)).not.toContain("s3cret");
	expect(JSON.stringify(stored())).not.toContain("s3cret");
});
