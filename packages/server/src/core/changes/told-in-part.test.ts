import { expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { aChange } from "../../../../../test/support/scripted-tracker.ts";
import type { ConversationId } from "../kernel/ids.ts";

/** A turn that ran a command, of which not everything was looked at when it ended. */
async function endInPart(known: number) {
	const bed = await createCoreBed();
	const id = await bed.begin();
	bed.tracker.answer = () => ({ files: known, notCovered: 1, partial: true });
	const watcher = bed.watch(id);
	bed.conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	(await bed.runtime.nextTurn()).end("completed");
	await bed.clock.advance(100);
	return { bed, id, counts: () => watcher.of("copilot:changes").map(({ files, notCovered }) => [files, notCovered]) };
}
const changesOn = (bed: CoreBed, id: ConversationId) =>
	bed.conversations.messages(id, { limit: 5 }).messages.findLast(({ role }) => role === "assistant")?.metadata.changes;

test("[CG401] a change that is told in part is told again when it is complete, once, and stands on the stored answer with its mark", async () => {
	const { bed, id, counts } = await endInPart(1);
	expect(changesOn(bed, id)).toMatchObject({ files: 1, notCovered: 1 });
	let answers = 0;
	bed.tracker.recalls = (changeId) => {
		answers += 1;
		if (answers === 1) return Promise.reject(new Error("still looking"));
		return { change: aChange({ id: changeId, messageId: changeId, kind: "turn", files: 3, undone: true }), undoes: [] };
	};
	await bed.clock.advance(60_000);
	expect(counts()).toEqual([
		[1, 1],
		[3, undefined],
	]);
	expect(answers).toBe(2);
	expect(changesOn(bed, id)).toMatchObject({ files: 3, undone: true });
	await bed.close();
});

test("[CG401] when the rest is nothing, the answer no longer says that something is missing", async () => {
	const { bed, id, counts } = await endInPart(0);
	await bed.clock.advance(60_000);
	expect(counts()).toEqual([
		[0, 1],
		[0, undefined],
	]);
	expect(changesOn(bed, id)).toMatchObject({ files: 0, added: 0, removed: 0 });
	expect(changesOn(bed, id)).not.toHaveProperty("notCovered");
	await bed.close();
});
