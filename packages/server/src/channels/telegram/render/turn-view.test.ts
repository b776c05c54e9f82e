import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { conversationId } from "../../../core/kernel/ids.ts";
import { MESSAGES } from "../messages/messages.ts";
import { createTurnView } from "./turn-view.ts";

test("[TG568] the end of a turn that the disk refuses is taken when it comes once more, and only once", () => {
	let isRefused = true;
	const delivered: string[] = [];
	const live = {
		set: () => undefined,
		finish: () => undefined,
		remove: () => undefined,
		messageId: () => undefined,
		mayBeSeen: () => true,
	};
	const view = createTurnView({
		conversationId: conversationId("c1"),
		recent: () => [],
		wholeText: () => undefined,
		writer: { send: () => undefined, live: () => live, button: (text) => ({ text, callback_data: "b" }), isSilent: () => false },
		deliver({ messageId }) {
			if (isRefused) throw new AppError("storage-read-only", "The disk is full.");
			delivered.push(messageId);
		},
		openTurn: { get: () => undefined, set: () => undefined, told: () => undefined, answered: () => undefined },
		messageOf: () => 1,
		typing: () => new Promise(() => undefined),
		words: () => MESSAGES.en,
		redact: (text) => text,
		clock: createFakeClock(),
	});
	view.begin({ messageId: "a1", userMessageId: "u1", startedAt: "2026-01-01T00:00:00.000Z" });
	const idle = () =>
		view.event({
			type: "copilot:idle",
			data: { messageId: "a1", outcome: "completed", createdAt: "2026-01-01T00:00:01.000Z", model: "m", durationMs: 1 },
		});
	expect(idle).toThrow("The disk is full.");
	isRefused = false;
	idle();
	idle();
	expect(delivered).toEqual(["a1"]);
});
