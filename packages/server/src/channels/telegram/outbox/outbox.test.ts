import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { randomIds } from "../../../core/kernel/ids.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createMemoryLedger } from "../../../core/kernel/memory-ledger.ts";
import { openStore } from "../../../store/open-store.ts";
import { type BotClient, createBotClient, NOT_ALLOWED } from "../api/bot-client.ts";
import { createOutbox } from "./outbox.ts";

function open(client: Partial<BotClient>, mayRead: () => boolean, before = "") {
	const clock = createFakeClock();
	const { sql } = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	sql.exec(before);
	const unreached = { token: "1:x", apiRoot: "http://127.0.0.1:1", onUnauthorized: () => undefined, durable: async () => undefined };
	const outbox = createOutbox({
		...{ sql, clock, logger: silentLogger, account: createMemoryLedger().account("telegram") },
		...{ mayRead, onUnknown: () => undefined, onShown: () => undefined, onMigrated: () => undefined },
		client: { ...createBotClient(unreached), ...client },
	});
	outbox.start();
	return { outbox, clock, noted: () => sql.prepare("SELECT * FROM telegram_live").all() };
}

test("[TG100] a question of an earlier process is deleted when its reader is removed while its last words are on their way", async () => {
	let mayRead = true;
	const calls: string[] = [];
	const client: Partial<BotClient> = {
		async editText(_, messageId) {
			calls.push(`edit ${messageId}`);
			mayRead = false;
			return NOT_ALLOWED;
		},
		async deleteMessage(_, messageId) {
			calls.push(`delete ${messageId}`);
			return { kind: "ok", result: true };
		},
	};
	const note = "INSERT INTO telegram_live (chat_id, message_id, leftover) VALUES (1, 40, 'It ended with the restart.')";
	const { outbox, clock, noted } = open(client, () => mayRead, note);
	await clock.advance(5_000);
	expect([calls, noted()]).toEqual([["edit 40", "delete 40"], []]);
	outbox.close();
});

test.each([
	["while its last words are on their way", true],
	["before its last words could go", false],
])("[TG100] a question is deleted when its reader is removed %s", async (_, isOnItsWay) => {
	let mayRead = true;
	const calls: string[] = [];
	const client: Partial<BotClient> = {
		sendText: async () => ({ kind: "ok", result: { message_id: 40, date: 0, chat: { id: 1, type: "private", first_name: "Ann" } } }),
		async editText(_thread, messageId, { text }) {
			calls.push(`edit ${messageId} ${text}`);
			mayRead = false;
			return isOnItsWay ? NOT_ALLOWED : { kind: "refused", code: 429, description: "Too Many Requests", retryAfterMs: 1_000 };
		},
		async deleteMessage(_thread, messageId) {
			calls.push(`delete ${messageId}`);
			return { kind: "ok", result: true };
		},
	};
	const { outbox, clock, noted } = open(client, () => mayRead);
	const live = outbox.live({ chatId: 1 }, { silent: true, leftover: "It ended with the restart." });
	live.set({ text: "Which?", entities: [] });
	await clock.advance(1_000);
	live.finish({ text: "Answered.", entities: [] });
	await clock.advance(5_000);
	expect([calls, noted()]).toEqual([["edit 40 Answered.", "delete 40"], []]);
	outbox.close();
});
