import { lastUsage } from "@rightseat/protocol/fold/conversation";
import { contextItemSchema } from "@rightseat/protocol/model/command";
import { conversationSchema } from "@rightseat/protocol/model/conversation";
import { type Message, messageSchema } from "@rightseat/protocol/model/message";
import * as z from "zod/mini";
import type { DeviceStore } from "../storage/database.ts";
import { type ConversationView, emptyView } from "./conversation-view.ts";

/** Messages kept on the device per conversation, and conversations kept. */
export const CACHED_MESSAGES = 80;
export const CACHED_VIEWS = 20;
/** Of one conversation at most so much, in characters of its JSON: a page that watched a very long answer has all of it in memory. */
export const CACHED_CHARS = 1_000_000;

const cachedViewSchema = z.object({
	conversationId: z.string(),
	epoch: z.string(),
	lastSeq: z.number(),
	messages: z.array(messageSchema),
	/** Events bring it only when it changes: a view that comes back without it would call a waiting result used. */
	context: z.optional(z.array(contextItemSchema)),
	cut: z.boolean(),
	savedAt: z.number(),
});
const INDEX = "views";
const indexSchema = z.array(z.object({ id: z.string(), savedAt: z.number() }));
type CachedView = z.infer<typeof cachedViewSchema>;

/** The newest conversations on this device, readable without the server. Text and position are written together. */
export function createViewCache(store: DeviceStore) {
	return {
		/** Only a view at rest is kept: what a running turn said comes again from the server. */
		async save(view: ConversationView, now: number): Promise<void> {
			if (view.epoch === undefined || view.turn !== undefined || view.commands.length > 0 || view.queue.length > 0) return;
			const messages = newestWithin(view.messages);
			// An answer that does not fit would leave a position without its text.
			if (messages.length === 0 && view.messages.length > 0) return store.delete("views", view.conversationId);
			const cached: CachedView = {
				conversationId: view.conversationId,
				epoch: view.epoch,
				lastSeq: view.lastSeq,
				messages,
				context: [...view.context],
				cut: messages.length < view.messages.length || view.olderCursor !== undefined,
				savedAt: now,
			};
			await store.put("views", view.conversationId, cached);
			await prune(store, view.conversationId, now);
		},
		async load(conversationId: string): Promise<ConversationView | undefined> {
			const parsed = cachedViewSchema.safeParse(await store.get("views", conversationId));
			if (!parsed.success) return undefined;
			const { epoch, lastSeq, messages, context = [], cut } = parsed.data;
			return {
				...emptyView(conversationId),
				epoch,
				lastSeq,
				messages,
				context,
				olderCursor: cut ? messages[0]?.id : undefined,
				usage: lastUsage(messages),
			};
		},
		forget: (conversationId: string) => store.delete("views", conversationId),
		saveList: (conversations: unknown) => store.put("lists", "conversations", conversations),
		async loadList() {
			const parsed = z.array(conversationSchema).safeParse(await store.get("lists", "conversations"));
			return parsed.success ? parsed.data : [];
		},
	};
}
export type ViewCache = ReturnType<typeof createViewCache>;

function newestWithin(messages: readonly Message[]): Message[] {
	const kept: Message[] = [];
	let chars = 0;
	for (const message of messages.slice(-CACHED_MESSAGES).reverse()) {
		chars += JSON.stringify(message).length;
		if (chars > CACHED_CHARS) break;
		kept.unshift(message);
	}
	return kept;
}

/** Forgets the oldest conversations. An index of times says which; reading all of them to find out would stop the page. */
async function prune(store: DeviceStore, conversationId: string, savedAt: number): Promise<void> {
	const known = indexSchema.safeParse(await store.get("lists", INDEX));
	const others = (known.success ? known.data : []).filter((entry) => entry.id !== conversationId);
	const newest = [...others, { id: conversationId, savedAt }].sort((a, b) => b.savedAt - a.savedAt);
	await store.put("lists", INDEX, newest.slice(0, CACHED_VIEWS));
	for (const { id } of newest.slice(CACHED_VIEWS)) await store.delete("views", id);
}
