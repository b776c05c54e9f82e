import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import type { ScriptedTurn } from "../../../../../test/support/scripted-runtime.ts";
import type { ConversationId } from "../kernel/ids.ts";
import { MAX_TURN_WINDOWS } from "./turn-changes.ts";

let bed: CoreBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
});
afterEach(() => bed.close());

async function begin(prompt = "Go"): Promise<ScriptedTurn> {
	bed.conversations.prompt({ conversationId: id, prompt, origin: "web" });
	return bed.runtime.nextTurn();
}
async function end(turn: ScriptedTurn, outcome: "completed" | "error" = "completed"): Promise<void> {
	turn.end(outcome, outcome === "error" ? { code: "provider-error", message: "no" } : undefined);
	await bed.clock.advance(100);
}
const lastAnswer = () => bed.conversations.messages(id, { limit: 50 }).messages.findLast(({ role }) => role === "assistant");
/** What is open beside the turn's own window. */
const openWork = () => [...bed.tracker.open.values()].filter(({ label }) => label !== "");
const bash = (turn: ScriptedTurn) => turn.options.tools.find(({ name }) => name === "Bash");
const call = (toolCallId: string) => ({ toolCallId, signal: new AbortController().signal, output: () => undefined });
function gate() {
	let resolve: () => void = () => undefined;
	bed.tracker.gate = new Promise<void>((settle) => {
		resolve = settle;
	});
	return () => {
		bed.tracker.gate = undefined;
		resolve();
	};
}

describe("what a turn changed", () => {
	test("[CG3] it is told once, before the end, and stands on the stored answer as on every reader's", async () => {
		bed.tracker.answer = () => ({ files: 3, added: 40, removed: 12, notCovered: 1 });
		const watcher = bed.watch(id);
		const turn = await begin();
		turn.text("Done.");
		await end(turn);
		const answer = lastAnswer();
		const counts = { files: 3, added: 40, removed: 12, notCovered: 1 };
		expect(answer?.metadata.changes).toEqual({ changeId: answer?.id, ...counts });
		expect(watcher.of("copilot:changes")).toMatchObject([{ changeId: answer?.id, messageId: answer?.id, kind: "turn", ...counts }]);
		expect(watcher.types().slice(-3)).toEqual(["copilot:changes", "copilot:stream-status", "copilot:idle"]);
		expect(bed.tracker.settled).toEqual([answer?.id]);
	});

	test("[CG3] a turn that changed nothing says nothing about it", async () => {
		const watcher = bed.watch(id);
		await end(await begin());
		expect(watcher.types()).not.toContain("copilot:changes");
		expect(lastAnswer()?.metadata.changes).toBeUndefined();
	});

	test("[CG4] when the recorder does not answer, the turn ends, says that something is missing, and tells the rest when it is known; one that only talked misses nothing", async () => {
		bed.tracker.settle = async () => ({ kind: "unavailable" });
		const watcher = bed.watch(id);
		await end(await begin());
		expect(lastAnswer()?.metadata.changes).toBeUndefined();
		const turn = await begin();
		await bash(turn)?.run({ command: "make" }, call("k1"));
		await end(turn);
		const answer = lastAnswer();
		expect(answer?.metadata.changes).toEqual({ changeId: answer?.id, files: 0, added: 0, removed: 0, notCovered: 1 });
		let answers = 0;
		bed.tracker.recalls = (changeId) => {
			answers += 1;
			if (answers === 1) return Promise.reject(new Error("still down"));
			return { change: changed({ id: changeId, messageId: changeId, files: 2 }), undoes: [] };
		};
		await bed.clock.advance(25_000);
		expect(watcher.of("copilot:changes").map(({ files, notCovered }) => [files, notCovered])).toEqual([
			[0, 1],
			[2, undefined],
		]);
		expect(lastAnswer()?.metadata.changes).toMatchObject({ files: 2 });
		await bed.clock.advance(60_000);
		expect(answers).toBe(2);
	});
});

describe("windows", () => {
	test("[CG5] a command of the agent runs when the state before it is known, in a window with its words", async () => {
		const turn = await begin();
		const open = gate();
		const result = bash(turn)?.run({ command: "sed -i s/a/b/ x.ts" }, call("k1"));
		await bed.clock.advance(0);
		expect(openWork()).toMatchObject([
			{ actor: "agent-shell", label: "sed -i s/a/b/ x.ts", kind: "turn", since: "now", cwd: "/somewhere" },
		]);
		open();
		expect(await result).toMatchObject({ ok: false });
		expect(openWork()).toEqual([]);
		await end(turn);
	});

	test("[CG5] a shell that stands elsewhere has a window there too", async () => {
		const turn = await begin();
		bed.shell.setCwd(id, "/elsewhere");
		await bash(turn)?.run({ command: "make" }, call("k1"));
		expect(bed.tracker.windows.filter(({ label }) => label === "make").map(({ cwd }) => cwd)).toEqual(["/somewhere", "/elsewhere"]);
		expect(openWork()).toEqual([]);
		await end(turn);
	});

	test("[CG6] a file that the agent is about to write is known before the request is answered; a refused one is not recorded", async () => {
		const turn = await begin();
		const open = gate();
		const asked = { kind: "write", summary: "Write a.ts", toolCallId: "k1", paths: ["src/a.ts"] };
		let decision: unknown;
		const decided = turn.options.permit(asked, turn.signal).then((made) => {
			decision = made;
		});
		await bed.clock.advance(0);
		expect(openWork()).toMatchObject([{ actor: "agent", paths: ["/somewhere/src/a.ts"], since: "now" }]);
		expect(decision).toBeUndefined();
		open();
		await decided;
		expect(decision).toEqual({ kind: "approve-once" });
		turn.emit({ kind: "tool-start", toolCallId: "k1", toolName: "edit", arguments: { path: "/somewhere/src/a.ts" } });
		turn.emit({ kind: "tool-end", toolCallId: "k1", success: true, result: "ok" });
		await bed.clock.advance(0);
		expect(openWork()).toEqual([]);
		expect(bed.tracker.windows.filter(({ paths }) => paths?.length === 1)).toHaveLength(1);
		// Named once: a second look would take what the tool has written by then for the state before it.
		expect([...bed.tracker.added.values()]).toEqual([]);
		await bed.conversations.update(id, { permissions: "ask" });
		const refused = turn.options.permit({ ...asked, toolCallId: "k2" }, turn.signal);
		const [request] = bed.conversations.pending(id).permissions;
		bed.conversations.decide({ conversationId: id, requestId: request?.requestId ?? "", decision: "reject", by: "web" });
		await refused;
		expect(openWork()).toEqual([]);
		await end(turn);
	});

	test.each([
		["a file that an edit tool names", { toolName: "edit", arguments: { path: "a.ts" } }, { actor: "agent", paths: ["/somewhere/a.ts"] }],
		["anything by a tool that nobody knows", { toolName: "mcp-deploy", arguments: { path: "a.ts" } }, { actor: "agent", paths: undefined }],
		[
			"anything by a shell of the agent's own, also when that is called Bash",
			{ toolName: "Bash", title: "make", shell: "agent" as const, arguments: { command: "make" } },
			{ actor: "agent-shell", label: "make", paths: undefined },
		],
	])("[CG7] a call is recorded from before we heard of it: %s", async (_, given, wanted) => {
		const turn = await begin();
		turn.emit({ kind: "tool-start", toolCallId: "k1", ...given });
		await bed.clock.advance(0);
		expect(openWork().map(({ actor, label, paths, since }) => ({ actor, label, paths, since }))).toMatchObject([
			{ ...wanted, since: "last-sync" },
		]);
		turn.emit({ kind: "tool-diff", toolCallId: "k1", path: "b.ts", newText: "" });
		turn.emit({ kind: "tool-end", toolCallId: "k1", success: true });
		await bed.clock.advance(0);
		expect([...bed.tracker.added.values()]).toEqual([["/somewhere/b.ts"]]);
		expect(openWork()).toEqual([]);
		await end(turn);
	});

	test("[CG400] a call that was announced waits at its request until the file is looked at; what it names later comes with what it says", async () => {
		const turn = await begin();
		bed.shell.setCwd(id, "/elsewhere");
		turn.emit({ kind: "tool-start", toolCallId: "k1", toolName: "mcp-write", arguments: {} });
		await bed.clock.advance(0);
		const looked = gate();
		let decided = false;
		const asked = turn.options.permit({ kind: "write", summary: "Write a", toolCallId: "k1", paths: ["a.ts"] }, turn.signal).then(() => {
			decided = true;
		});
		await bed.clock.advance(0);
		expect([decided, [...bed.tracker.added.values()]]).toEqual([false, [["/somewhere/a.ts"]]]);
		looked();
		await asked;
		for (const path of ["a.ts", "/elsewhere/b.ts"]) turn.emit({ kind: "tool-diff", toolCallId: "k1", path, oldText: "1", newText: "2" });
		await bed.clock.advance(0);
		expect([...bed.tracker.added.values()]).toEqual([["/somewhere/a.ts"], ["/elsewhere/b.ts"]]);
		expect(bed.tracker.namings).toEqual([{ isTimely: true }, { isTimely: false, claim: { oldText: "1", newText: "2" } }]);
		await end(turn);
	});

	test("[CG7] what only reads has no window, nor have tools of ours that run nothing", async () => {
		const turn = await begin();
		for (const [toolCallId, toolName] of [
			["1", "view"],
			["2", "Bash"],
			["3", "BashOutput"],
		] as const)
			turn.emit({ kind: "tool-start", toolCallId, toolName, arguments: { path: "a" } });
		turn.emit({ kind: "tool-start", toolCallId: "4", toolName: "Find things", arguments: {}, reads: true });
		await turn.options.permit({ kind: "read", summary: "Read a", toolCallId: "5" }, turn.signal);
		await turn.options.permit({ kind: "custom-tool", toolName: "Bash", summary: "Run ls", toolCallId: "2" }, turn.signal);
		await bed.clock.advance(0);
		expect(openWork()).toEqual([]);
		const frame = bed.watch(id).of("copilot:snapshot")[0];
		expect(JSON.stringify(frame)).not.toContain('"reads"');
		await end(turn);
	});

	test("[CG8] calls of one turn that run at once have a bounded number of windows; the last one stands for all that follow", async () => {
		const turn = await begin();
		for (let n = 0; n < 2 * MAX_TURN_WINDOWS; n += 1)
			turn.emit({ kind: "tool-start", toolCallId: `k${n}`, toolName: "edit", arguments: { path: `${n}.ts` } });
		await bed.clock.advance(0);
		const windows = [...bed.tracker.open.values()].filter(({ paths }) => paths?.length !== 0);
		expect(windows).toHaveLength(MAX_TURN_WINDOWS + 1);
		expect(windows.at(-1)?.paths).toBeUndefined();
		await end(turn);
		expect(bed.tracker.open.size).toBe(0);
	});
});

describe("jobs", () => {
	const job = (status: "running" | "exited") => ({
		bashId: "bash_1",
		conversationId: id,
		command: "npm run dev",
		status,
		startedAt: "2026",
	});

	test("[CG9] a job belongs to its turn while that runs; what it writes later is a change of its own, told when the job ends", async () => {
		bed.tracker.answer = ({ kind }) => ({ files: kind === "turn" ? 1 : 5 });
		const watcher = bed.watch(id);
		const turn = await begin();
		bed.shell.job(job("running"));
		bed.shell.job({ ...job("running"), ports: [3000] });
		expect(openWork()).toMatchObject([{ kind: "turn", actor: "agent-shell", label: "npm run dev" }]);
		await end(turn);
		expect(openWork()).toMatchObject([{ kind: "command", actor: "agent-shell", label: "npm run dev" }]);
		expect(watcher.of("copilot:changes").map(({ kind, files }) => [kind, files])).toEqual([["turn", 1]]);
		bed.shell.job(job("exited"));
		await bed.clock.advance(100);
		expect(bed.tracker.open.size).toBe(0);
		const told = watcher.of("copilot:changes");
		expect(told.map(({ kind, files, messageId }) => [kind, files, messageId])).toEqual([
			["turn", 1, lastAnswer()?.id],
			["command", 5, undefined],
		]);
	});

	test("[CG9] a job that ends within its turn is part of it and has no change of its own", async () => {
		bed.tracker.answer = () => ({ files: 1 });
		const watcher = bed.watch(id);
		const turn = await begin();
		bed.shell.job(job("running"));
		bed.shell.job(job("exited"));
		await end(turn);
		expect(watcher.of("copilot:changes").map(({ kind }) => kind)).toEqual(["turn"]);
	});
});

describe("a person's command", () => {
	test("[CG10] it runs when the state before it is known, and what it changed stands on its message", async () => {
		bed.tracker.answer = () => ({ files: 2 });
		const watcher = bed.watch(id);
		const open = gate();
		const { execId } = bed.conversations.exec({ conversationId: id, command: "rm a.ts", origin: "web" });
		await bed.clock.advance(0);
		expect(bed.shell.commands).toHaveLength(0);
		expect(openWork()).toMatchObject([{ kind: "command", actor: "person", label: "rm a.ts", changeId: execId, messageId: execId }]);
		open();
		await bed.clock.advance(0);
		bed.shell.commands[0]?.finish();
		await bed.clock.advance(100);
		const changes = { changeId: execId, files: 2, added: 2, removed: 1 };
		expect(bed.conversations.messages(id, { limit: 5 }).messages[0]?.metadata.changes).toEqual(changes);
		expect(watcher.of("copilot:changes")).toMatchObject([{ ...changes, kind: "command", messageId: execId }]);
	});

	test("[CG10] one that is killed before it began never runs, and has no window left", async () => {
		const open = gate();
		const { execId } = bed.conversations.exec({ conversationId: id, command: "rm a.ts", origin: "web" });
		expect(bed.conversations.killExec(execId)).toBe(true);
		open();
		await bed.clock.advance(100);
		expect(bed.shell.commands).toHaveLength(0);
		expect(bed.tracker.open.size).toBe(0);
	});
});

const changed = (given: object) => ({
	...{ id: "", kind: "turn" as const, at: "2026-01-02T03:05:05.000Z", files: 1, added: 0, removed: 0, undone: false, root: "/somewhere" },
	...given,
});
