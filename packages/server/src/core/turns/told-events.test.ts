import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import type { ScriptedTurn } from "../../../../../test/support/scripted-runtime.ts";
import type { ConversationId } from "../kernel/ids.ts";

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
