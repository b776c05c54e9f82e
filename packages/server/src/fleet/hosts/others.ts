import type { Beat } from "@rightseat/protocol/fleet/beat";
import type { HostInbox } from "@rightseat/protocol/fleet/inbox";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { type Cancel, type Clock, isoTime } from "../../core/kernel/clock.ts";
import type { FleetHost } from "../../core/ports/fleet.ts";
import type { Bucket, Bus, BusMessage } from "../bus.ts";
import { parseJson } from "../crypto/parse-json.ts";
import type { Sealer } from "../crypto/seal.ts";
import { openBeat } from "../crypto/sealed-json.ts";
import { createHostTable, type HostTable } from "../host-table.ts";
import type { Members } from "../members/members.ts";
import { subjects } from "../subjects.ts";
import { cardKey, inboxKey, type ListChange, listChangeSchema, listKey, readCard, readInbox, readList } from "./entries.ts";
import { createHostInboxes } from "./host-inboxes.ts";
import { createHostLists } from "./host-lists.ts";

const SILENCE_MS = 1_000;
/** A beat that named a new entry may have been lost. */
const REFRESH_MS = 60_000;

/** The other hosts, as their beats, cards and lists show them. */
export interface Others {
	readonly table: HostTable;
	list(): FleetHost[];
	conversations(): Conversation[];
	inbox(): HostInbox;
	/** Reads everything again: the connection was lost, or the members have changed. */
	refresh(): void;
	close(): void;
}

interface OthersDeps {
	fleet: string;
	self: string;
	bus: Bus;
	sealer: Sealer;
	members: Members;
	bucket: Bucket;
	clock: Clock;
	/** A sign of life; `isNewRun`: of a run that was not known. */
	onBeat(beat: Beat, isNewRun: boolean): void;
	onSilent(host: string): void;
	/** Something could not be opened: keys or members may be missing here. */
	onUnopened(): void;
	onChange(): void;
}

export function createOthers(deps: OthersDeps): Others {
	const { fleet, self, bus, sealer, members, bucket, clock } = deps;
	const isOther = (host: string) => host !== self && members.find(host) !== undefined;
	const [table, lists, seenAt] = [createHostTable({ clock, isMember: isOther }), createHostLists(), new Map<string, number>()];
	const inboxes = createHostInboxes();
	const nameOf = (host: string) => table.find(host)?.name ?? host;
	const reading = new Set<string>();
	let isClosed = false;

	function onBeat({ subject, bytes }: BusMessage): void {
		const host = lastPart(subject);
		if (host === self) return;
		const beat = openBeat(sealer, fleet, host, bytes);
		const before = table.find(host);
		if (beat === undefined || !isOther(host)) {
			deps.onUnopened();
			return;
		}
		if (!table.beat(beat)) return;
		seenAt.set(host, clock.now());
		const isNewRun = before?.beat?.instance !== beat.instance;
		deps.onBeat(beat, isNewRun);
		if (isNewRun || before?.beat?.revision !== beat.revision) void readEntries(host);
		if (before?.state !== table.find(host)?.state) deps.onChange();
		tellSilent();
	}

	function onCard({ subject, bytes }: BusMessage): void {
		const host = lastPart(subject);
		if (!isOther(host)) return;
		const opened = sealer.open({ context: subject, from: host, bytes });
		const change = opened.ok ? listChangeSchema.safeParse(parseJson(opened.body)) : undefined;
		if (change === undefined) deps.onUnopened();
		// A host of a later version may say more than is known here.
		if (change?.success !== true) return;
		if (change.data.kind === "inbox") inboxes.set(host, change.data);
		else lists.change(host, change.data);
		deps.onChange();
	}

	/** Never rejects: what was not read now is read at the next refresh. */
	async function readEntries(host: string): Promise<void> {
		const member = members.find(host);
		if (member === undefined || reading.has(host)) return;
		reading.add(host);
		try {
			const reader = { fleet, host, signKey: member.keys.sign, sealer };
			const [card, list, inbox] = await Promise.all([cardKey, listKey, inboxKey].map((key) => bucket.get(key(host))));
			const [readableCard, readableList] = [card && readCard(reader, card.value), list && (await readList(reader, list.value))];
			const readableInbox = inbox && (await readInbox(reader, inbox.value));
			if (isClosed || !isOther(host)) return;
			if (readableCard !== undefined) table.card(readableCard);
			if (readableList !== undefined) lists.set(host, readableList);
			if (readableInbox !== undefined) inboxes.set(host, readableInbox);
			deps.onChange();
		} catch {
			// The engine does not answer now.
			return;
		} finally {
			reading.delete(host);
		}
	}

	function tellSilent(): void {
		for (const host of table.takeSilent()) {
			deps.onSilent(host);
			deps.onChange();
		}
	}
	function refresh(): void {
		for (const { host } of members.list()) if (isOther(host)) void readEntries(host);
		for (const host of seenAt.keys()) {
			if (isOther(host)) continue;
			table.drop(host);
			lists.drop(host);
			inboxes.drop(host);
			seenAt.delete(host);
		}
	}
	const repeat = (ms: number, run: () => void): Cancel => {
		let cancel: Cancel = clock.after(ms, function again() {
			run();
			cancel = clock.after(ms, again);
		});
		return () => cancel();
	};

	const ends = [
		bus.subscribe(subjects.beat(fleet, "*"), onBeat),
		bus.subscribe(subjects.card(fleet, "*"), onCard),
		repeat(SILENCE_MS, tellSilent),
		repeat(REFRESH_MS, refresh),
	];
	refresh();
	return {
		table,
		list: () => members.list().flatMap(({ host }) => (isOther(host) ? [shown(host)] : [])),
		conversations: () => lists.all(nameOf).filter((each) => each.host !== undefined && isOther(each.host.id)),
		// Who may only watch could settle none of it.
		inbox: () => (members.find(self)?.role === "watch" ? { items: [], snoozed: [] } : inboxes.all(nameOf, isOther)),
		refresh,
		close() {
			isClosed = true;
			for (const end of ends) end();
		},
	};

	function shown(host: string): FleetHost {
		const known = table.find(host);
		// Of a host that was not heard since this server started, its list tells when it was there.
		const at = seenAt.get(host) ?? lists.at(host);
		return {
			...{ id: host, name: known?.name ?? host, self: false, state: known?.state ?? "offline" },
			...{ lastSeen: at === undefined ? undefined : isoTime(at), version: known?.card?.version ?? "" },
		};
	}
}

/** What happened to a conversation of this host, or to its inbox, for those who look now. */
export function sayChange({ fleet, self, bus, sealer }: Pick<OthersDeps, "fleet" | "self" | "bus" | "sealer">, change: ListChange): void {
	const subject = subjects.card(fleet, self);
	bus.publish(subject, sealer.seal({ context: subject, from: self, body: Buffer.from(JSON.stringify(change)) }));
}

const lastPart = (subject: string) => subject.slice(subject.lastIndexOf(".") + 1);
