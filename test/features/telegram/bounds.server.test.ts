import { afterEach, beforeEach, expect, test } from "vitest";
import type { BotClient } from "../../../packages/server/src/channels/telegram/api/bot-client.ts";
import { createBotClient } from "../../../packages/server/src/channels/telegram/api/bot-client.ts";
import { createAccess, MAX_PAIR_REQUESTS } from "../../../packages/server/src/channels/telegram/chats/access.ts";
import { createChatSessions } from "../../../packages/server/src/channels/telegram/chats/chat-sessions.ts";
import type { ChatThread } from "../../../packages/server/src/channels/telegram/chats/chat-thread.ts";
import { createLinkCodes, MAX_LINK_CODES } from "../../../packages/server/src/channels/telegram/chats/link-codes.ts";
import { createPerChatQueue, MAX_WAITING_WORK } from "../../../packages/server/src/channels/telegram/chats/per-chat-queue.ts";
import { createSentPrompts, MAX_SENT_PROMPTS } from "../../../packages/server/src/channels/telegram/chats/sent-prompts.ts";
import { createButtons, MAX_BUTTONS } from "../../../packages/server/src/channels/telegram/commands/buttons.ts";
import { MAX_MENU_BYTES, trimMenu } from "../../../packages/server/src/channels/telegram/commands/command-menu.ts";
import { createInbox, KEPT_UPDATES } from "../../../packages/server/src/channels/telegram/inbox/inbox.ts";
import type { Incoming } from "../../../packages/server/src/channels/telegram/inbox/incoming.ts";
import { createMessageBatcher, MAX_JOINED } from "../../../packages/server/src/channels/telegram/inbox/message-batcher.ts";
import { createStaleMessages, MAX_HELD } from "../../../packages/server/src/channels/telegram/inbox/stale-messages.ts";
import { english } from "../../../packages/server/src/channels/telegram/messages/english.ts";
import { createOutboxStore, MAX_WAITING_PER_CHAT } from "../../../packages/server/src/channels/telegram/outbox/outbox-store.ts";
import { startTyping } from "../../../packages/server/src/channels/telegram/render/typing-loop.ts";
import { conversationId, messageId, randomIds } from "../../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { hideTokenShapes } from "../../../packages/server/src/core/kernel/redact.ts";
import { type OpenedStore, openStore } from "../../../packages/server/src/store/open-store.ts";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts";

let clock: FakeClock;
let opened: OpenedStore;
beforeEach(() => {
	clock = createFakeClock();
	opened = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
});
afterEach(() => opened.close());

const count = (table: string) => Number(opened.sql.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);

test("[TG6] sessions are a map by chat id, with model, directory and times; topics have a map each", async () => {
	const describe = () => ({ model: "model-a", cwd: "/srv" });
	const open = () => createChatSessions({ sql: opened.sql, clock, describe });
	const sessions = open();
	const createdAt = clock.now();
	const show = (thread: ChatThread, id: string) => {
		sessions.write(thread, { conversationId: conversationId(id), model: "model-a", workingDirectory: "/srv" }, {});
		expect(sessions.find(thread)).toBeUndefined();
		sessions.refresh(thread);
	};
	show({ chatId: 7 }, "c1");
	show({ chatId: -9, threadId: 71 }, "c2");
	await clock.advance(1_000);
	sessions.touch({ chatId: 7 });
	for (const each of [sessions, open()]) {
		expect([...each.of(undefined)]).toEqual([
			[7, { conversationId: "c1", model: "model-a", workingDirectory: "/srv", createdAt, lastUsed: createdAt + 1_000 }],
		]);
		expect(each.of(71).get(-9)?.conversationId).toBe("c2");
	}
	sessions.unbind({ chatId: 7 });
	expect(open().of(undefined).size).toBe(0);
});

test("[TG4] at most twenty strangers wait for a pairing code at once", () => {
	const access = createAccess({ sql: opened.sql, clock, ids: randomIds, allowedUsers: [], groups: false, pairing: true });
	const codes = Array.from({ length: 30 }, (_, id) => access.request({ id, is_bot: false, first_name: `P${id}` }));
	expect(codes.filter((code) => code !== undefined)).toHaveLength(MAX_PAIR_REQUESTS);
	expect(access.pending()).toHaveLength(MAX_PAIR_REQUESTS);
});

test("[TG58] handled updates, buttons and prompts of the past are forgotten beyond a bound", async () => {
	const inbox = createInbox({ sql: opened.sql, clock, botId: 1 });
	const updates = Array.from({ length: KEPT_UPDATES + 500 }, (_, index) => ({ update_id: index + 1 }));
	opened.sql.transaction(() => {
		for (const update of updates) inbox.accept([update], () => false);
	});
	expect(count("telegram_inbox")).toBeGreaterThanOrEqual(KEPT_UPDATES);
	expect(count("telegram_inbox")).toBeLessThanOrEqual(KEPT_UPDATES + 50);
	expect(inbox.offset()).toBe(KEPT_UPDATES + 501);

	const buttons = createButtons({ sql: opened.sql, clock, ids: randomIds });
	const prompts = createSentPrompts(opened.sql, clock);
	await clock.advance(1);
	opened.sql.transaction(() => {
		for (let index = 0; index < MAX_BUTTONS + 300; index++) buttons.make(1, "Stop", { kind: "stop", conversationId: "c" });
		for (let index = 0; index < MAX_SENT_PROMPTS + 300; index++) {
			prompts.add({ chatId: 1, messageId: index, conversationId: conversationId("c"), promptId: messageId(`p${index}`) });
		}
	});
	expect(count("telegram_buttons")).toBeLessThanOrEqual(MAX_BUTTONS + 100);
	expect(prompts.messageOf(1, `p${MAX_SENT_PROMPTS + 299}`)).toBe(MAX_SENT_PROMPTS + 299);
});

test("[TG58] prompts older than the newest five thousand are forgotten", async () => {
	const prompts = createSentPrompts(opened.sql, clock);
	for (let index = 0; index < MAX_SENT_PROMPTS + 300; index++) {
		if (index % 100 === 0) await clock.advance(1);
		prompts.add({ chatId: 1, messageId: index, conversationId: conversationId("c"), promptId: messageId(`p${index}`) });
	}
	expect(count("telegram_prompts")).toBeLessThanOrEqual(MAX_SENT_PROMPTS + 200);
});

test("[TG58] messages that wait for one chat are bounded, the newest stay", () => {
	const store = createOutboxStore(opened.sql, clock);
	opened.sql.transaction(() => {
		for (let index = 0; index < MAX_WAITING_PER_CHAT + 20; index++)
			store.add({ chatId: 1 }, { kind: "text", text: `${index}`, entities: [] }, {});
	});
	store.add({ chatId: 2 }, { kind: "text", text: "other", entities: [] }, {});
	expect(store.trim(1)).toHaveLength(20);
	const waiting = store.waiting();
	expect(waiting).toHaveLength(MAX_WAITING_PER_CHAT + 1);
	expect(waiting[0]?.outgoing).toMatchObject({ text: "20" });
});

test("[TG58] the same key is sent once only", () => {
	const store = createOutboxStore(opened.sql, clock);
	const message = { kind: "text" as const, text: "final", entities: [] };
	expect(store.add({ chatId: 1 }, message, { key: "final:1" })).toBeDefined();
	expect(store.add({ chatId: 1 }, message, { key: "final:1" })).toBeUndefined();
});

test("[TG59] link codes, joined messages and waiting work are bounded", async () => {
	const links = createLinkCodes(clock, randomIds);
	const codes = Array.from({ length: MAX_LINK_CODES + 1 }, () => links.make(conversationId("c")));
	expect(links.take(codes[0] ?? "")).toBeUndefined();
	expect(links.take(codes.at(-1)?.toLowerCase() ?? "")).toBe("c");

	const batches: number[] = [];
	const batcher = createMessageBatcher(clock, (messages) => batches.push(messages.length));
	for (let index = 0; index < MAX_JOINED + 10; index++) batcher.add(incoming(index, "x".repeat(4_000)));
	await clock.advance(2_000);
	expect(batches).toEqual([MAX_JOINED, 10]);

	const queues = createPerChatQueue();
	const never = () => new Promise<void>(() => undefined);
	for (let index = 0; index < MAX_WAITING_WORK; index++) queues.run({ chatId: 1 }, never);
	expect(queues.run({ chatId: 1 }, never)).toBe(false);
	expect(queues.run({ chatId: 2 }, never)).toBe(true);
});

test("[TG131] late messages are held a hundred to a question, so that a flood of them holds no memory", async () => {
	const asked: number[] = [];
	const stale = createStaleMessages({
		clock,
		inbox: { hold: () => undefined },
		buttons: {
			make: (_chat, label, action) => ({
				text: label,
				callback_data: `${asked.push("updateIds" in action ? action.updateIds.length : 0)}`,
			}),
		},
		speaker: { say: () => undefined, sayError: () => undefined, words: () => english },
		transaction: (work) => work(),
		logger: silentLogger,
	});
	for (let index = 0; index < 2 * MAX_HELD + 10; index++) stale.hold(incoming(index, "x".repeat(4_000)));
	expect(asked).toEqual([MAX_HELD, MAX_HELD, MAX_HELD, MAX_HELD]);
	await clock.advance(1_000);
	expect(asked.slice(4)).toEqual([10, 10]);
	stale.close();
});

test("[TG60] a menu of 120 commands is cut to what Telegram takes", () => {
	const commands = Array.from({ length: 120 }, (_, index) => ({ command: `command_${index}`, description: "d".repeat(200) }));
	const menu = trimMenu(commands);
	expect(menu.length).toBeGreaterThan(10);
	expect(menu.length).toBeLessThanOrEqual(100);
	expect(Buffer.byteLength(JSON.stringify(menu))).toBeLessThanOrEqual(MAX_MENU_BYTES);
	for (const { description } of menu) expect(description.length).toBeLessThanOrEqual(60);
});

test("[TG224] typing ends after three failures in a row", async () => {
	let calls = 0;
	const type: BotClient["typing"] = async () => {
		calls += 1;
		return { kind: "refused", code: 403, description: "Forbidden" };
	};
	const stop = startTyping(clock, () => type({ chatId: 1 }));
	await clock.advance(60_000);
	expect(calls).toBe(3);
	stop();
});

test("[TG39] tokens are recognised in addresses and texts", () => {
	expect(hideTokenShapes("https://api.telegram.org/file/bot123456:AAabcdefghijklmnopqrstuvwxyz012345/photos/1.jpg")).toBe(
		"https://api.telegram.org/file/bot[redacted]/photos/1.jpg",
	);
	expect(hideTokenShapes("at 12:30 in 2026")).toBe("at 12:30 in 2026");
});

test("[TG39] a call that fails does not name the token, however short it is", async () => {
	const client = createBotClient({
		token: "7:short",
		apiRoot: "http://127.0.0.1:1",
		onUnauthorized: () => undefined,
		durable: async () => undefined,
	});
	const result = await client.getMe();
	expect(result).toMatchObject({ kind: "unreachable", message: expect.stringContaining("[redacted]") });
	expect(JSON.stringify(result)).not.toContain("7:short");
	client.close();
});

function incoming(id: number, text: string): Incoming {
	return {
		updateId: id,
		thread: { chatId: 1 },
		messageId: id,
		user: { id: 7, is_bot: false, first_name: "Ann" },
		sentAt: clock.now(),
		text,
		isTyped: true,
		forwardedFrom: undefined,
		repliedTo: undefined,
		files: [],
		voice: undefined,
		mediaGroupId: undefined,
	};
}
