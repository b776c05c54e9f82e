import { type HostInbox, itemToHere } from "@rightseat/protocol/fleet/inbox";
import type { ToldInbox } from "./entries.ts";

/** What waits on other hosts for a person, as they told it last. */
export interface HostInboxes {
	/** All of it, in place of what was told before. False: that was known. */
	set(host: string, told: ToldInbox): boolean;
	/** A new run of that host: whatever it tells is later, also when its clock was set back. */
	begin(host: string): void;
	drop(host: string): void;
	/** Under the ids and with the names that they have here. */
	all(nameOf: (host: string) => string, isMember: (host: string) => boolean): HostInbox;
}

export function createHostInboxes(): HostInboxes {
	const hosts = new Map<string, ToldInbox>();
	return {
		set(host, { at, inbox }) {
			const before = hosts.get(host)?.at ?? -1;
			if (before <= at) hosts.set(host, { at, inbox });
			return before < at;
		},
		begin(host) {
			const known = hosts.get(host);
			if (known !== undefined) known.at = 0;
		},
		drop: (host) => void hosts.delete(host),
		all(nameOf, isMember) {
			const known = [...hosts].filter(([id]) => isMember(id)).map(([id, { inbox }]) => ({ host: { id, name: nameOf(id) }, inbox }));
			return {
				items: known.flatMap(({ host, inbox }) => inbox.items.map((item) => itemToHere(host, item))),
				snoozed: known.flatMap(({ host, inbox }) => inbox.snoozed.map((item) => itemToHere(host, item))),
			};
		},
	};
}
