import { expect, test } from "vitest";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { MESSAGES } from "../messages/messages.ts";
import { createButtonTaps } from "./button-taps.ts";

test("[TG564] what a tap asked for counts as done before Telegram is told of it", async () => {
	const seen: string[] = [];
	const tap = createButtonTaps({
		client: { removeKeyboard: () => new Promise(() => undefined), answerCallback: () => new Promise(() => undefined) },
		buttons: { find: () => ({ kind: "resend", rowId: 7 }) },
		languages: { wordsFor: () => MESSAGES.en },
		async perform() {
			seen.push("performed");
			return { clear: true };
		},
		speaker: { say: () => undefined, sayError: () => undefined, words: () => MESSAGES.en },
		logger: silentLogger,
	});
	const from = { id: 1, is_bot: false, first_name: "Ann" };
	const message = { message_id: 5, date: 0 as const, chat: { id: 1, type: "private" as const, first_name: "Ann" } };
	void tap(
		{ id: "cb1", from, chat_instance: "1", data: "button", message },
		{ confirmStale: () => undefined, done: () => seen.push("done") },
	);
	await new Promise((resolve) => setImmediate(resolve));
	expect(seen).toEqual(["performed", "done"]);
});
