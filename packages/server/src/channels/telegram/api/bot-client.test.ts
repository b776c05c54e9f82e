import { expect, test } from "vitest";
import { createBotClient, NOT_ALLOWED } from "./bot-client.ts";

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

test("[TG100] whoever is removed while a message waits for the disk does not get it", async () => {
	let synced: () => void = () => undefined;
	let mayRead = true;
	const asked: string[] = [];
	const sendMessage = () => {
		asked.push("sendMessage");
		return never();
	};
	const client = createBotClient({
		token: "1:token",
		onUnauthorized: () => undefined,
		durable: () => new Promise((resolve) => (synced = resolve)),
		mayRead: () => mayRead,
		openLine: () => ({ raw: { ...neverAnswers, sendMessage }, file: never, destroy: () => undefined }),
	});
	const sending = client.sendText({ chatId: 1 }, { text: "secret", entities: [] }, {});
	mayRead = false;
	synced();
	expect(await sending).toBe(NOT_ALLOWED);
	void client.sendText({ chatId: 1 }, { text: "your code", entities: [] }, { toAnyone: true });
	synced();
	await new Promise((resolve) => setImmediate(resolve));
	expect(asked).toEqual(["sendMessage"]);
});

const never = () => new Promise<never>(() => undefined);
const neverAnswers = {
	...{ getMe: never, getUpdates: never, deleteWebhook: never, setMyCommands: never, sendMessage: never, sendDocument: never },
	...{ sendPhoto: never, editMessageText: never, editMessageReplyMarkup: never, deleteMessage: never, sendChatAction: never },
	...{ answerCallbackQuery: never, getFile: never },
};
