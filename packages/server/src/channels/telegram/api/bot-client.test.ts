import { expect, test } from "vitest";
import { createBotClient } from "./bot-client.ts";

test("[TG561] a poll that waits for the disk ends at once when it is cut, and is not asked for afterwards", async () => {
	let synced: () => void = () => undefined;
	let opened = 0;
	const client = createBotClient({
		token: "1:token",
		onUnauthorized: () => undefined,
		durable: () => new Promise((resolve) => (synced = resolve)),
		openLine: () => {
			opened += 1;
			return { raw: neverAnswers, file: () => new Promise(() => undefined), destroy: () => undefined };
		},
	});
	const before = opened;
	const cut = new AbortController();
	const polling = client.getUpdates({ offset: 1, timeoutSeconds: 30 }, cut.signal);
	cut.abort();
	expect(await polling).toEqual({ kind: "unreachable", message: "stopped" });
	synced();
	await new Promise((resolve) => setImmediate(resolve));
	expect(opened).toBe(before);
});

const never = () => new Promise<never>(() => undefined);
const neverAnswers = {
	...{ getMe: never, getUpdates: never, deleteWebhook: never, setMyCommands: never, sendMessage: never, sendDocument: never },
	...{ sendPhoto: never, editMessageText: never, editMessageReplyMarkup: never, deleteMessage: never, sendChatAction: never },
	...{ answerCallbackQuery: never, getFile: never },
};
