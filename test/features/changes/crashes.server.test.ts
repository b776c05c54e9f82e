import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createGate, toolCall, waitFor } from "../../support/scripted-model-steps.ts";
import { type ChangesBed, startChangesBed } from "./changes-harness.ts";

let bed: ChangesBed;
afterEach(() => bed.close());

const bash = (command: string) => [toolCall("Bash", { command })];

test("[CG120] a server killed in a turn tells at the next start what that turn had changed, and it can be undone", async () => {
	bed = await startChangesBed();
	const id = await bed.begin();
	writeFileSync(join(bed.work, "a.txt"), "before\n");
	await bed.exec(id, "true");
	const ws = await bed.watch(id);
	const from = ws.frames.length;
	bed.turn(id, bash("echo after > a.txt; echo made > b.txt"), [waitFor(createGate())]).catch(() => undefined);
	await ws.waitFor("copilot:tool_end", undefined, { from });
	await ws.roundTrip();
	await bed.crash();
	const again = await bed.watch(id);
	const shown = again.all("copilot:snapshot").flatMap(({ data }) => data.messages);
	const isTold = shown.some(({ role, metadata }) => role === "assistant" && metadata.changes !== undefined);
	if (!isTold) await again.waitFor("copilot:changes", ({ data }) => data.kind === "turn");
	const { messages } = await (await bed.server.api(`/api/conversations/${id}/messages`)).json();
	const answer = messages.at(-1);
	expect(answer).toMatchObject({ role: "assistant", metadata: { outcome: "interrupted", changes: { changeId: answer.id } } });
	const { files } = await bed.get(id, answer.id);
	expect(files.map(({ path }) => path).sort()).toEqual(["a.txt", "b.txt"]);
	await bed.undo(id, answer.id);
	expect([bed.read("a.txt"), bed.read("b.txt")]).toEqual(["before\n", undefined]);
}, 120_000);

test("[CG121] the recorder killed in a turn: the turn goes on, the change says what is missing, and the next turn is recorded whole", async () => {
	bed = await startChangesBed();
	const id = await bed.begin();
	const ws = await bed.watch(id);
	await bed.exec(id, "true");
	const recorder = bed.recorder();
	if (recorder === undefined) throw new Error("There is no recorder.");
	const turn = bed.turn(id, bash("echo one > one.txt; until [ -e go ]; do sleep 0.05; done; echo two > two.txt"));
	await ws.waitFor("copilot:tool_start");
	while (bed.read("one.txt") === undefined) await ws.roundTrip();
	process.kill(recorder, "SIGKILL");
	writeFileSync(join(bed.work, "go"), "");
	const { messageId, frames } = await turn;
	expect(frames.find(({ type }) => type === "copilot:idle")).toMatchObject({ data: { outcome: "completed" } });
	const [told] = frames.filter((frame) => frame.type === "copilot:changes");
	expect(told?.data).toMatchObject({ changeId: messageId });
	const { files, notCovered } = await bed.get(id, messageId);
	expect(files.length + notCovered.length).toBeGreaterThan(0);
	// On a busy machine the new process may not be ready in time for the end of the turn.
	expect(notCovered.some(({ reason }) => reason === "recorder-down" || reason === "too-slow")).toBe(true);
	const next = await bed.turn(id, bash("echo three > three.txt"));
	expect((await bed.get(id, next.messageId)).files.map(({ path }) => path)).toEqual(["three.txt"]);
	expect(bed.recorder()).not.toBe(recorder);
}, 120_000);

test.each(["undo", "redo"] as const)(
	"[CG122] a server killed in an undo: the undo is known at the next start, and posting %s finishes it or takes it back",
	async (kind) => {
		bed = await startChangesBed();
		const id = await bed.begin();
		const { messageId } = await bed.turn(id, bash(`for n in $(seq 1 ${CUT_FILES}); do echo $n > f$n.txt; done`));
		const names = Array.from({ length: CUT_FILES }, (_, n) => join(bed.work, `f${n + 1}.txt`));
		const left = () => names.filter((name) => existsSync(name)).length;
		const unfinished = async () => (await bed.list(id)).filter((change) => change.unfinished === true);
		// On a machine where it was done before the kill came it is brought back and tried again.
		for (let tries = 0; tries < 10; tries += 1) {
			const undo = bed.undo(id, messageId).catch(() => undefined);
			while (existsSync(names[0] ?? "")) await new Promise((resolve) => setImmediate(resolve));
			const recorder = bed.recorder();
			if (recorder !== undefined) process.kill(recorder, "SIGKILL");
			await bed.crash();
			await undo;
			const isCut = (await unfinished()).length > 0 && left() > 0 && left() < CUT_FILES;
			if (isCut) break;
			await bed.undo(id, messageId, {}, "redo");
			expect(left()).toBe(CUT_FILES);
		}
		expect(await unfinished()).toMatchObject([{ kind: "undo" }]);
		expect(left()).toBeGreaterThan(0);
		expect(left()).toBeLessThan(CUT_FILES);
		await bed.undo(id, messageId, {}, kind);
		expect(left()).toBe(kind === "undo" ? 0 : CUT_FILES);
		expect(await unfinished()).toEqual([]);
		if (kind === "undo") await bed.undo(id, messageId, {}, "redo");
		expect([left(), readFileSync(names[6] ?? "", "utf8")]).toEqual([CUT_FILES, "7\n"]);
	},
	240_000,
);
/** Enough that a kill comes before the last one. */
const CUT_FILES = 1_000;

test("[CG123] in the home directory commands are not recorded and the card says so; edit tools still can be undone", async () => {
	const home = mkdtempSync(join(tmpdir(), "rightseat-person-"));
	bed = await startChangesBed({ env: { HOME: home } });
	const id = await bed.begin({ cwd: home });
	const file = join(home, "notes.txt");
	writeFileSync(file, "one\n");
	const { messageId, frames } = await bed.turn(
		id,
		[toolCall("edit", { path: file, old_str: "one", new_str: "two" })],
		bash("echo x > other.txt"),
	);
	expect(frames.filter(({ type }) => type === "copilot:changes")).toHaveLength(1);
	const { files, notCovered } = await bed.get(id, messageId);
	expect(files.map(({ path }) => path)).toEqual(["notes.txt"]);
	expect(notCovered.map(({ reason }) => reason)).toContain("root-refused");
	await bed.undo(id, messageId);
	expect(readFileSync(file, "utf8")).toBe("one\n");
	rmSync(home, { recursive: true, force: true });
}, 120_000);
