import type { Beat } from "@rightseat/protocol/fleet/beat";
import type { HostInbox } from "@rightseat/protocol/fleet/inbox";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { type Cancel, type Clock, isoTime } from "../../core/kernel/clock.ts";
import type { FleetHost } from "../../core/ports/fleet.ts";
import type { Bucket, Bus, BusMessage } from "../bus.ts";
import { parseJson } from "../crypto/parse-json.ts";
import type { Sealer } from "../crypto/seal.ts";
import { openBeat } from "../crypto/sealed-json.ts";
import { createHostTable, type HostTable, type KnownHost } from "../host-table.ts";
import type { Members } from "../members/members.ts";
import { subjects } from "../subjects.ts";
import { type ListChange, listChangeSchema, MAX_CHANGE_BYTES } from "./entries.ts";
import { createEntryReader } from "./entry-reader.ts";
import { createHostInboxes } from "./host-inboxes.ts";
import { createHostLists } from "./host-lists.ts";

const SILENCE_MS = 1_000;
/** A host whose beats cannot be believed is asked so often whether it is there. */
const PROVE_MS = 5_000;

/** The other hosts, as their beats, cards and lists show them. */
export interface Others {
	readonly table: HostTable;
	list(): FleetHost[];
	conversations(): Conversation[];
	inbox(): HostInbox;
	/** Reads again what may have changed unheard: the connection was lost, or the members have changed. */
	refresh(): void;
	/** This host is cut off; and it is back. */
	cutOff(): void;
	resumed(): void;
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
	/** Whether the run of this beat is there now. Never rejects. */
	prove(beat: Beat): Promise<boolean>;
	/** Something could not be opened: keys or members may be missing here. */
	onUnopened(): void;
	onChange(): void;
}

export function createOthers(deps: OthersDeps): Others {
	const { fleet, self, bus, sealer, members, bucket, clock } = deps;
	const isOther = (host: string) => host !== self && members.find(host) !== undefined;
	const [table, lists, seenAt] = [createHostTable({ clock, isMember: isOther }), createHostLists(), new Map<string, number>()];
	const [inboxes, proof] = [createHostInboxes(), createProof(deps)];
	const nameOf = (host: string) => table.find(host)?.name ?? host;
	const runOf = (host: string) => table.find(host)?.beat?.instance;
	/** The run that was heard last said so. */
	const isOfThisRun = (host: string, { instance }: { instance?: string | undefined }) => instance !== undefined && instance === runOf(host);
	const entries = createEntryReader({
		...{ fleet, sealer, members, bucket, clock, isOther, beatOf: (host) => table.find(host)?.beat },
		onRead(host, { card, list, inbox }) {
			const isNewCard = card !== undefined && JSON.stringify(table.find(host)?.card) !== JSON.stringify(card) && table.card(card);
			const isNewList = list !== undefined && lists.set(host, list, isOfThisRun(host, list));
			const isNewInbox = inbox !== undefined && inboxes.set(host, inbox, isOfThisRun(host, inbox));
			if (isNewCard || isNewList || isNewInbox) deps.onChange();
		},
	});

	function onBeat({ subject, bytes }: BusMessage): void {
		const host = lastPart(subject);
		if (host === self) return;
		const beat = openBeat(sealer, fleet, host, bytes);
		const before = table.find(host);
		if (beat === undefined || !isOther(host)) {
			deps.onUnopened();
			return;
		}
		if (table.beat(beat)) heard(beat, before);
		else if (table.isDoubtful(beat)) void prove(beat);
	}

	/** It may be recorded: the host itself is asked. */
	async function prove(beat: Beat): Promise<void> {
		const isThere = await proof.isThere(beat);
		const before = table.find(beat.host);
		if (isThere && isOther(beat.host) && table.isDoubtful(beat) && table.beat(beat, true)) heard(beat, before);
	}

	function heard(beat: Beat, before: KnownHost | undefined): void {
		const { host } = beat;
		seenAt.set(host, clock.now());
		const isNewRun = before?.beat?.instance !== beat.instance;
		if (isNewRun) for (const told of [lists, inboxes]) told.begin(host);
		deps.onBeat(beat, isNewRun);
		if (entries.isNewer(host)) entries.read(host);
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
		if (change.data.kind === "put" && bytes.length > MAX_CHANGE_BYTES) return;
		// Of a run that is over, or of one that was not heard yet: its entries will tell.
		const isNamed = isOfThisRun(host, change.data);
		if (!isNamed && change.data.instance !== undefined && runOf(host) !== undefined) return;
		if (change.data.kind === "inbox") inboxes.set(host, change.data, isNamed);
		else lists.change(host, change.data, isNamed);
		deps.onChange();
	}

	function tellSilent(): void {
		for (const host of table.takeSilent()) {
			// The beats that named its last entries may be among those that were lost.
			entries.read(host);
			deps.onSilent(host);
			deps.onChange();
		}
	}
	function refresh(): void {
		// Of those that are there, beats tell when there is something new: a thousand hosts must not all read a thousand others whenever NATS was away.
		const isDue = (host: string) => entries.isNewer(host) || table.find(host)?.state !== "online";
		for (const { host } of members.list()) if (isOther(host) && isDue(host)) entries.read(host);
		for (const host of new Set([...seenAt.keys(), ...entries.takeStrangers()])) {
			if (isOther(host)) continue;
			table.drop(host);
			lists.drop(host);
			inboxes.drop(host);
			seenAt.delete(host);
			proof.drop(host);
		}
	}
	const ends = [
		bus.subscribe(subjects.beat(fleet, "*"), onBeat),
		bus.subscribe(subjects.card(fleet, "*"), onCard),
		repeat(clock, SILENCE_MS, tellSilent),
		entries.close,
	];
	refresh();
	return {
		table,
		list: () => members.list().flatMap(({ host }) => (isOther(host) ? [shown(host)] : [])),
		conversations: () => lists.all(nameOf).filter((each) => each.host !== undefined && isOther(each.host.id)),
		// Who may only watch could settle none of it.
		inbox: () => (members.find(self)?.role === "watch" ? { items: [], snoozed: [] } : inboxes.all(nameOf, isOther)),
		...{ refresh, cutOff: table.cutOff, resumed: table.resumed },
		close() {
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
			clockAheadMs: known?.clock === undefined ? undefined : Math.round(known.clock - clock.now()),
		};
	}
}

/** What happened to a conversation of this host, or to its inbox, for those who look now. */
export function sayChange({ fleet, self, bus, sealer }: Pick<OthersDeps, "fleet" | "self" | "bus" | "sealer">, change: ListChange): void {
	const subject = subjects.card(fleet, self);
	bus.publish(subject, sealer.seal({ context: subject, from: self, body: Buffer.from(JSON.stringify(change)) }));
}

/** Whether a host is there whose beats cannot be believed: it is asked, not more often than every `PROVE_MS`. */
function createProof({ clock, prove }: Pick<OthersDeps, "clock" | "prove">) {
	const askedAt = new Map<string, number>();
	return {
		async isThere(beat: Beat): Promise<boolean> {
			if (clock.elapsed() < (askedAt.get(beat.host) ?? Number.NEGATIVE_INFINITY) + PROVE_MS) return false;
			askedAt.set(beat.host, clock.elapsed());
			return await prove(beat);
		},
		drop: (host: string) => void askedAt.delete(host),
	};
}

function repeat(clock: Pick<Clock, "after">, ms: number, run: () => void): Cancel {
	let cancel: Cancel = clock.after(ms, function again() {
		run();
		cancel = clock.after(ms, again);
	});
	return () => cancel();
}

const lastPart = (subject: string) => subject.slice(subject.lastIndexOf(".") + 1);
