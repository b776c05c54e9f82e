import { type Clock, systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { createBotMethods, type OpenCallback } from "./bot-methods.ts";
import { createFaults, type Fault } from "./faults.ts";
import { listOf, numberOf, type Params } from "./params.ts";
import { createPersonSide, type PersonIdentity } from "./people.ts";
import { createRateModel } from "./rate-model.ts";
import { Refusal } from "./refusal.ts";
import type { RequestBody } from "./request-body.ts";
import { createUpdateQueue } from "./update-queue.ts";
import { type Chat, createWorld, type Message } from "./world.ts";

export interface Call {
	method: string;
	params: Params;
	at: number;
	outcome: "ok" | "refused" | "dropped" | "waiting";
	code?: number;
}

/** One call, however it came here. */
export interface BotRequest {
	token: string | undefined;
	method: string;
	body: RequestBody;
	/** The caller may be gone before it is answered. */
	onLeave(listener: () => void): void;
}
export type BotReply = { kind: "answer"; status: number; value: object } | { kind: "cut" };

export const TEST_TOKEN = "424242:AAtestTokenOfTheEmulator_0123456789ab";
const BOT = { id: 424242, username: "rightseat_bot", hasTopics: false };
const MOVING = new Set(["sendMessage", "editMessageText", "sendDocument", "sendPhoto", "sendVoice", "sendMediaGroup"]);

/** The Bot API without a network, as strict as Telegram, with a person's side to type and tap. */
export function createBotApi(options: { clock?: Clock; token?: string; rateLimits?: boolean } = {}) {
	const clock = options.clock ?? systemClock;
	let token = options.token ?? TEST_TOKEN;
	const world = createWorld(clock);
	const updates = createUpdateQueue(clock);
	const callbacks = new Map<string, OpenCallback>();
	const methods = createBotMethods({ world, clock, bot: BOT, callbacks });
	const side = createPersonSide({ world, updates, clock, callbacks });
	const faults = createFaults();
	const rates = createRateModel(clock);
	const calls: Call[] = [];
	const watchers = new Set<() => void>();
	let hanging = false;
	let hung = 0;
	let slotHeldUntil = 0;
	let lastBatch: ReturnType<typeof updates.pending> = [];

	const changed = () => {
		for (const watcher of [...watchers]) watcher();
	};

	async function call({ token: given, method, body, onLeave }: BotRequest): Promise<BotReply> {
		const call: Call = { method, params: body.params, at: clock.now(), outcome: "waiting" };
		calls.push(call);
		changed();
		const fault = faults.take(method, body.params);
		if (fault?.delayMs !== undefined) await wait(fault.delayMs);
		if (fault?.dropBefore === true) return cut(call);
		try {
			if (given !== token) throw new Refusal(401, "Unauthorized");
			if (fault?.code !== undefined) throw refusalOf(fault);
			const result = await act(call, body, onLeave);
			if (fault?.dropAfter === true) return cut(call);
			call.outcome = "ok";
			return { kind: "answer", status: 200, value: { ok: true, result } };
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			call.outcome = "refused";
			call.code = error.code;
			const parameters = Object.keys(error.parameters).length > 0 ? { parameters: error.parameters } : {};
			return {
				kind: "answer",
				status: error.code,
				value: { ok: false, error_code: error.code, description: error.message, ...parameters },
			};
		} finally {
			changed();
		}
	}

	async function act(call: Call, body: RequestBody, onLeave: BotRequest["onLeave"]): Promise<unknown> {
		if (call.method === "getUpdates") return poll(body.params, onLeave);
		const method = methods.get(call.method);
		if (method === undefined) throw new Refusal(404, "Not Found: method not found");
		const chatId = numberOf(body.params, "chat_id");
		if (options.rateLimits === true && chatId !== undefined && MOVING.has(call.method)) {
			rates.take(chatId, world.chats.get(chatId)?.type !== "private");
		}
		return method({ params: body.params, files: body.files });
	}

	async function poll(params: Params, onLeave: BotRequest["onLeave"]): Promise<unknown> {
		if (hanging) {
			hung += 1;
			onLeave(() => {
				hung -= 1;
			});
			return new Promise(() => undefined);
		}
		if (clock.now() < slotHeldUntil)
			throw new Refusal(409, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running");
		const waiting = updates.get({
			offset: numberOf(params, "offset") ?? 0,
			limit: numberOf(params, "limit") ?? 100,
			timeoutMs: (numberOf(params, "timeout") ?? 0) * 1000,
			allowed: listOf(params, "allowed_updates")?.map(String),
		});
		onLeave(waiting.leave);
		lastBatch = await waiting.result;
		return lastBatch;
	}

	function cut(call: Call): BotReply {
		call.outcome = "dropped";
		return { kind: "cut" };
	}

	const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

	return {
		call,
		/** The bytes behind a path that `getFile` gave. */
		file: (path: string) => [...world.files.values()].find((each) => each.path === path)?.bytes,
		bot: BOT,
		get token() {
			return token;
		},
		/** From now on every call with the old token gets 401. */
		revokeToken: () => {
			token = `${token}-revoked`;
		},
		calls,
		callsOf: (method: string) => calls.filter((call) => call.method === method),
		world,
		updates,
		lastBatch: () => lastBatch,
		/** Messages of a chat that still exist, in order. */
		transcript: (chatId: number): Message[] => world.messages.filter((each) => each.chatId === chatId && each.deletedAt === undefined),
		fromBot: (chatId: number): Message[] =>
			world.messages.filter((each) => each.chatId === chatId && each.deletedAt === undefined && each.from === "bot"),
		callbackAnswer: (id: string) => callbacks.get(id)?.answer,
		fault: (method: string, fault: Fault) => faults.add(method, fault),
		clearFaults: () => faults.clear(),
		/** getUpdates is taken and never answered. */
		hang: (on: boolean) => {
			hanging = on;
		},
		/** A poll that will never be answered is open. */
		isHanging: () => hung > 0,
		/** getUpdates answers 409 for this long. */
		holdSlot: (ms: number) => {
			slotHeldUntil = clock.now() + ms;
			updates.steal();
		},
		private: (person: PersonIdentity) => side(person, world.addChat({ id: person.id, type: "private" })),
		group: (id: number, title: string, isForum = false): Chat => world.addChat({ id, type: "supergroup", title, isForum }),
		in: (person: PersonIdentity, chat: Chat, threadId?: number) => {
			if (threadId !== undefined) chat.topics.add(threadId);
			return side(person, chat, threadId);
		},
		anonymousAdmin: (chat: Chat) => side({ id: 1, name: "hidden" }, chat, undefined, { anonymous: true }),
		/** Calls back when a call came in and when it was answered; the result stops it. */
		onCall: (watcher: () => void) => {
			watchers.add(watcher);
			return () => watchers.delete(watcher);
		},
	};
}
export type BotApi = ReturnType<typeof createBotApi>;

function refusalOf(fault: Fault): Refusal {
	const code = fault.code ?? 500;
	const wait = fault.retryAfter;
	const description =
		fault.description ??
		(code === 429 ? `Too Many Requests: retry after ${wait ?? 1}` : code === 401 ? "Unauthorized" : "Internal Server Error");
	return new Refusal(code, description, {
		...(wait !== undefined && { retry_after: wait }),
		...(fault.migrateTo !== undefined && { migrate_to_chat_id: fault.migrateTo }),
	});
}
