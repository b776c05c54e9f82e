import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { HostList, ListChange } from "./entries.ts";
import { asOwn, MAX_LISTED } from "./entries.ts";

/** Conversations of other hosts, as far as they are known here. */
export interface HostLists {
	/** The whole list of a host, in place of what was known before it was made. */
	set(host: string, list: HostList): void;
	/** One conversation of a host. */
	change(host: string, change: Exclude<ListChange, { kind: "inbox" }>): void;
	/** When that host said last what it has, in its clock. */
	at(host: string): number | undefined;
	drop(host: string): void;
	/** Under the ids and with the names that they have here. */
	all(nameOf: (host: string) => string): Conversation[];
}

/** What came one by one since the last whole list is bounded as well. */
const MAX_KNOWN = 2 * MAX_LISTED;

interface Known {
	at: number;
	/** Without a conversation: it is gone. */
	conversations: Map<string, { at: number; conversation: Conversation | undefined }>;
}

export function createHostLists(): HostLists {
	const hosts = new Map<string, Known>();
	return {
		set(host, { at, conversations }) {
			const before = hosts.get(host);
			if (before !== undefined && before.at > at) return;
			const next: Known = { at, conversations: new Map() };
			for (const each of conversations.toReversed()) next.conversations.set(each.id, { at, conversation: asOwn(each) });
			// What was told after the list was made is newer than the list, though that is read later.
			for (const [id, each] of before?.conversations ?? []) if (each.at > at) put(next, id, each);
			hosts.set(host, next);
		},
		change(host, change) {
			const known = hosts.get(host) ?? { at: 0, conversations: new Map() };
			hosts.set(host, known);
			const { at } = change;
			const id = change.kind === "gone" ? change.id : change.conversation.id;
			if ((known.conversations.get(id)?.at ?? 0) > at) return;
			put(known, id, { at, conversation: change.kind === "gone" ? undefined : asOwn(change.conversation) });
		},
		at: (host) => hosts.get(host)?.at,
		drop: (host) => void hosts.delete(host),
		all: (nameOf) =>
			[...hosts].flatMap(([host, { conversations }]) => {
				const shown = { id: host, name: nameOf(host) };
				return [...conversations.values()].flatMap(({ conversation }) =>
					conversation === undefined ? [] : [{ ...conversation, id: remoteIdOf(host, conversation.id), host: shown }],
				);
			}),
	};
}

/** The newest last, so that the oldest gives way. */
function put({ conversations }: Known, id: string, value: { at: number; conversation: Conversation | undefined }): void {
	conversations.delete(id);
	conversations.set(id, value);
	const [oldest] = conversations.keys();
	if (conversations.size > MAX_KNOWN && oldest !== undefined) conversations.delete(oldest);
}
