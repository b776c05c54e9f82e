import * as z from "zod/mini";
import { MAX_SHARED_BYTES } from "../../../core/ports/fleet.ts";

/** What is carried of one chat; the newest of each. */
export const MAX_THREADS = 64;
export const MAX_KEYS = 64;
export const MAX_PROMPTS = 32;
/** Bytes of messages that wait for one chat; a next holder tells that there were more. */
export const MAX_ROW_BYTES = 24_000;
/** Of the bot itself. */
export const MAX_CHATS = 500;
export const MAX_PEOPLE = 100;
export const MAX_NOTES = 40;
export const MAX_HANDLED = 100;

const fence = z.int().check(z.minimum(1));
const id = z.string().check(z.minLength(1), z.maxLength(200));
const text = (most: number) => z.string().check(z.maxLength(most));
const list = <T extends z.core.$ZodType>(item: T, most: number) => z.array(item).check(z.maxLength(most));

/** All that the next holder must know of a chat. Conversations have the ids that name their host. */
export const chatEntrySchema = z.object({
	fence,
	threads: list(
		z.object({
			threadId: z.int(),
			conversationId: id,
			openTurn: z.nullable(id),
			/** The last answer it was told; a holder of an older version says nothing about it. */
			told: z.optional(z.nullable(text(200))),
			createdAt: z.int(),
			lastUsed: z.int(),
		}),
		MAX_THREADS,
	),
	language: z.nullable(text(20)),
	/** Messages that wait, in order. `sending`: nobody knows whether Telegram has it. */
	rows: list(
		z.object({
			key: z.nullable(text(300)),
			threadId: z.nullable(z.int()),
			conversationId: z.nullable(id),
			state: z.enum(["pending", "sending"]),
			payload: text(MAX_ROW_BYTES),
		}),
		600,
	),
	/** Of messages that are not sent again. */
	settled: list(text(300), MAX_KEYS),
	/** Messages that stand for something running. */
	live: list(z.object({ messageId: z.int(), leftover: z.nullable(text(500)) }), MAX_KEYS),
	prompts: list(z.object({ messageId: z.int(), conversationId: id, promptId: id }), MAX_PROMPTS),
});
export type ChatEntry = z.infer<typeof chatEntrySchema>;

/** The bot itself: who had it last, who may talk, and which chats there are. */
export const botEntrySchema = z.object({
	fence,
	host: id,
	people: list(z.object({ userId: z.int(), name: text(100), pairedAt: z.int() }), MAX_PEOPLE),
	/** Chosen agents, and groups that got another id. */
	notes: list(z.object({ key: text(100), value: text(200) }), MAX_NOTES),
	chats: list(z.int(), MAX_CHATS),
	/** Updates that were handled: Telegram may hand them out again. */
	handled: list(z.int(), MAX_HANDLED),
});
export type BotEntry = z.infer<typeof botEntrySchema>;

/** The entry, with the longest lists cut until it fits; the newest of each stay. Messages that wait were cut before. */
export function fitting<T extends BotEntry | ChatEntry>(entry: T): T {
	for (let kept = entry; ; ) {
		if (bytesOf(kept) <= MAX_SHARED_BYTES) return kept;
		const lists = Object.entries(kept).flatMap(([name, value]) => (Array.isArray(value) && name !== "rows" ? [{ name, value }] : []));
		const longest = lists.toSorted((a, b) => bytesOf(b.value) - bytesOf(a.value))[0];
		if (longest === undefined || longest.value.length === 0) return kept;
		kept = { ...kept, [longest.name]: longest.value.slice(0, Math.floor(longest.value.length / 2)) };
	}
}

export const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Whoever wrote an entry of any shape. */
export function fenceIn(value: unknown): number {
	const parsed = z.object({ fence }).safeParse(value);
	return parsed.success ? parsed.data.fence : 0;
}
