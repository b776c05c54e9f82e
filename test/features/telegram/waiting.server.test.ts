import { afterEach, expect, test } from "vitest";
import { createBotClient } from "../../../packages/server/src/channels/telegram/api/bot-client.ts";
import { MAX_WAITING_WORK } from "../../../packages/server/src/channels/telegram/chats/per-chat-queue.ts";
import { createOutbox } from "../../../packages/server/src/channels/telegram/outbox/outbox.ts";
import {
	createOutboxStore,
	MAX_WAITING_BYTES_PER_CHAT,
	MAX_WAITING_PER_CHAT,
} from "../../../packages/server/src/channels/telegram/outbox/outbox-store.ts";
import { createSendQueue, MAX_SEND_JOBS } from "../../../packages/server/src/channels/telegram/outbox/send-queue.ts";
import { createMemoryLedger } from "../../../packages/server/src/core/kernel/memory-ledger.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { recordingLogger } from "./telegram-bed-parts.ts";
import { createTelegramBed, type TelegramBed } from "./telegram-harness.ts";
import { startTranscriber } from "./transcriber.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

test("[TG104] what was given up because too much waits is not sent, however long Telegram made the chat wait", async () => {
	bed = await createTelegramBed({ idle: true });
	const clock = createFakeClock();
	const sent: string[] = [];
	let isWaiting = true;
	const outbox = createOutbox({
		client: {
			...createBotClient({ token: "1:x", apiRoot: "http://127.0.0.1:1", onUnauthorized: () => undefined, durable: async () => undefined }),
			async sendText(_, { text }) {
				if (isWaiting) return { kind: "refused", code: 429, description: "Too Many Requests", retryAfterMs: 60_000 };
				sent.push(text);
				return { kind: "refused", code: 400, description: "only counted" };
			},
		},
		sql: bed.opened.sql,
		clock,
		logger: recordingLogger([]),
		mayRead: () => true,
		onUnknown: () => undefined,
		onShown: () => undefined,
		onMigrated: () => undefined,
		account: createMemoryLedger().account("telegram"),
	});
	outbox.start();
	const settled: string[] = [];
	for (let index = 0; index < MAX_WAITING_PER_CHAT + 400; index++) {
		outbox.send(
			{ chatId: 1 },
			{ kind: "text", text: `${index}`, entities: [] },
			{ onSettled: (delivery) => settled.push(`${index} ${delivery}`) },
		);
		if (index === 0) await clock.settle();
	}
	expect(settled.slice(0, 2)).toEqual(["0 dead", "1 dead"]);
	isWaiting = false;
	await clock.advance(61_000);
	expect(sent).toHaveLength(MAX_WAITING_PER_CHAT);
	expect(sent[0]).toBe("400");
	outbox.close();
});

test("[TG104] the bytes that wait for one chat are bounded, too; the newest message stays whatever its size", async () => {
	bed = await createTelegramBed({ idle: true });
	const store = createOutboxStore(bed.opened.sql, createFakeClock());
	const third = "x".repeat(Math.ceil(MAX_WAITING_BYTES_PER_CHAT / 3));
	const ids = [1, 2, 3, 4].map(() => store.add({ chatId: 1 }, { kind: "document", filename: "a", content: third }, {}));
	expect(store.trim(1).sort()).toEqual(ids.slice(0, 2));
	const huge = store.add({ chatId: 2 }, { kind: "document", filename: "a", content: third.repeat(4) }, {});
	expect(store.trim(2)).toEqual([]);
	expect(store.find(huge ?? 0)).toBeDefined();
});

test("[TG104] sends, deletes and edits that wait in memory for one chat are bounded, and what is given up is told", async () => {
	bed = await createTelegramBed({ idle: true });
	const clock = createFakeClock();
	const queue = createSendQueue({ clock, isGroup: false, onIdle: () => undefined });
	let run = 0;
	const given: string[] = [];
	const job = (name: string) => ({
		run: async () => {
			run += 1;
			return { kind: "unreachable" as const, message: "no network" };
		},
		settle: () => given.push(name),
	});
	for (let index = 0; index < MAX_SEND_JOBS + 5; index++) {
		queue.send(`s${index}`, job(`send ${index}`));
		queue.remove(job(`remove ${index}`));
		queue.edit(`e${index}`, job(`edit ${index}`), false);
	}
	await clock.settle();
	const kinds = (kind: string) => given.filter((name) => name.startsWith(kind)).length;
	// One is just being tried.
	expect([kinds("send"), kinds("remove"), kinds("edit")]).toEqual([4, 5, 5]);
	queue.dropSend("s900");
	expect(given.at(-1)).toBe("send 900");
	expect(run).toBe(1);
	queue.close();
});

const TABLES = ["telegram_outbox", "telegram_prompts", "telegram_buttons"] as const;
const rowsOf = (table: string) => bed.opened.sql.prepare(`SELECT * FROM ${table} WHERE conversation_id IS NOT NULL`).all();

/** A question was asked and answered in the chat. */
async function answered() {
	bed = await createTelegramBed();
	const turn = await bed.ask("a secret plan");
	turn.text("the secret answer");
	await bed.advance(1_500, 500);
	turn.end();
	await bed.tick();
	expect(bed.last().text).toBe("the secret answer");
}

test("[TG105] a message that was sent keeps no content", async () => {
	await answered();
	expect(bed.opened.sql.prepare("SELECT state, payload FROM telegram_outbox").all()).toEqual([{ state: "sent", payload: null }]);
});

test("[TG270] messages, buttons and prompts of a deleted conversation are removed", async () => {
	await answered();
	expect(TABLES.map((table) => rowsOf(table).length > 0)).toEqual([true, true, true]);
	const deleting = bed.conversations.delete(bed.conversation());
	await bed.tick();
	await deleting;
	expect(TABLES.map(rowsOf)).toEqual([[], [], []]);
});

test("[TG271] what belongs to a conversation that was deleted while Telegram was off is removed at the next start", async () => {
	await answered();
	for (const table of TABLES) bed.opened.sql.exec(`UPDATE ${table} SET conversation_id = 'gone' WHERE conversation_id IS NOT NULL`);
	bed = await bed.crash();
	expect(TABLES.map(rowsOf)).toEqual([[], [], []]);
});

test("[TG116] what a person was told to send again because too much waits is not run by the next process", async () => {
	const service = await startTranscriber(undefined);
	bed = await createTelegramBed({ config: { transcription: { url: service.url } } });
	bed.ann.voice(new Uint8Array([1]));
	await bed.until(() => service.requests.length === 1, "the voice that holds the chat up");
	for (let index = 0; index < MAX_WAITING_WORK + 10; index++) bed.ann.text(`number ${index}`);
	await bed.until(() => bed.said().filter((message) => message.text.includes("Too many messages at once")).length === 11, "the refusals");
	const open = bed.opened.sql.prepare("SELECT count(*) AS n FROM telegram_inbox WHERE state = 'pending'").get();
	expect(open).toEqual({ n: MAX_WAITING_WORK });
	service.close();
});
