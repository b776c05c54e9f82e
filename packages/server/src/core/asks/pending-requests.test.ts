import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import type { ScriptedTurn } from "../../../../../test/support/scripted-runtime.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, seq } from "../kernel/ids.ts";
import { MAX_APPROVAL_CHARS, MAX_SUMMARY_CHARS } from "./ask-permission.ts";
import { createPermissionManager, MAX_APPROVALS } from "./permission-manager.ts";
import { noRules } from "./remembered/rule-gate.ts";

let bed: CoreBed;
let id: ConversationId;
let turn: ScriptedTurn;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
	bed.conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	turn = await bed.runtime.nextTurn();
});
afterEach(() => bed.close());

const ask = () =>
	turn.options.ask({ question: "Which colour?", choices: ["red", "blue"], allowFreeform: true }, new AbortController().signal);
const permit = (toolName = "Bash", command = "ls") =>
	turn.options.permit({ kind: "custom-tool", summary: `run ${command}`, toolName, detail: command }, new AbortController().signal);

test("[QA1] a question goes to every reader with its choices and its end, and the first answer wins", async () => {
	const [one, two] = [bed.watch(id), bed.watch(id)];
	const answer = ask();
	await bed.clock.advance(10);
	const [request] = one.of("copilot:user_input_request");
	expect(request).toMatchObject({ question: "Which colour?", choices: ["red", "blue"], allowFreeform: true });
	expect(two.of("copilot:user_input_request")).toEqual([request]);
	expect(bed.conversations.get(id).asking).toBe(true);
	const response = { conversationId: id, requestId: request?.requestId ?? "", answer: "blue", by: "telegram" as const };
	bed.conversations.answer(response);
	await expect(answer).resolves.toEqual({ answer: "blue", wasFreeform: false });
	await bed.clock.advance(10);
	expect(two.of("copilot:user_input_resolved")).toMatchObject([{ outcome: "answered", answer: "blue", by: "telegram" }]);
	expect(() => bed.conversations.answer({ ...response, answer: "red" })).toThrow(expect.objectContaining({ code: "request-not-found" }));
	expect(bed.conversations.get(id).asking).toBe(false);
});

test("[QA670] what a channel stores with an answer is in its commit, also when the disk takes it only later", async () => {
	void ask();
	await bed.clock.advance(10);
	const [question] = bed.conversations.pending(id).questions;
	const response = { conversationId: id, requestId: question?.requestId ?? "", answer: "blue", by: "telegram" as const };
	const isAnswered = () => bed.store.events.after(id, seq(0), 99).some(({ frame }) => frame.includes("copilot:user_input_resolved"));
	const seen: boolean[] = [];
	let isRefused = true;
	const write = () => {
		seen.push(isAnswered());
		if (isRefused) throw new AppError("storage-read-only", "disk full");
	};
	expect(bed.conversations.storedWith(write, () => bed.conversations.answer(response))).toMatchObject({ isWritten: true });
	expect(isAnswered()).toBe(false);
	isRefused = false;
	await bed.clock.advance(3_000);
	expect(isAnswered()).toBe(true);
	expect(seen.length).toBeGreaterThan(1);
	expect(seen.every(Boolean)).toBe(true);
	expect(() => bed.conversations.storedWith(write, () => bed.conversations.answer(response))).toThrow("answered already");
	const before = seen.length;
	expect(bed.conversations.storedWith(write, () => "no answer")).toEqual({ result: "no answer", isWritten: false });
	turn.text("something else");
	await bed.clock.advance(3_000);
	expect(seen).toHaveLength(before);
});

test("[QA2] a question that nobody answers reminds, ends after two minutes and tells both sides", async () => {
	const watcher = bed.watch(id);
	const answer = ask();
	await bed.clock.advance(90_000);
	expect(watcher.of("copilot:notice")).toMatchObject([{ code: "ask-reminder" }]);
	await bed.clock.advance(30_000);
	await expect(answer).resolves.toMatchObject({ answer: expect.stringContaining("Timed out") });
	await bed.clock.advance(10);
	expect(watcher.of("copilot:user_input_resolved")).toMatchObject([{ outcome: "expired" }]);
});

test("[QA3] stopping the turn settles its open question everywhere", async () => {
	const watcher = bed.watch(id);
	const answer = ask();
	await bed.clock.advance(10);
	bed.conversations.abort(id);
	await bed.clock.advance(100);
	await answer;
	expect(watcher.of("copilot:user_input_resolved")).toMatchObject([{ outcome: "aborted" }]);
	expect(watcher.types().at(-1)).toBe("copilot:idle");
	expect(bed.conversations.pending(id)).toEqual({ questions: [], permissions: [], plans: [], budgets: [], forms: [] });
});

test("[QA4] a question open at a crash is settled at the next start", async () => {
	void ask();
	await bed.clock.advance(10);
	const watcher = bed.afterCrash().watch(id, { epoch: bed.store.conversations.find(id)?.epoch, lastSeq: 0 });
	expect(watcher.of("copilot:user_input_resolved")).toMatchObject([{ outcome: "aborted" }]);
	expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "interrupted" }]);
});

test("[QA5] every permission request is approved by default, without asking anybody", async () => {
	const watcher = bed.watch(id);
	await expect(permit()).resolves.toEqual({ kind: "approve-once" });
	await bed.clock.advance(10);
	expect(watcher.of("copilot:permission_request")).toEqual([]);
});

test("[QA6] a conversation that asks puts the request to every reader; approve for session is remembered for exactly this request", async () => {
	await bed.conversations.update(id, { permissions: "ask" });
	const watcher = bed.watch(id);
	const decision = permit();
	await bed.clock.advance(10);
	const [request] = watcher.of("copilot:permission_request");
	expect(request).toMatchObject({ kind: "custom-tool", summary: "run ls", toolName: "Bash", detail: "ls" });
	bed.conversations.decide({ conversationId: id, requestId: request?.requestId ?? "", decision: "approve-for-session", by: "web" });
	await expect(decision).resolves.toEqual({ kind: "approve-once" });
	await expect(permit()).resolves.toEqual({ kind: "approve-once" });
	const other = permit("write_file");
	await bed.clock.advance(10);
	expect(watcher.of("copilot:permission_request")).toHaveLength(2);
	await bed.clock.advance(120_000);
	await expect(other).resolves.toMatchObject({ kind: "reject", feedback: expect.stringContaining("Nobody answered") });
});

test("[QA7] a refusal reaches the agent with the person's words", async () => {
	await bed.conversations.update(id, { permissions: "ask" });
	const watcher = bed.watch(id);
	const decision = permit();
	await bed.clock.advance(10);
	const requestId = watcher.of("copilot:permission_request")[0]?.requestId ?? "";
	bed.conversations.decide({ conversationId: id, requestId, decision: "reject", feedback: "Use git mv", by: "web" });
	await expect(decision).resolves.toEqual({ kind: "reject", feedback: "Use git mv" });
	await bed.clock.advance(10);
	expect(watcher.of("copilot:permission_resolved")).toMatchObject([{ outcome: "answered", decision: "reject", by: "web" }]);
});

async function approveForSession(decision: Promise<unknown>): Promise<void> {
	await bed.clock.advance(10);
	const [request] = bed.conversations.pending(id).permissions;
	bed.conversations.decide({ conversationId: id, requestId: request?.requestId ?? "", decision: "approve-for-session", by: "web" });
	await decision;
}

test("[QA100] a command that was allowed for the session allows no other command", async () => {
	await bed.conversations.update(id, { permissions: "ask" });
	await approveForSession(permit("Bash", "echo hello"));
	await expect(permit("Bash", "echo hello")).resolves.toEqual({ kind: "approve-once" });
	const others = [permit("Bash", "echo hello; rm -r x"), permit("Bash", "echo  hello"), permit("Other", "echo hello")];
	await bed.clock.advance(10);
	expect(bed.conversations.pending(id).permissions).toHaveLength(others.length);
	await bed.clock.advance(120_000);
	await expect(Promise.all(others)).resolves.toEqual(others.map(() => expect.objectContaining({ kind: "reject" })));
});

test("[QA101] what is to be approved is shown byte for byte, and what is too long to be shown whole is refused", async () => {
	await bed.conversations.update(id, { permissions: "ask" });
	const watcher = bed.watch(id);
	const command = `${"echo x;".repeat(9_000)}`.padEnd(MAX_APPROVAL_CHARS, "z");
	const shown = permit("Bash", command);
	await bed.clock.advance(10);
	expect(watcher.of("copilot:permission_request")[0]?.detail).toBe(command);
	bed.conversations.abort(id);
	await expect(shown).resolves.toMatchObject({ kind: "reject" });
	await expect(permit("Bash", `${command}!`)).resolves.toEqual({
		kind: "reject",
		feedback: expect.stringContaining(`${MAX_APPROVAL_CHARS + 1} characters`),
	});
	await bed.clock.advance(100);
	expect(watcher.of("copilot:permission_request")).toHaveLength(1);
	expect(watcher.of("copilot:notice")).toMatchObject([{ code: "approval-too-long" }]);
});

test("[QA102] a summary that is cut says how much is missing, and then the whole of it is the detail", async () => {
	await bed.conversations.update(id, { permissions: "ask" });
	const watcher = bed.watch(id);
	const summary = `Remember: ${"字".repeat(1_000)}`;
	const decision = turn.options.permit({ kind: "memory", summary }, new AbortController().signal);
	await bed.clock.advance(10);
	const [request] = watcher.of("copilot:permission_request");
	expect(request?.summary.length).toBeLessThanOrEqual(MAX_SUMMARY_CHARS);
	expect(request?.summary).toMatch(/… \(750 more characters\)$/);
	expect(request?.detail).toBe(summary);
	bed.conversations.abort(id);
	await bed.clock.advance(10);
	await decision;
});

test("[QA103] approvals that are remembered are bounded; the oldest is asked for again", async () => {
	const asked: string[] = [];
	const manager = createPermissionManager({
		modeOf: () => "ask",
		isOwnUpload: async () => false,
		rules: noRules,
		ask: async (_id, { summary }) => {
			asked.push(summary);
			return { kind: "approve-for-session" };
		},
	});
	const decide = (summary: string) => manager.decide(id, { kind: "shell", summary }, new AbortController().signal);
	for (let n = 0; n <= MAX_APPROVALS; n += 1) await decide(`run ${n}`);
	expect(asked).toHaveLength(MAX_APPROVALS + 1);
	await decide(`run ${MAX_APPROVALS}`);
	expect(asked).toHaveLength(MAX_APPROVALS + 1);
	await decide("run 0");
	expect(asked).toHaveLength(MAX_APPROVALS + 2);
});

test("[QA125] in a conversation that asks, reading one's own upload needs no question, and nothing else with its path does", async () => {
	const asked: string[] = [];
	const manager = createPermissionManager({
		modeOf: () => "ask",
		isOwnUpload: async (conversation, path) => conversation === id && path === "/uploads/a.txt",
		rules: noRules,
		ask: async (_id, { kind, detail }) => {
			asked.push(`${kind} ${detail}`);
			return { kind: "reject", feedback: "no" };
		},
	});
	const decide = (kind: string, detail: string | undefined, conversation = id) =>
		manager.decide(
			conversation,
			{ kind, summary: `${kind} it`, ...(detail === undefined ? {} : { detail }) },
			new AbortController().signal,
		);
	await expect(decide("read", "/uploads/a.txt")).resolves.toEqual({ kind: "approve-once" });
	expect(asked).toEqual([]);
	await decide("read", "/uploads/b.txt");
	await decide("read", undefined);
	await decide("write", "/uploads/a.txt");
	await decide("shell", "/uploads/a.txt");
	await decide("read", "/uploads/a.txt", await bed.begin());
	expect(asked).toEqual(["read /uploads/b.txt", "read undefined", "write /uploads/a.txt", "shell /uploads/a.txt", "read /uploads/a.txt"]);
});

test.each([
	["a question", () => ask(), { answer: expect.stringContaining("Timed out") }],
	["a permission request", () => permit(), { kind: "reject" }],
])("[CV143] %s whose end cannot be written down because the disk refuses still ends for the agent", async (_, begin, end) => {
	await bed.conversations.update(id, { permissions: "ask" });
	const asked = begin();
	await bed.clock.advance(10);
	const find = vi.spyOn(bed.store.conversations, "find").mockImplementation(() => {
		throw new Error("disk I/O error");
	});
	await bed.clock.advance(120_000);
	find.mockRestore();
	await expect(asked).resolves.toMatchObject(end);
	expect(bed.conversations.get(id).asking).toBe(false);
});
