import type { CallbackQuery, Message, Update, User } from "grammy/types";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { IdSource } from "../../../core/kernel/ids.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../../core/ports/sql-row.ts";
import { isGroup } from "./chat-thread.ts";

/** A stranger who waits, as the page lists them. Without the code: it proves who they are only if it comes from them. */
export interface PairRequest {
	userId: number;
	name: string;
	username?: string;
	createdAt: string;
	expiresAt: string;
}
export interface PairedPerson {
	userId: number;
	name: string;
	/** Named in the configuration: only that can take them away. */
	fixed: boolean;
	pairedAt?: string;
}

/** Strangers who may ask to be let in at the same time. */
export const MAX_PAIR_REQUESTS = 20;
const PAIR_LIFE_MS = 15 * 60_000;

/** Who may use the bot: numeric ids only, names can be taken by others. */
export interface Access {
	/** The person behind an update, if it has a real one that is allowed. */
	check(update: Update): { verdict: "allowed"; user: User } | { verdict: "stranger"; user: User; chatId: number } | { verdict: "ignored" };
	/** A code for a stranger who wrote for the first time; undefined when there is nothing more to say to them. */
	request(user: User): string | undefined;
	pending(): PairRequest[];
	/** Lets the person in; undefined when the code is unknown or too old. */
	confirm(code: string): PairedPerson | undefined;
	revoke(userId: number): boolean;
	people(): PairedPerson[];
	/** Whether this person may have anything done, now: asked again for what waited since it was sent. */
	mayAct(userId: number): boolean;
	/** Whether this chat may be shown anything, now: a private chat by its person, a group by the configuration. */
	mayRead(chatId: number): boolean;
	/** Telegram gave a group another id: what held for the old one holds for the new one, for as long as it does. */
	moved(from: number, to: number): void;
}

/** A group changes its id once in its life; a longer way back means that something is wrong. */
const MAX_MOVES = 5;

export function createAccess(deps: {
	sql: SqlDatabase;
	clock: Clock;
	ids: IdSource;
	allowedUsers: number[];
	groups: boolean | number[];
	/** Whether strangers may ask to be let in. */
	pairing: boolean;
}): Access {
	const { sql, clock } = deps;
	const fixed = new Set(deps.allowedUsers);
	const requests = new Map<number, PairRequest & { code: string; expiresMs: number }>();

	const isAllowed = (userId: number) =>
		fixed.has(userId) || sql.prepare("SELECT 1 AS found FROM telegram_people WHERE user_id = ?").get(userId) !== undefined;
	function isOpenGroup(chatId: number): boolean {
		if (typeof deps.groups === "boolean") return deps.groups;
		let id = chatId;
		for (let moves = 0; moves <= MAX_MOVES; moves++) {
			if (deps.groups.includes(id)) return true;
			const before = sql.prepare("SELECT value FROM telegram_state WHERE key = ?").get(movedKey(id));
			if (before === undefined) return false;
			id = Number(textColumn(before, "value"));
		}
		return false;
	}
	const dropExpired = () => {
		for (const [userId, request] of requests) if (request.expiresMs <= clock.now()) requests.delete(userId);
	};

	return {
		check(update) {
			const source = sourceOf(update);
			if (source === undefined) return { verdict: "ignored" };
			const { user, message } = source;
			// An anonymous admin or a channel writes without a person that could be checked.
			if (user.is_bot || message.sender_chat !== undefined) return { verdict: "ignored" };
			const { chat } = message;
			if (chat.type === "channel" || (chat.type !== "private" && !isOpenGroup(chat.id))) return { verdict: "ignored" };
			if (isAllowed(user.id)) return { verdict: "allowed", user };
			return deps.pairing && chat.type === "private" ? { verdict: "stranger", user, chatId: chat.id } : { verdict: "ignored" };
		},
		request(user) {
			dropExpired();
			if (requests.has(user.id) || requests.size >= MAX_PAIR_REQUESTS) return undefined;
			const raw = deps.ids.next().replaceAll("-", "").slice(0, 8).toUpperCase();
			const code = `${raw.slice(0, 4)}-${raw.slice(4)}`;
			const expiresMs = clock.now() + PAIR_LIFE_MS;
			requests.set(user.id, {
				code,
				userId: user.id,
				name: nameOf(user),
				...(user.username === undefined ? {} : { username: user.username }),
				createdAt: new Date(clock.now()).toISOString(),
				expiresAt: new Date(expiresMs).toISOString(),
				expiresMs,
			});
			return code;
		},
		pending() {
			dropExpired();
			return [...requests.values()].map(({ expiresMs: _, code: __, ...request }) => request);
		},
		confirm(code) {
			dropExpired();
			const request = [...requests.values()].find((each) => plainCode(each.code) === plainCode(code));
			if (request === undefined) return undefined;
			requests.delete(request.userId);
			sql
				.prepare("INSERT OR REPLACE INTO telegram_people (user_id, name, paired_at) VALUES (?, ?, ?)")
				.run(request.userId, request.name, clock.now());
			return { userId: request.userId, name: request.name, fixed: false, pairedAt: new Date(clock.now()).toISOString() };
		},
		revoke: (userId) => sql.prepare("DELETE FROM telegram_people WHERE user_id = ?").run(userId).changes > 0,
		people() {
			const paired = sql.prepare("SELECT user_id, name, paired_at FROM telegram_people ORDER BY paired_at").all();
			return [
				...[...fixed].map((userId) => ({ userId, name: String(userId), fixed: true })),
				...paired.map((row) => ({
					userId: numberColumn(row, "user_id"),
					name: textColumn(row, "name"),
					fixed: false,
					pairedAt: new Date(numberColumn(row, "paired_at")).toISOString(),
				})),
			];
		},
		mayAct: isAllowed,
		mayRead: (chatId) => (isGroup({ chatId }) ? isOpenGroup(chatId) : isAllowed(chatId)),
		moved(from, to) {
			if (from !== to && isOpenGroup(from) && !isOpenGroup(to))
				sql.prepare("INSERT OR REPLACE INTO telegram_state (key, value) VALUES (?, ?)").run(movedKey(to), String(from));
		},
	};
}

/** As people type it: in small letters, without the dash, with spaces. */
const plainCode = (code: string) => code.replace(/[^0-9a-z]/gi, "").toUpperCase();

const movedKey = (chatId: number) => `moved-to:${chatId}`;

export const nameOf = (user: User) =>
	[user.first_name, user.last_name]
		.filter((part) => part !== undefined)
		.join(" ")
		.slice(0, 80);

function sourceOf(update: Update): { user: User; message: Message | MessageOfCallback } | undefined {
	const message = update.message ?? update.edited_message;
	if (message !== undefined) return message.from === undefined ? undefined : { user: message.from, message };
	const query: CallbackQuery | undefined = update.callback_query;
	// The message under a button is the bot's own; who tapped it is what counts.
	return query?.message === undefined ? undefined : { user: query.from, message: { chat: query.message.chat } };
}

interface MessageOfCallback {
	chat: Message["chat"];
	sender_chat?: undefined;
}
