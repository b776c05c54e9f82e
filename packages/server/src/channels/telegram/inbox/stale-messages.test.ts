import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { MESSAGES } from "../messages/messages.ts";
import { createStaleMessages } from "./stale-messages.ts";

test("[TG565] messages are held in one step with the question about them, as soon as the disk takes both", async () => {
	const clock = createFakeClock();
	const seen: string[] = [];
	let isRefused = true;
	const stale = createStaleMessages({
		inbox: { hold: (id) => void seen.push(`held ${id}`) },
		buttons: { make: (_, text) => ({ text, callback_data: text }) },
		speaker: { say: () => void seen.push("asked"), sayError: () => undefined, words: () => MESSAGES.en },
		transaction(work) {
			if (isRefused) throw new AppError("storage-read-only", "The disk is full.");
			seen.push("begin");
			work();
			seen.push("commit");
		},
		clock,
		logger: silentLogger,
	});
	const message = {
		...{ thread: { chatId: 1 }, user: { id: 1, is_bot: false, first_name: "Ann" }, sentAt: 0, text: "old", isTyped: true },
		...{ forwardedFrom: undefined, repliedTo: undefined, files: [], voice: undefined, mediaGroupId: undefined },
	};
	for (const id of [1, 2]) stale.hold({ ...message, updateId: id, messageId: id });
	await clock.advance(5_000);
	expect(seen).toEqual([]);
	isRefused = false;
	await clock.advance(1_000);
	expect(seen).toEqual(["begin", "held 1", "held 2", "asked", "commit"]);
});
