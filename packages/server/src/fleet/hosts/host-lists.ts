import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { HostList, ListChange } from "./entries.ts";
import { asOwn, MAX_LISTED } from "./entries.ts";

/** Conversations of other hosts, as far as they are known here. */
export interface HostLists {
	/** The whole list of a host, in place of what was known. */
	set(host: string, list: HostList): void;
	/** One conversation of a host. */
	change(host: string, change: ListChange): void;
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
	conversations: Map<string, Conversation>;
}

export function createHostLists(): HostLists {
	const hosts = new Map<string, Known>();
	return {
		set(host, { at, conversations }) {
			hosts.set(host, { at, conversations: new Map(conversations.map((each) => [each.id, asOwn(each)])) });
		},
		change(host, change) {
			const known = hosts.get(host) ?? { at: 0, conversations: new Map<string, Conversation>() };
			hosts.set(host, known);
			if (change.kind === "gone") {
				known.conversations.delete(change.id);
				return;
			}
			const { conversation } = change;
			// The newest last, so that the oldest gives way.
			known.conversations.delete(conversation.id);
			known.conversations.set(conversation.id, asOwn(conversation));
			const [oldest] = known.conversations.keys();
			if (known.conversations.size > MAX_KNOWN && oldest !== undefined) known.conversations.delete(oldest);
		},
		at: (host) => hosts.get(host)?.at,
		drop: (host) => void hosts.delete(host),
		all: (nameOf) =>
			[...hosts].flatMap(([host, { conversations }]) => {
				const shown = { id: host, name: nameOf(host) };
				return [...conversations.values()].map((each) => ({ ...each, id: remoteIdOf(host, each.id), host: shown }));
			}),
	};
}
