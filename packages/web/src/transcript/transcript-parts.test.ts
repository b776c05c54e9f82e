import { formatDuration } from "@rightseat/protocol/duration";
import type { AssistantMessage, UserMessage } from "@rightseat/protocol/model/message";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ConversationView, emptyView } from "../conversation/conversation-view.ts";
import { DURATION_UNITS } from "../i18n/duration-units.ts";
import type { OutboxItem } from "../outbox/outbox.ts";
import { NOW } from "../testing/frames.ts";
import { summarizeAway } from "./away/away-summary.ts";
import { readBashResult } from "./cards/bash-result.ts";
import { visibleText } from "./cards/visible-text.ts";
import { fileEditsOf } from "./diff/file-edit.ts";
import { diffLines } from "./diff/line-diff.ts";
import { formatClock, formatCount } from "./format.ts";
import { storedItems, transcriptItems } from "./log/transcript-items.ts";
import { extendDown, extendUp, MAX_WEIGHT, newestRange, rangeAround, weightOf } from "./log/window-range.ts";

const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
function user(id: string, metadata: Partial<UserMessage["metadata"]> = {}, createdAt = at(0)): UserMessage {
	return { id, role: "user", content: `text of ${id}`, metadata: { origin: "web", ...metadata }, createdAt };
}
function answer(id: string, inReplyTo: string, metadata: Partial<AssistantMessage["metadata"]> = {}, createdAt = at(0)): AssistantMessage {
	return {
		id,
		role: "assistant",
		content: `answer ${id}`,
		metadata: { outcome: "completed", tools: [], parts: [], inReplyTo, ...metadata },
		createdAt,
	};
}

test("[PG28] edits of every spelling become diffs", () => {
	const edits = [
		fileEditsOf("edit", { path: "a.ts", old_str: "one\ntwo\n", new_str: "one\n2\n" }),
		fileEditsOf("create", { path: "b.ts", file_text: "x\ny\n" }),
		fileEditsOf("str_replace_editor", { file_path: "c.ts", old_string: "q", new_string: "" }),
		fileEditsOf(
			"apply_patch",
			"*** Begin Patch\n*** Update File: d.ts\n@@\n keep\n-old\n+new\n*** Add File: e.ts\n+hello\n*** Delete File: f.ts\n*** End Patch",
		),
		fileEditsOf("apply_patch", { input: "--- a/g.ts\n+++ b/g.ts\n@@ -1 +1 @@\n-a\n+b\n" }),
	].flat();
	expect(edits.map(({ path, kind, added, removed }) => [path, kind, added, removed])).toEqual([
		["a.ts", "changed", 1, 1],
		["b.ts", "created", 2, 0],
		["c.ts", "changed", 0, 1],
		["d.ts", "changed", 1, 1],
		["e.ts", "created", 1, 0],
		["f.ts", "deleted", 0, 0],
		["g.ts", "changed", 1, 1],
	]);
	expect(fileEditsOf("view", { path: "a.ts", content: "x" })).toEqual([]);
	expect(fileEditsOf("Bash", { command: "ls" })).toEqual([]);
});

test("[PG28] a diff shows what changed with a little around it", () => {
	const before = Array.from({ length: 30 }, (_, index) => `line ${index}`);
	const after = before.with(15, "changed");
	const { lines } = diffLines(before.join("\n"), after.join("\n"));
	expect(lines.map((line) => line.kind)).toEqual(["gap", "same", "same", "same", "removed", "added", "same", "same", "same", "gap"]);
	expect(diffLines("a", "a")).toEqual({ lines: [], compared: true });
});

test("[PG210] two far edits in a long file are two edits, and what differs too much says so", () => {
	const before = Array.from({ length: 5_000 }, (_, index) => `line ${index}`);
	const far = diffLines(before.join("\n"), before.with(10, "a").with(4_900, "b").join("\n"));
	expect(far.lines.filter((line) => line.kind === "added" || line.kind === "removed").map(({ text }) => text)).toEqual([
		...["line 10", "a", "line 4900", "b"],
	]);
	expect(far.compared).toBe(true);
	const other = diffLines(before.join("\n"), before.map((line) => `other ${line}`).join("\n"));
	expect([other.compared, other.lines.length]).toEqual([true, 10_000]);
	const turned = diffLines(before.join("\n"), before.toReversed().join("\n"));
	expect(turned.compared).toBe(false);
	expect(diffLines("", before.join("\n"))).toMatchObject({ compared: true });
});

test("[PG210] applied to the old text, a diff gives the new one", () => {
	const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));
	fc.assert(
		fc.property(text, text, (before, after) => {
			const shown = diffLines(before, after).lines;
			if (shown.some((line) => line.kind === "gap")) return;
			const side = (kind: string) => shown.filter((line) => line.kind === "same" || line.kind === kind).map((line) => line.text);
			const lines = (whole: string) => (whole === "" ? [] : whole.replace(/\n$/, "").split("\n"));
			if (before !== after && shown.length > 0) expect([side("removed"), side("added")]).toEqual([lines(before), lines(after)]);
		}),
	);
});

test("[PG29] a command's message is taken apart into command, output and exit code", () => {
	const stored = { ...user("u1", { bash: true, command: "ls -la", exitCode: 2, cwd: "/w" }), content: "$ ls -la\ntotal 0\n[exit code: 2]" };
	expect(readBashResult(stored)).toEqual({ command: "ls -la", output: "total 0", exitCode: 2, cwd: "/w" });
	expect(readBashResult({ ...stored, content: "$ ls -la\n\n[exit code: 0]" }).output).toBe("");
});

test("[PG29] output shows neither terminal tricks nor hidden characters", () => {
	expect(visibleText("a\u001B[31mred\u001B[0m \u001B]0;title\u0007b\u001B]52;c;c2VjcmV0\u0007")).toBe("ared b");
	expect(visibleText("unfinished\u001B]0;never ends\nnor hides\u0007")).toBe("unfinished]0;never ends\nnor hides");
	expect(visibleText("safe\u202Eevil\u200B")).toBe("safe\\u{202e}evil\\u{200b}");
	expect(visibleText("10%\r20%\r\ndone\u0000\u0008")).toBe("10%\n20%\ndone");
});

test("[PG205] what was sent stands once, also before its confirmation has come and after a reload", () => {
	const sending = { conversationId: "c1", createdAt: NOW, state: "sending" } as const;
	const outbox: OutboxItem[] = [
		{ ...sending, clientMessageId: "mine-1", kind: "prompt", text: "hello" },
		{ ...sending, clientMessageId: "mine-2", kind: "prompt", text: "and then" },
		{ ...sending, clientMessageId: "mine-3", kind: "shell", text: "ls" },
		{ ...sending, clientMessageId: "mine-4", kind: "prompt", text: "not there yet" },
	];
	const messages = [user("u1", { clientMessageId: "mine-1" })];
	const queue = [{ messageId: "u2", content: "and then", clientMessageId: "mine-2" }];
	const commands = [{ execId: "x1", command: "ls", cwd: "/w", startedAt: at(0), output: "", clientMessageId: "mine-3" }];
	const view: ConversationView = { ...emptyView("c1"), messages, queue, commands };
	const keys = transcriptItems(storedItems(messages), view, outbox).map((item) => item.key);
	expect(keys).toEqual(["u1", "x1", "mine-4"]);
});

test("[PG30] an answer stands below its prompt, a steered prompt inside its turn, each thing once", () => {
	const messages = [
		user("u1"),
		user("s1", { delivery: "steered" }),
		user("b1", { bash: true, execId: "x1" }),
		answer("a1", "u1", { parts: [{ kind: "steer", messageId: "s1" }] }),
	];
	expect(storedItems(messages).map((item) => [item.kind, item.key])).toEqual([
		["prompt", "u1"],
		["answer", "a1"],
		["shell", "x1"],
	]);
});

test("[PG30] a running turn and its stored answer have the same key and place, and a sent prompt is never shown twice", () => {
	const turn = { messageId: "a1", userMessageId: "u1", startedAt: at(0), parts: [], tools: [] };
	const view: ConversationView = { ...emptyView("c1"), messages: [user("u1")], turn };
	const sent = {
		clientMessageId: "p1",
		conversationId: "c1",
		kind: "prompt",
		text: "x",
		createdAt: 0,
		state: "sent",
		messageId: "u1",
	} as const;
	const live = transcriptItems(storedItems(view.messages), view, [
		sent,
		{ ...sent, clientMessageId: "p2", state: "sending", messageId: undefined },
	]);
	expect(live.map((item) => item.key)).toEqual(["u1", "a1", "p2"]);
	const after = storedItems([user("u1"), answer("a1", "u1")]);
	expect(after.map((item) => item.key)).toEqual(["u1", "a1"]);
});

test("[PG31] a window over 2,000 messages stays small wherever it stands", () => {
	const items = storedItems(Array.from({ length: 1_000 }, (_, index) => [user(`u${index}`), answer(`a${index}`, `u${index}`)]).flat());
	const weigh = (range: { start: number; end: number }) =>
		items.slice(range.start, range.end).reduce((sum, item) => sum + weightOf(item), 0);
	let range = newestRange(items);
	expect(range.end).toBe(2_000);
	for (let step = 0; step < 200; step++) {
		range = extendUp(items, range);
		expect(weigh(range)).toBeLessThanOrEqual(MAX_WEIGHT);
	}
	expect(range.start).toBe(0);
	for (let step = 0; step < 200; step++) {
		const before = range;
		range = extendDown(items, range);
		expect(weigh(range)).toBeLessThanOrEqual(MAX_WEIGHT);
		expect(range.start).toBeLessThan(before.end);
	}
	expect(range.end).toBe(2_000);
	const around = rangeAround(items, 700);
	expect(around.start).toBeLessThan(700);
	expect(around.end).toBeGreaterThan(700);
});

test("[PG32] the card for somebody who was away counts turns, files, commands and questions since then", () => {
	const tools = [
		{ toolCallId: "t1", toolName: "edit", arguments: { path: "a.ts", old_str: "a", new_str: "b" }, success: true },
		{ toolCallId: "t2", toolName: "Bash", arguments: { command: "npm test" }, success: true, result: "3 failed\n[exit code: 1]" },
	];
	const view: ConversationView = {
		...emptyView("c1"),
		messages: [
			user("u1", {}, at(-10)),
			answer("a1", "u1", {}, at(-9)),
			answer("a2", "u2", { tools }, at(5)),
			user("b1", { bash: true, command: "ls", exitCode: 0 }, at(6)),
		],
		questions: [{ requestId: "q", question: "?", allowFreeform: true, expiresAt: at(9) }],
	};
	expect(summarizeAway(view, { seq: 0, at: NOW, until: NOW + 3_600_000 })).toEqual({
		turns: [{ messageId: "a2", outcome: "completed" }],
		commands: [
			{ messageId: "a2", command: "npm test", exitCode: 1, failed: true },
			{ messageId: "b1", command: "ls", exitCode: 0, failed: false },
		],
		files: ["a.ts"],
		questions: 1,
		running: false,
	});
	expect(summarizeAway({ ...view, questions: [] }, { seq: 0, at: NOW + 3_600_000, until: NOW + 7_200_000 })).toBeUndefined();
});

test("[PG30] durations, counts and clocks read well", () => {
	expect([450, 3_240, 65_000, 7_380_000].map((ms) => formatDuration(ms))).toEqual(["450 ms", "3.2 s", "1 min 5 s", "2 h 3 min"]);
	expect([450, 65_000].map((ms) => formatDuration(ms, DURATION_UNITS["zh-Hant"]))).toEqual(["450 毫秒", "1 分 5 秒"]);
	expect([950, 12_400, 250_000, 1_200_000].map(formatCount)).toEqual(["950", "12.4K", "250K", "1.2M"]);
	expect([125_000, -5, 59_001].map(formatClock)).toEqual(["2:05", "0:00", "1:00"]);
});
