import type { Conversation } from "@rightseat/protocol/entities";
import * as z from "zod/mini";

/** How far each conversation was read on this device. */
export type ReadMarks = Readonly<Record<string, number>>;
export const MAX_READ_MARKS = 500;
const KEY = "rightseat.read";

/** A conversation that this device never saw counts as read: a new device must not open with a wall of dots. */
export function isUnread(conversation: Conversation, marks: ReadMarks): boolean {
	const read = marks[conversation.id];
	return read !== undefined && conversation.headSeq > read;
}

/** Marks for every listed conversation: new ones start as read, gone ones are forgotten, the open one follows its head. */
export function updateReadMarks(marks: ReadMarks, conversations: readonly Conversation[], openId: string | undefined): ReadMarks {
	const next: Record<string, number> = {};
	for (const { id, headSeq } of conversations.slice(0, MAX_READ_MARKS)) {
		const read = marks[id];
		next[id] = read === undefined || id === openId ? headSeq : Math.min(read, headSeq);
	}
	const ids = Object.keys(next);
	const same = ids.length === Object.keys(marks).length && ids.every((id) => next[id] === marks[id]);
	return same ? marks : next;
}

export function loadReadMarks(storage: Pick<Storage, "getItem">): ReadMarks {
	try {
		const parsed = z.record(z.string(), z.number()).safeParse(JSON.parse(storage.getItem(KEY) ?? "{}"));
		return parsed.success ? parsed.data : {};
	} catch {
		// Without storage nothing is marked unread; the list itself works.
		return {};
	}
}

export function saveReadMarks(storage: Pick<Storage, "setItem">, marks: ReadMarks): void {
	try {
		storage.setItem(KEY, JSON.stringify(marks));
	} catch (error) {
		console.warn("What was read could not be kept.", error);
	}
}
