import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { HostList, ListChange } from "./entries.ts";
import { asOwn, MAX_LISTED } from "./entries.ts";

/** Conversations of other hosts, as far as they are known here. */
export interface HostLists {
	/** The whole list of a host, in place of what was known before it was made. False: it was known. `isOfThisRun`: the run that was heard last said so. */
	set(host: string, list: HostList, isOfThisRun?: boolean): boolean;
	/** One conversation of a host. */
	change(host: string, change: Exclude<ListChange, { kind: "inbox" }>, isOfThisRun?: boolean): void;
	/** When that host said last what it has, in its clock. */
	at(host: string): number | undefined;
	/** A new run of that host: whatever it tells is later, also when its clock was set back. What others told is later by its stamp only. */
	begin(host: string): void;
	drop(host: string): void;
	/** Under the ids and with the names that they have here; what has not changed is the same object as before. */
	all(nameOf: (host: string) => string): Conversation[];
}

/** What came one by one since the last whole list is bounded as well. */
const MAX_KNOWN = 2 * MAX_LISTED;
/** Of one host, and of all; then the oldest of the host that speaks give way. A common conversation has 600. */
export const MAX_HOST_CHARS = 262_144;
const MAX_LISTS_CHARS = 33_554_432;

/** When something was told, and whether by a run before the one that was heard last. */
export interface Told {
	at: number;
	isPast: boolean;
}

interface Entry extends Told {
	/** Without a conversation: it is gone. */
	conversation: Conversation | undefined;
	chars: number;
	/** As it was told last. */
	shown?: Conversation;
}

interface Known extends Told {
	chars: number;
	conversations: Map<string, Entry>;
}

export function createHostLists(maxChars = MAX_LISTS_CHARS): HostLists {
	const hosts = new Map<string, Known>();
	let chars = 0;
	function replace(host: string, next: Known | undefined): void {
		chars += (next?.chars ?? 0) - (hosts.get(host)?.chars ?? 0);
		if (next === undefined) hosts.delete(host);
		else hosts.set(host, next);
	}
	/** The newest last, so that the oldest gives way. `others`: what is known of all other hosts. */
	function put(known: Known, id: string, entry: Entry, others: number): void {
		remove(known, id);
		known.conversations.set(id, entry);
		known.chars += entry.chars;
		const most = Math.min(MAX_HOST_CHARS, maxChars - others);
		for (const oldest of known.conversations.keys()) {
			if (known.conversations.size <= MAX_KNOWN && known.chars <= most) break;
			remove(known, oldest);
		}
	}
	return {
		set(host, { at, conversations }, isOfThisRun = false) {
			const before = hosts.get(host);
			if (before !== undefined && (before.at === at || isLater(before, at, isOfThisRun))) return false;
			const isPast = !isOfThisRun && before?.isPast === true;
			const next: Known = { at, isPast, chars: 0, conversations: new Map() };
			const others = chars - (before?.chars ?? 0);
			for (const each of conversations.toReversed()) put(next, each.id, entryOf({ at, isPast }, asOwn(each)), others);
			// What was told after the list was made is newer than the list, though that is read later.
			for (const [id, each] of before?.conversations ?? []) if (isLater(each, at, isOfThisRun)) put(next, id, each, others);
			replace(host, next);
			return true;
		},
		change(host, change, isOfThisRun = false) {
			const known = hosts.get(host) ?? { at: 0, isPast: false, chars: 0, conversations: new Map<string, Entry>() };
			const others = chars - (hosts.get(host)?.chars ?? 0);
			const { at } = change;
			const id = change.kind === "gone" ? change.id : change.conversation.id;
			const before = known.conversations.get(id);
			if (before !== undefined && isLater(before, at, isOfThisRun)) return;
			const told = { at, isPast: !isOfThisRun && known.isPast };
			put(known, id, entryOf(told, change.kind === "gone" ? undefined : asOwn(change.conversation)), others);
			hosts.set(host, known);
			chars = others + known.chars;
		},
		at: (host) => hosts.get(host)?.at,
		begin(host) {
			const known = hosts.get(host);
			if (known === undefined) return;
			for (const told of [known, ...known.conversations.values()]) told.isPast = true;
		},
		drop: (host) => replace(host, undefined),
		all: (nameOf) =>
			[...hosts].flatMap(([host, { conversations }]) => {
				const name = nameOf(host);
				return [...conversations.values()].flatMap((entry) => {
					const { conversation } = entry;
					if (conversation === undefined) return [];
					// Whoever compares thousands of them whenever one has changed sees at once which are the same.
					if (entry.shown?.host?.name !== name)
						entry.shown = { ...conversation, id: remoteIdOf(host, conversation.id), host: { id: host, name } };
					return [entry.shown];
				});
			}),
	};
}

/** Whether what is known was told after a stamp. What an earlier run told is never later than what this one tells. */
export const isLater = (known: Told, at: number, isOfThisRun: boolean) => known.at > at && !(known.isPast && isOfThisRun);

const entryOf = (told: Told, conversation: Conversation | undefined): Entry => ({
	...{ ...told, conversation, chars: conversation === undefined ? GONE_CHARS : JSON.stringify(conversation).length },
});
/** That one is gone takes its id. */
const GONE_CHARS = 64;

function remove(known: Known, id: string): void {
	known.chars -= known.conversations.get(id)?.chars ?? 0;
	known.conversations.delete(id);
}
