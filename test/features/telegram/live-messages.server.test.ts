import { afterEach, expect, test } from "vitest";
import { createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

test("[TG560] a status message that a crash left behind goes, although the next process dies before it could delete it", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	turn.text("half of it");
	await bed.advance(2_000);
	const status = bed.last();
	bed.api.fault("deleteMessage", { code: 429, retryAfter: 60 });
	bed = await bed.crash();
	await bed.tick();
	expect(status.deletedAt).toBeUndefined();
	bed = await bed.crash();
	await bed.tick();
	expect(status.deletedAt).toBeDefined();
});

test("[TG560] a status message whose turn has ended goes, although the process dies before it could delete it", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	await bed.advance(2_000);
	const status = bed.last();
	bed.api.fault("deleteMessage", { code: 429, retryAfter: 60 });
	turn.text("done");
	turn.end();
	await bed.tick();
	expect([status.deletedAt, bed.last().text]).toEqual([undefined, "done"]);
	bed = await bed.crash();
	await bed.tick();
	expect(status.deletedAt).toBeDefined();
	expect(bed.said().map(({ text }) => text)).toEqual(["done"]);
});

test("[TG560] a question that was answered says so, although the process dies before it could say it", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	void turn.options.ask({ question: "Which one?", choices: ["left", "right"], allowFreeform: false }, turn.signal);
	await bed.tick();
	const question = bed.last();
	bed.api.fault("editMessageText", { code: 429, retryAfter: 60 });
	bed.ann.tap(question, "left");
	await bed.tick();
	expect(question.text).toBe("❓ Which one?");
	bed = await bed.crash();
	await bed.tick();
	expect([question.text, question.buttons]).toEqual(["❓ Which one?\n\n✅ left", []]);
});
