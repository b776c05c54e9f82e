import { expect, onTestFinished, test } from "vitest";
import { createCoreBed } from "../../../../../test/support/core.ts";
import { createManualDisk } from "../../../../../test/support/manual-disk.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";

/** A core on a disk that obeys the test, with two conversations; `fail` lets the sync fail that runs. */
async function onFailingDisk() {
	const disk = createManualDisk({ keepsCopies: false });
	const bed = await createCoreBed({}, disk);
	const settle = async () => {
		do {
			if (disk.busy) disk.finish();
			await bed.clock.advance(60);
		} while (disk.busy);
	};
	await settle();
	const [saved, unsaved] = [await bed.begin(), await bed.begin()];
	await settle();
	onTestFinished(async () => {
		await bed.close();
		disk.remove();
	});
	return { disk, settle, saved, unsaved, fail: () => disk.finish(new Error("EIO")), ...bed };
}

const IN_DOUBT = "cannot be shown until Rightseat is restarted";

test("[EV600] a conversation with something that was never synced is neither shown nor acknowledged from, and the others are", async () => {
	const { settle, fail, saved, unsaved, conversations, runtime, clock, watch } = await onFailingDisk();
	const sendTo = (conversationId: ConversationId, prompt: string) =>
		conversations.prompt({ conversationId, prompt, origin: "web", clientMessageId: `of ${prompt}` });
	for (const id of [saved, unsaved]) {
		sendTo(id, `before in ${id}`);
		await settle();
		(await runtime.nextTurn()).end();
		await settle();
	}
	sendTo(unsaved, "never synced");
	fail();
	await clock.advance(2_000);

	expect(() => sendTo(unsaved, "never synced")).toThrow(IN_DOUBT);
	expect(() => conversations.exec({ conversationId: unsaved, command: "ls", origin: "web" })).toThrow(IN_DOUBT);
	expect(() => watch(unsaved)).toThrow(IN_DOUBT);
	expect(() => watch(unsaved, { epoch: "epoch-1", lastSeq: 1 })).toThrow(IN_DOUBT);
	expect(() => conversations.get(unsaved)).toThrow(IN_DOUBT);
	expect(() => conversations.messages(unsaved, { limit: 9 })).toThrow(IN_DOUBT);
	expect(() => conversations.queue(unsaved)).toThrow(IN_DOUBT);
	expect(() => conversations.export(unsaved, "markdown")).toThrow(IN_DOUBT);

	expect(conversations.list().conversations.map(({ id }) => id)).toEqual([saved]);
	expect((await conversations.search("before")).map(({ conversationId }) => conversationId)).toEqual([saved]);
	expect(conversations.inbox.list().map(({ conversationId }) => conversationId)).toEqual([saved]);
	expect(sendTo(saved, `before in ${saved}`)).toMatchObject({ duplicate: true });
	expect(watch(saved).of("copilot:snapshot")[0]?.messages).toHaveLength(2);
	expect(conversations.messages(saved, { limit: 9 }).messages).toHaveLength(2);
});

test("[EV600] what was created, renamed or deleted and never synced is in doubt as well, and so is what runs", async () => {
	const { settle, fail, saved, unsaved, begin, conversations, runtime, clock } = await onFailingDisk();
	conversations.prompt({ conversationId: unsaved, prompt: "Go", origin: "web" });
	await settle();
	const turn = await runtime.nextTurn();
	const [renamed, deleted] = [await begin(), await begin()];
	await settle();
	const made = await begin();
	void conversations.update(renamed, { title: "Another title" });
	const deleting = conversations.delete(deleted);
	await clock.advance(0);
	fail();
	await expect(deleting).rejects.toThrow(AppError);
	for (const id of [made, renamed, deleted, unsaved]) expect(() => conversations.get(id), id).toThrow(IN_DOUBT);
	expect(conversations.list().conversations.map(({ id }) => id)).toEqual([saved]);
	// The agent that works there hears why it may not; a rejected promise could end the server.
	const decision = await turn.options.permit({ kind: "shell", summary: "ls", toolName: "Bash" }, new AbortController().signal);
	expect(decision).toMatchObject({ kind: "reject", feedback: expect.stringContaining(IN_DOUBT) });
	turn.end();
	await clock.advance(5_000);
	expect(() => conversations.get(unsaved)).toThrow(IN_DOUBT);
});

test("[EV600] a reader that waits in that moment is shown what is not in doubt, and told of what is", async () => {
	const { fail, saved, unsaved, conversations, watch } = await onFailingDisk();
	conversations.prompt({ conversationId: unsaved, prompt: "Go", origin: "web" });
	const sure = watch(saved);
	const told: string[] = [];
	const reader = { event: () => told.push("event"), reply: () => told.push("reply"), lost: (error: AppError) => told.push(error.code) };
	conversations.subscribe(unsaved, {}, reader);
	expect([sure.frames, told]).toEqual([[], []]);
	fail();
	expect([sure.of("copilot:snapshot").length, told]).toEqual([1, ["storage-read-only"]]);
});
