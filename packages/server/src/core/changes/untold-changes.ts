import { type ConversationId, conversationId as toConversationId } from "../kernel/ids.ts";
import type { SettingsStore } from "../ports/store.ts";

const KEY = "changes.untold";
/** More are not remembered; the oldest give way. */
export const MAX_UNTOLD = 1_000;

/** A change that was begun and of which readers know nothing yet. */
export interface UntoldChange {
	conversationId: ConversationId;
	changeId: string;
}

/** Changes that were begun and not told: what a crash leaves behind. Every call is part of the commit that it is made in. */
export interface UntoldChanges {
	add(change: UntoldChange): void;
	remove(changeId: string): void;
	/** Nothing of this process will end it any more; it stays on the list. */
	leave(changeId: string): void;
	/** Those that nobody ends: of an earlier process, or left. */
	left(): UntoldChange[];
	/** The conversation is deleted. */
	forget(conversationId: ConversationId): void;
}

/** On disk, but for which of them are being worked on. */
export function createUntoldChanges(settings: SettingsStore): UntoldChanges {
	const live = new Set<string>();

	function list(): UntoldChange[] {
		const stored: unknown = JSON.parse(settings.get(KEY) ?? "[]");
		if (!Array.isArray(stored)) return [];
		return stored.flatMap((entry: unknown) =>
			Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "string"
				? [{ conversationId: toConversationId(entry[0]), changeId: entry[1] }]
				: [],
		);
	}
	function keep(changes: UntoldChange[]): void {
		if (changes.length === 0) settings.delete(KEY);
		else settings.set(KEY, JSON.stringify(changes.map(({ conversationId, changeId }) => [conversationId, changeId])));
	}
	return {
		add(change) {
			live.add(change.changeId);
			// One whose commit failed is never removed.
			for (const oldest of live) if (live.size > MAX_UNTOLD) live.delete(oldest);
			keep([...list(), change].slice(-MAX_UNTOLD));
		},
		remove(changeId) {
			live.delete(changeId);
			keep(list().filter((known) => known.changeId !== changeId));
		},
		leave: (changeId) => void live.delete(changeId),
		left: () => list().filter(({ changeId }) => !live.has(changeId)),
		forget: (conversationId) => keep(list().filter((known) => known.conversationId !== conversationId)),
	};
}
