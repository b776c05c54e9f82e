import { expect, test } from "vitest";
import { createCoreBed } from "../../../../../test/support/core.ts";
import { AppError } from "../kernel/errors.ts";

test("[CV180] a queued prompt that a locked database keeps from being taken up is taken up when the lock is gone, once", async () => {
	const bed = await createCoreBed();
	const id = await bed.begin();
	bed.conversations.prompt({ conversationId: id, prompt: "One", origin: "web" });
	const turn = await bed.runtime.nextTurn();
	bed.conversations.prompt({ conversationId: id, prompt: "Two", origin: "web" });
	const { queued } = bed.store.messages;
	bed.store.messages.queued = () => {
		throw new AppError("storage-busy", "The database is locked.");
	};
	turn.end();
	await bed.clock.advance(2_500);
	expect(bed.conversations.active()).toEqual([]);
	bed.store.messages.queued = queued;
	await bed.clock.advance(1_000);
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("Two");
	await bed.clock.advance(5_000);
	expect(bed.conversations.messages(id, { limit: 50 }).messages.map(({ content }) => content)).toEqual(["One", "", "Two"]);
	await bed.close();
});
