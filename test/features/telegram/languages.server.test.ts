import { afterEach, expect, test } from "vitest";
import { createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());
const MEI = { id: 1001, name: "Mei", language: "zh-hant" };
const CHINESE = /\p{Script=Han}/u;

test("[TG114] the bot speaks the language of the person's Telegram: answers, errors by their code, questions, buttons, and after a restart", async () => {
	bed = await createTelegramBed();
	const mei = bed.api.private(MEI);
	mei.text("/help");
	await bed.tick();
	expect(bed.last().text).toContain("/stop 停止執行中的工作");
	mei.text("/cwd missing/place");
	await bed.tick();
	expect(bed.last().text).toBe("⚠️ 目錄 missing/place 不存在，請建立它或改選其他目錄。");
	mei.text("go");
	const turn = await bed.nextTurn();
	void turn.options.ask({ question: "Which?", choices: ["a"], allowFreeform: true }, turn.signal).catch(() => undefined);
	await bed.tick();
	expect(bed.labels()).toEqual(["a", "其他…"]);
	const tap = mei.tap(bed.last(), "a");
	await bed.tick();
	expect(bed.api.callbackAnswer(tap)?.text).toBe("已回答。");
	mei.text("停");
	await bed.tick();
	expect(bed.said().map((message) => message.text)).toContain("已停止。");

	const id = bed.conversation();
	bed = await bed.crash();
	bed.conversations.prompt({ conversationId: id, prompt: "from the page", clientMessageId: "c1", origin: "web" });
	const next = await bed.nextTurn();
	await bed.advance(1_500, 500);
	expect(bed.last().text).toContain("⏳ 工作中 · ");
	next.end();
	await bed.tick();
});

test("[TG114] a stranger is greeted and welcomed in their language", async () => {
	bed = await createTelegramBed({ config: { allowedUsers: [] } });
	bed.api.private(MEI).text("hello");
	await bed.tick();
	expect(bed.last().text).toContain("15 分鐘內輸入這個代碼");
	bed.channel.pairing.confirm(/[0-9A-F]{4}-[0-9A-F]{4}/.exec(bed.last().text)?.[0] ?? "");
	await bed.tick();
	expect(bed.last().text).toContain("歡迎，Mei");
});

test("[TG234] a setting decides for everybody", async () => {
	bed = await createTelegramBed({ config: { language: "zh-Hant" } });
	bed.ann.text("/status");
	await bed.tick();
	expect(bed.last().text).toMatch(CHINESE);
	bed = await bed.crash({ config: { language: "en" } });
	bed.api.private(MEI).text("/status");
	await bed.tick();
	expect(bed.last().text).not.toMatch(CHINESE);
});

test("[TG114] the menu is there in both languages", async () => {
	bed = await createTelegramBed();
	const menus = bed.api
		.callsOf("setMyCommands")
		.map((call) => [call.params.language_code, CHINESE.test(JSON.stringify(call.params.commands))]);
	expect(menus).toEqual([
		[undefined, false],
		["zh", true],
	]);
});
