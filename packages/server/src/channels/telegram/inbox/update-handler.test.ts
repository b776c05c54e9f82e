import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createUpdateHandler } from "./update-handler.ts";

test("[TG563] an update that was taken waits while the disk refuses writes, and those behind it go on", async () => {
	const clock = createFakeClock();
	const seen: string[] = [];
	let isRefused = true;
	const handler = createUpdateHandler({
		inbox: { accept: (updates) => updates, pending: () => [], takeHeld: () => undefined, done: () => undefined },
		access: { check: ({ message }) => (message?.from === undefined ? { verdict: "ignored" } : { verdict: "allowed", user: message.from }) },
		strangers: { offerPairing: () => undefined },
		languages: {
			note(chatId) {
				if (chatId === 1 && isRefused) throw new AppError("storage-read-only", "The disk is full.");
			},
		},
		messages: { handle: (message) => void seen.push(message.text ?? "") },
		editMessage: async () => undefined,
		tapButton: async () => undefined,
		unmute: () => undefined,
		moveChat: () => undefined,
		work: { handled: (ids) => void seen.push(`handled ${ids}`) },
		clock,
		logger: silentLogger,
	});
	const update = (id: number) => ({
		update_id: id,
		message: {
			...{ message_id: id, date: 0, text: `text ${id}` },
			chat: { id, type: "private" as const, first_name: "Ann" },
			from: { id, is_bot: false, first_name: "Ann" },
		},
	});
	handler.accept([update(1), update(2)]);
	await clock.advance(5_000);
	expect(seen).toEqual(["text 2"]);
	isRefused = false;
	await clock.advance(1_000);
	expect(seen).toEqual(["text 2", "text 1"]);
});
