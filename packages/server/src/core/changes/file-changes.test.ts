import { expect, test } from "vitest";
import { createCoreBed } from "../../../../../test/support/core.ts";
import { aChange } from "../../../../../test/support/scripted-tracker.ts";
import { messageId } from "../kernel/ids.ts";

const METADATA = { outcome: "completed", tools: [], parts: [], changes: { changeId: "g1", files: 1, added: 2, removed: 1 } };
const UNDO = { changeIds: ["g1"], kind: "undo" as const };

async function bedWithAnswer() {
	const bed = await createCoreBed();
	const id = await bed.begin();
	const answer = messageId("a1");
	bed.store.messages.addMessage(id, { id: answer, role: "assistant", content: "Done.", metadata: METADATA });
	bed.tracker.undoes = ({ newChangeId, kind }) => ({
		files: [{ path: "a.ts", result: "restored" }],
		change: aChange({ id: newChangeId, kind, undoes: ["g1"] }),
		undoes: [{ changeId: "g1", messageId: "a1", undone: kind === "undo" }],
	});
	return { bed, id, changesOfAnswer: () => bed.store.messages.find(id, answer)?.metadata.changes };
}

test("[CG2] an undo is told in one frame, and its mark stands on the stored answer", async () => {
	const { bed, id, changesOfAnswer } = await bedWithAnswer();
	const watcher = bed.watch(id);
	const undone = await bed.conversations.changes.undo(id, UNDO);
	expect(undone).toEqual({ files: [{ path: "a.ts", result: "restored" }], changeId: bed.tracker.undos[0]?.newChangeId });
	expect(watcher.of("copilot:changes")).toEqual([
		{
			...{ conversationId: id, epoch: expect.any(String), seq: 1, changeId: undone.changeId, kind: "undo", files: 1, added: 2, removed: 1 },
			undoes: [{ changeId: "g1", messageId: "a1", undone: true }],
		},
	]);
	expect(changesOfAnswer()).toEqual({ ...METADATA.changes, undone: true });
	await bed.conversations.changes.undo(id, { ...UNDO, kind: "redo" });
	expect(changesOfAnswer()).toEqual(METADATA.changes);
	await bed.close();
});

test("[CG20] a preview changes nothing and tells nobody", async () => {
	const { bed, id, changesOfAnswer } = await bedWithAnswer();
	const watcher = bed.watch(id);
	expect(await bed.conversations.changes.undo(id, { ...UNDO, preview: true })).toEqual({ files: [{ path: "a.ts", result: "restored" }] });
	expect(watcher.of("copilot:changes")).toEqual([]);
	expect(changesOfAnswer()).toEqual(METADATA.changes);
	await bed.close();
});

test("[CG161] what was cut and taken back is told once, with the mark gone, and is no change of its own", async () => {
	const { bed, id, changesOfAnswer } = await bedWithAnswer();
	await bed.conversations.changes.undo(id, UNDO);
	const watcher = bed.watch(id);
	bed.tracker.undoes = () => ({
		files: [{ path: "a.ts", result: "restored" }],
		undoes: [{ changeId: "g1", messageId: "a1", undone: false }],
	});
	const taken = await bed.conversations.changes.undo(id, { ...UNDO, kind: "redo" });
	expect(taken).toEqual({ files: [{ path: "a.ts", result: "restored" }] });
	expect(watcher.of("copilot:changes")).toMatchObject([{ kind: "redo", files: 0, undoes: [{ changeId: "g1", undone: false }] }]);
	expect(changesOfAnswer()).toEqual(METADATA.changes);
	bed.tracker.undoes = () => ({ files: [], undoes: [] });
	await bed.conversations.changes.undo(id, UNDO);
	expect(watcher.of("copilot:changes")).toHaveLength(1);
	await bed.close();
});

test("[CG160] a conversation that changed nothing has an empty whole, and nothing in it", async () => {
	const { bed, id } = await bedWithAnswer();
	bed.tracker.get = async () => undefined;
	const whole = await bed.conversations.changes.get(id, "conversation");
	expect(whole).toEqual({
		change: {
			id: "conversation",
			kind: "conversation",
			at: expect.any(String),
			files: 0,
			added: 0,
			removed: 0,
			undone: false,
			root: bed.conversations.get(id).cwd,
		},
		files: [],
		notCovered: [],
	});
	await expect(bed.conversations.changes.hunks(id, "conversation", { path: "a.ts", ignoreWhitespace: false })).rejects.toMatchObject({
		code: "change-not-found",
	});
	await bed.close();
});

test("[CG22] what does not exist is not found, and a conversation that is being deleted takes no undo", async () => {
	const { bed, id } = await bedWithAnswer();
	const { changes } = bed.conversations;
	const missing = { code: "change-not-found" };
	await expect(changes.get(id, "g7")).rejects.toMatchObject(missing);
	await expect(changes.diff(id, "g7", "../../etc/passwd")).rejects.toMatchObject(missing);
	await expect(changes.content(id, "g1", { path: "/etc/passwd", side: "after" })).rejects.toMatchObject(missing);
	bed.tracker.undoes = () => undefined;
	await expect(changes.undo(id, UNDO)).rejects.toMatchObject(missing);
	bed.tracker.undos.length = 0;
	bed.tracker.get = async () => ({
		change: aChange({}),
		files: [{ path: "/elsewhere/a.ts", status: "modified", binary: false, added: 1, removed: 1, by: "agent" }],
		notCovered: [],
	});
	for (const path of ["/etc/passwd", "../../x", "a/../../x", "a\0"]) {
		await expect(changes.undo(id, { ...UNDO, paths: ["a.ts", path] })).rejects.toMatchObject(missing);
		await expect(changes.undo(id, { ...UNDO, hunks: { [path]: ["h1"] } })).rejects.toMatchObject(missing);
	}
	expect(bed.tracker.undos).toEqual([]);
	bed.tracker.undoes = () => ({ files: [], undoes: [] });
	expect(await changes.undo(id, { ...UNDO, paths: ["/elsewhere/a.ts"] })).toEqual({ files: [] });
	const deleted = bed.conversations.delete(id);
	await expect(changes.undo(id, UNDO)).rejects.toMatchObject({ code: "conversation-closing" });
	await deleted;
	await expect(changes.list(id, { limit: 1 })).rejects.toMatchObject({ code: "conversation-not-found" });
	await bed.close();
});
