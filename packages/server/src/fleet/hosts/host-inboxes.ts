import { type HostInbox, itemToHere } from "@rightseat/protocol/fleet/inbox";
import type { ToldInbox } from "./entries.ts";
import { isLater, type Told } from "./host-lists.ts";

/** What waits on other hosts for a person, as they told it last. */
export interface HostInboxes {
	/** All of it, in place of what was told before. False: that was known. `isOfThisRun`: the run that was heard last said so. */
	set(host: string, told: ToldInbox, isOfThisRun?: boolean): boolean;
	/** A new run of that host: whatever it tells is later, also when its clock was set back. What others told is later by its stamp only. */
	begin(host: string): void;
	drop(host: string): void;
	/** Under the ids and with the names that they have here. */
	all(nameOf: (host: string) => string, isMember: (host: string) => boolean): HostInbox;
}

export function createHostInboxes(): HostInboxes {
	const hosts = new Map<string, Told & { inbox: HostInbox }>();
	return {
		set(host, { at, inbox }, isOfThisRun = false) {
			const before = hosts.get(host);
			if (before !== undefined && isLater(before, at, isOfThisRun)) return false;
			hosts.set(host, { at, isPast: !isOfThisRun && before?.isPast === true, inbox });
			return before?.at !== at;
		},
		begin(host) {
			const known = hosts.get(host);
			if (known !== undefined) known.isPast = true;
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
