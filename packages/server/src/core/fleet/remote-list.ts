import { remoteIdOf, splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { ConversationChange } from "../active/conversation-changes.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, conversationId } from "../kernel/ids.ts";
import type { Fleet } from "../ports/fleet.ts";
import { parseLine } from "./answer-lines.ts";

/** Conversations that were asked for beyond the lists; the oldest gives way. */
export const MAX_ADOPTED = 1_000;
/** A shorter list of a host has all that it has; a longer one may be cut. */
export const CUT_FROM = 30;

/** Conversations of other hosts as their lists tell them. */
export interface RemoteList {
	list(): Conversation[];
	find(id: ConversationId): Conversation | undefined;
	/** Conversations that their hosts do not list any more, and that somebody here looks at. */
	adopt(conversations: readonly Conversation[]): void;
	/** What was there, looks different or is gone since the last time. */
	onChange(listener: (change: ConversationChange) => void): () => void;
	close(): void;
}

/** Compares the lists whenever the fleet says that something changed. */
export function createRemoteList(fleet: Pick<Fleet, "conversations" | "onChange">): RemoteList {
	const listeners = new Set<(change: ConversationChange) => void>();
	const adopted = new Map<string, Conversation>();
	let known = byId(fleet.conversations());
	const stop = fleet.onChange(() => {
		const before = known;
		known = byId(fleet.conversations());
		for (const id of known.keys()) adopted.delete(id);
		for (const change of changesBetween(before, known)) {
			if (change.kind === "deleted") adopted.delete(change.id);
			for (const listener of listeners) listener(change);
		}
	});
	return {
		list: () => [...known.values()],
		find: (id) => known.get(id) ?? adopted.get(id),
		adopt(conversations) {
			for (const conversation of conversations) {
				if (known.has(conversation.id)) continue;
				adopted.delete(conversation.id);
				adopted.set(conversation.id, conversation);
				const [oldest] = adopted.keys();
				if (adopted.size > MAX_ADOPTED && oldest !== undefined) adopted.delete(oldest);
				for (const listener of listeners) listener({ kind: "updated", conversation });
			}
		},
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		close: stop,
	};
}

function changesBetween(before: ReadonlyMap<string, Conversation>, after: ReadonlyMap<string, Conversation>): ConversationChange[] {
	const gone = [...before.values()]
		.filter((each) => !after.has(each.id) && !isPushedOut(each, after))
		.map(({ id }) => ({ kind: "deleted" as const, id: conversationId(id) }));
	const there = [...after.values()].flatMap((conversation): ConversationChange[] => {
		const old = before.get(conversation.id);
		if (old === undefined) return [{ kind: "created", conversation }];
		return old === conversation || isSame(old, conversation) ? [] : [{ kind: "updated", conversation }];
	});
	return [...gone, ...there];
}

/** Newer ones have taken its place in the list of its host, which is cut: it is still there. */
function isPushedOut(conversation: Conversation, after: ReadonlyMap<string, Conversation>): boolean {
	const listed = [...after.values()].filter(({ host }) => host?.id === conversation.host?.id);
	const last = lastPlace(listed);
	return (
		listed.length >= CUT_FROM &&
		last !== undefined &&
		compare(placeOf(conversation), [last[0], last[1], remoteIdOf(conversation.host?.id ?? "", last[2])]) > 0
	);
}

/** Field by field: a thousand conversations are compared whenever one of them changes. */
function isSame({ host: before, ...a }: Conversation, { host: after, ...b }: Conversation): boolean {
	const [known, fields] = [Object.entries(a), new Map(Object.entries(b))];
	return before?.name === after?.name && known.length === fields.size && known.every(([name, value]) => sameValue(value, fields.get(name)));
}
const sameValue = (a: unknown, b: unknown) => a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
/** A host cannot name a conversation of another, or of this one. */
const byId = (all: readonly Conversation[]): ReadonlyMap<string, Conversation> =>
	new Map(
		all.filter(({ id, host }) => splitRemoteId(id)?.host === host?.id).map((conversation) => [conversation.id, withOrigin(conversation)]),
	);

/** What it was forked from is on its host, too. */
function withOrigin(conversation: Conversation): Conversation {
	const { forkedFrom, host } = conversation;
	if (forkedFrom === undefined || host === undefined || splitRemoteId(forkedFrom.conversationId) !== undefined) return conversation;
	return { ...conversation, forkedFrom: { ...forkedFrom, conversationId: remoteIdOf(host.id, forkedFrom.conversationId) } };
}

/** A page of the conversations of all hosts, in the one order of lists: pinned first, then the newest. */
export function mergePage(
	own: { conversations: Conversation[]; nextCursor?: string },
	others: readonly Conversation[],
	page: { limit: number; cursor?: string; archived?: boolean },
): { conversations: Conversation[]; nextCursor?: string } {
	const after = page.cursor === undefined ? undefined : decodeCursor(page.cursor);
	const wanted = others.filter(
		(each) =>
			(page.archived === undefined || each.archived === page.archived) && (after === undefined || compare(placeOf(each), after) > 0),
	);
	const all = [...own.conversations, ...wanted].toSorted((a, b) => compare(placeOf(a), placeOf(b)));
	const shown = all.slice(0, page.limit);
	const last = shown.at(-1);
	const isMore = all.length > shown.length || own.nextCursor !== undefined;
	return isMore && last !== undefined ? { conversations: shown, nextCursor: writeCursor(placeOf(last)) } : { conversations: shown };
}

/** As the store orders its rows, so that one cursor leads through both. */
type Place = readonly [pinned: number, updatedAt: number, id: string];
const placeOf = ({ pinned, updatedAt, id }: Conversation): Place => [Number(pinned), Date.parse(updatedAt), id];
const compare = (a: Place, b: Place) => b[0] - a[0] || b[1] - a[1] || (a[2] < b[2] ? 1 : a[2] > b[2] ? -1 : 0);
/** The last of one host's conversations, as that host orders them and calls it. */
export function lastPlace(listed: readonly Conversation[]): Place | undefined {
	const last = listed.toSorted((a, b) => compare(placeOf(a), placeOf(b))).at(-1);
	const [pinned, updatedAt, id] = last === undefined ? [0, 0, ""] : placeOf(last);
	return last === undefined ? undefined : [pinned, updatedAt, splitRemoteId(id)?.conversationId ?? id];
}

export const writeCursor = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
export const readCursor = (cursor: string): unknown =>
	/^[\w-]+$/.test(cursor) && cursor.length % 4 !== 1 ? parseLine(atob(cursor.replaceAll("-", "+").replaceAll("_", "/"))) : undefined;

function decodeCursor(cursor: string): Place {
	const place = readCursor(cursor);
	const [pinned, updatedAt, id]: unknown[] = Array.isArray(place) ? place : [];
	if (typeof pinned === "number" && typeof updatedAt === "number" && typeof id === "string") return [pinned, updatedAt, id];
	throw new AppError("bad-request", "The cursor is not one that this server gave out. Start again without it.", {
		params: { reason: "cursor" },
	});
}
