import type { ClientFrame } from "@rightseat/protocol/frames/client";
import * as z from "zod/mini";
import type { Clock } from "../connection/clock.ts";
import type { DeviceStore } from "../storage/database.ts";

/** Something a person sent that the server has not confirmed yet. */
const outboxItemSchema = z.object({
	clientMessageId: z.string(),
	conversationId: z.string(),
	kind: z.enum(["prompt", "shell"]),
	text: z.string(),
	attachments: z.optional(z.array(z.string())),
	mode: z.optional(z.enum(["enqueue", "immediate"])),
	createdAt: z.number(),
	/** `sent`: the server has it. `held`: too old to go out by itself. `failed`: the server refused it; `message` says why. */
	state: z.enum(["sending", "sent", "held", "failed"]),
	message: z.optional(z.string()),
	/** Of a sent one, so that the bubble stays until the stored message is on screen. */
	messageId: z.optional(z.string()),
});
export type OutboxItem = z.infer<typeof outboxItemSchema>;

/** Waiting longer than this, a prompt or command is not sent without its writer's word: the world may have moved on. */
export const HOLD_AFTER_MS = 30 * 60_000;
export const MAX_OUTBOX_ITEMS = 100;
export const RETRY_AFTER_MS = 3_000;
/** A confirmed item is shown this much longer at most. */
export const SENT_SHOWN_MS = 5_000;

export interface OutboxOptions {
	clock: Clock;
	store: DeviceStore;
	/** False if it could not be handed to the connection. */
	transmit: (item: OutboxItem) => boolean;
	onChange: (items: readonly OutboxItem[]) => void;
}

export interface Outbox {
	/** What a reload left behind. */
	restore(): Promise<void>;
	/** Kept on the device first, then sent. False when full. */
	add(item: Omit<OutboxItem, "createdAt" | "state" | "message">): Promise<boolean>;
	/** The connection is open: everything unconfirmed goes out again under the same id. */
	flush(): void;
	acked(clientMessageId: string, messageId: string): void;
	/** The stored messages are on screen: whatever becomes of them now, they do not come back from here. */
	shown(isShown: (item: OutboxItem) => boolean): void;
	refused(clientMessageId: string, refusal: { message: string; retryable: boolean }): void;
	retry(clientMessageId: string): void;
	discard(clientMessageId: string): void;
	items(): readonly OutboxItem[];
}

export function createOutbox({ clock, store, transmit, onChange }: OutboxOptions): Outbox {
	let items: readonly OutboxItem[] = [];

	const set = (next: readonly OutboxItem[]) => {
		items = next;
		onChange(items);
	};
	const change = (id: string, patch: Partial<OutboxItem>) => {
		const index = items.findIndex((item) => item.clientMessageId === id);
		const known = items[index];
		if (known === undefined) return undefined;
		const next = { ...known, ...patch };
		set(items.with(index, next));
		void keep(store.put("outbox", id, next));
		return next;
	};
	const remove = (id: string) => {
		set(items.filter((item) => item.clientMessageId !== id));
		void keep(store.delete("outbox", id));
	};

	return {
		async restore() {
			// What a full database refused comes after what it still has, and is newer.
			const kept = new Map<string, OutboxItem>();
			for (const value of await store.all("outbox")) {
				const parsed = outboxItemSchema.safeParse(value);
				if (parsed.success) kept.set(parsed.data.clientMessageId, parsed.data);
			}
			const known = new Set(items.map((item) => item.clientMessageId));
			const restored = [...kept.values()].filter((item) => !known.has(item.clientMessageId)).sort((a, b) => a.createdAt - b.createdAt);
			set([...restored, ...items].slice(0, MAX_OUTBOX_ITEMS));
		},
		async add(input) {
			if (items.length >= MAX_OUTBOX_ITEMS) return false;
			const item: OutboxItem = { ...input, createdAt: clock.now(), state: "sending" };
			set([...items, item]);
			await keep(store.put("outbox", item.clientMessageId, item));
			// It may have been discarded, or confirmed through a reconnect, while the device wrote it.
			if (items.some((other) => other.clientMessageId === item.clientMessageId)) transmit(item);
			return true;
		},
		flush() {
			for (const item of items) {
				if (item.state !== "sending") continue;
				if (clock.now() - item.createdAt > HOLD_AFTER_MS) change(item.clientMessageId, { state: "held" });
				else transmit(item);
			}
		},
		acked(id, messageId) {
			const index = items.findIndex((item) => item.clientMessageId === id);
			const known = items[index];
			if (known === undefined) return;
			void keep(store.delete("outbox", id));
			if (known.kind === "shell") {
				set(items.filter((item) => item !== known));
				return;
			}
			set(items.with(index, { ...known, state: "sent", messageId }));
			clock.after(SENT_SHOWN_MS, () => set(items.filter((item) => item.clientMessageId !== id)));
		},
		shown(isShown) {
			const rest = items.filter((item) => item.state !== "sent" || !isShown(item));
			if (rest.length < items.length) set(rest);
		},
		refused(id, { message, retryable }) {
			if (!retryable) {
				change(id, { state: "failed", message });
				return;
			}
			clock.after(RETRY_AFTER_MS, () => {
				const item = items.find((other) => other.clientMessageId === id);
				if (item?.state === "sending") transmit(item);
			});
		},
		retry(id) {
			const item = change(id, { state: "sending", message: undefined, createdAt: clock.now() });
			if (item !== undefined) transmit(item);
		},
		discard: remove,
		items: () => items,
	};
}

/** A device that is full loses the copy for a reload; what is sent goes out all the same. */
function keep(written: Promise<void>): Promise<void> {
	return written.catch((error: unknown) => console.warn("This device could not note what was sent.", error));
}

/** An item as it goes out; the same id every time makes the server take it once. */
export function frameOf({ kind, conversationId, clientMessageId, text, attachments, mode }: OutboxItem): ClientFrame {
	if (kind === "shell") return { type: "bash:exec", data: { command: text, conversationId, clientMessageId } };
	return { type: "copilot:send", data: { conversationId, prompt: text, clientMessageId, attachments, mode } };
}
