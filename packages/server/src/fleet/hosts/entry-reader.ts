import type { Beat, HostCard } from "@rightseat/protocol/fleet/beat";
import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { Bucket } from "../bus.ts";
import type { Sealer } from "../crypto/seal.ts";
import type { Members } from "../members/members.ts";
import { createTakeTurns } from "../take-turns.ts";
import { cardKey, type HostList, inboxKey, listKey, readCard, readInbox, readList, type ToldInbox } from "./entries.ts";

/** Whatever was missed: every host is read again so often, but of a large fleet no more than one in so long. Else all would ask for all at once. */
const REFRESH_MS = 60_000;
const REFRESH_SPACING_MS = 1_000;
/** Hosts whose entries are read at the same time. */
const MAX_READINGS = 8;

/** Reads what other hosts have in the engine's table: when there is something new, and now and then anyway. */
export interface EntryReader {
	/** Its beats name entries that were not read yet. */
	isNewer(host: string): boolean;
	/** As soon as it may; once for all who ask meanwhile. */
	read(host: string): void;
	/** Those that were read and do not belong to the fleet any more. */
	takeStrangers(): string[];
	close(): void;
}

/** What was found of a host; undefined: nothing that it signed. */
export interface FoundEntries {
	card: HostCard | undefined;
	list: HostList | undefined;
	inbox: ToldInbox | undefined;
}

interface ReaderDeps {
	fleet: string;
	sealer: Sealer;
	members: Members;
	bucket: Bucket;
	clock: Pick<Clock, "after">;
	isOther: (host: string) => boolean;
	beatOf: (host: string) => Beat | undefined;
	onRead: (host: string, found: FoundEntries) => void;
}

export function createEntryReader(deps: ReaderDeps): EntryReader {
	const { fleet, sealer, members, bucket, clock, isOther } = deps;
	const reading = new Set<string>();
	/** Which of its entries each host was last read with, as its beats name them. */
	const readAt = new Map<string, string>();
	const takeTurns = createTakeTurns({ ofHost: 1, all: MAX_READINGS });
	const isNewer = (host: string) => versionOf(deps.beatOf(host)) !== readAt.get(host);
	let isClosed = false;

	/** Never rejects: what was not read now is read with the next beat, or when it is this host's turn again. */
	async function read(host: string): Promise<void> {
		if (reading.has(host)) return;
		reading.add(host);
		const version = versionOf(deps.beatOf(host));
		try {
			await takeTurns(host, () => readNow(host));
		} catch {
			// The engine does not answer now.
			return;
		} finally {
			reading.delete(host);
		}
		if (isClosed || !isOther(host) || version === versionOf(deps.beatOf(host))) return;
		void read(host);
	}
	async function readNow(host: string): Promise<void> {
		const [member, version] = [members.find(host), versionOf(deps.beatOf(host))];
		if (member === undefined || isClosed) return;
		const reader = { fleet, host, signKey: member.keys.sign, sealer };
		const [card, list, inbox] = await Promise.all([cardKey, listKey, inboxKey].map((key) => bucket.get(key(host))));
		const found: FoundEntries = {
			card: card && readCard(reader, card.value),
			list: list && (await readList(reader, list.value)),
			inbox: inbox && (await readInbox(reader, inbox.value)),
		};
		if (isClosed || !isOther(host)) return;
		// Without the key that it was sealed with it is read again, until the key is here.
		if (found.card !== undefined) readAt.set(host, version);
		deps.onRead(host, found);
	}

	/** One host after another. */
	let turns: string[] = [];
	function regular(): void {
		const all = members.list();
		if (turns.length === 0) turns = all.map(({ host }) => host);
		const host = turns.pop();
		if (host !== undefined && isOther(host)) void read(host);
		cancel = clock.after(Math.max(REFRESH_SPACING_MS, Math.floor(REFRESH_MS / Math.max(1, all.length))), regular);
	}
	let cancel: Cancel = clock.after(REFRESH_SPACING_MS, regular);
	return {
		isNewer,
		read: (host) => void read(host),
		takeStrangers() {
			const strangers = [...readAt.keys()].filter((host) => !isOther(host));
			for (const host of strangers) readAt.delete(host);
			return strangers;
		},
		close() {
			isClosed = true;
			cancel();
		},
	};
}

/** Which entries a host has, as its beats tell it. */
const versionOf = (beat: Beat | undefined) => (beat === undefined ? "" : `${beat.instance} ${beat.revision}`);
