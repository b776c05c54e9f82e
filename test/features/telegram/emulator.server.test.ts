import { Api, GrammyError, HttpError, InputFile } from "grammy";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BotApiEmulator, createBotApiEmulator } from "../../support/bot-api/bot-api-emulator.ts";

let emulator: BotApiEmulator;
let api: Api;
beforeEach(async () => {
	emulator = await createBotApiEmulator();
	api = new Api(emulator.token, { apiRoot: emulator.url });
	emulator.private({ id: 1, name: "Ann" });
});
afterEach(() => emulator.close());

const refusal = async (call: Promise<unknown>): Promise<string> => {
	try {
		await call;
		return "accepted";
	} catch (error) {
		if (error instanceof GrammyError) return `${error.error_code} ${error.description}`;
		if (error instanceof HttpError) return "no response";
		throw error;
	}
};

test("[TG71] the emulator refuses what Telegram refuses, in its words", async () => {
	expect(await refusal(api.sendMessage(1, " "))).toBe("400 Bad Request: message text is empty");
	expect(await refusal(api.sendMessage(1, "x".repeat(4_097)))).toBe("400 Bad Request: message is too long");
	expect(await refusal(api.sendMessage(2, "x"))).toBe("400 Bad Request: chat not found");
	expect(await refusal(api.sendMessage(1, "x", { entities: [{ type: "bold", offset: 0, length: 2 }] }))).toContain("out of bounds");
	expect(await refusal(api.sendMessage(1, "x", { message_thread_id: 1 }))).toBe("400 Bad Request: message thread not found");
	const data = "d".repeat(65);
	expect(await refusal(api.sendMessage(1, "x", { reply_markup: { inline_keyboard: [[{ text: "b", callback_data: data }]] } }))).toBe(
		"400 Bad Request: BUTTON_DATA_INVALID",
	);
	const { message_id: id } = await api.sendMessage(1, "same");
	expect(await refusal(api.editMessageText(1, id, "same"))).toContain("message is not modified");
	expect(await refusal(api.editMessageText(1, 999, "x"))).toBe("400 Bad Request: message to edit not found");
	await api.deleteMessage(1, id);
	expect(await refusal(api.deleteMessage(1, id))).toBe("400 Bad Request: message to delete not found");
	expect(await refusal(api.answerCallbackQuery("nope"))).toContain("query is too old");
	expect(await refusal(new Api("1:wrong", { apiRoot: emulator.url }).getMe())).toBe("401 Unauthorized");
	expect(await refusal(api.setMessageReaction(1, (await api.sendMessage(1, "r")).message_id, [{ type: "emoji", emoji: "🤡" }]))).toContain(
		"REACTION_INVALID",
	);
});

test("[TG71] the emulator hands updates out until they are confirmed, and to one poller only", async () => {
	const ann = emulator.private({ id: 1, name: "Ann" });
	ann.text("one");
	const [first] = await api.getUpdates({ timeout: 5 });
	expect(await api.getUpdates({ timeout: 0 })).toHaveLength(1);
	const offset = (first?.update_id ?? 0) + 1;
	const older = refusal(api.getUpdates({ offset, timeout: 20 }));
	await new Promise<void>((resolve) => {
		const off = emulator.onCall(() => {
			if (!emulator.updates.polling()) return;
			off();
			resolve();
		});
		setImmediate(function look() {
			if (emulator.updates.polling()) resolve();
			else setImmediate(look);
		});
	});
	const newer = api.getUpdates({ offset, timeout: 20 });
	expect(await older).toContain("409 Conflict: terminated by other getUpdates request");
	ann.text("two");
	expect(await newer).toMatchObject([{ message: { text: "two" } }]);
});

test("[TG71] the emulator loses responses before or after it acted, and serves files", async () => {
	emulator.fault("sendMessage", { dropAfter: true });
	emulator.fault("sendMessage", { dropBefore: true });
	expect(await refusal(api.sendMessage(1, "acted"))).toBe("no response");
	expect(await refusal(api.sendMessage(1, "not acted"))).toBe("no response");
	expect(emulator.fromBot(1).map((message) => message.text)).toEqual(["acted"]);
	await api.sendDocument(1, new InputFile(Buffer.from("bytes"), "a b.txt"), { caption: "c" });
	expect(emulator.fromBot(1).at(-1)).toMatchObject({ text: "c", media: { filename: "a b.txt" } });
	emulator.private({ id: 1, name: "Ann" }).document(Buffer.from("hello"), { filename: "x.txt" });
	const [update] = await api.getUpdates({ timeout: 5 });
	const file = await api.getFile(update?.message?.document?.file_id ?? "");
	const response = await fetch(`${emulator.url}/file/bot${emulator.token}/${file.file_path}`);
	expect(await response.text()).toBe("hello");
});

test("[TG71] the emulator's rate model orders waits when it is switched on", async () => {
	const limited = await createBotApiEmulator({ rateLimits: true });
	limited.private({ id: 1, name: "Ann" });
	const bot = new Api(limited.token, { apiRoot: limited.url });
	const results = [];
	for (let index = 0; index < 20; index++) results.push(await refusal(bot.sendMessage(1, `${index}`)));
	expect(results.at(-1)).toMatch(/^429 Too Many Requests: retry after \d+$/);
	await limited.close();
});
