import { FLEET_VERSION } from "@rightseat/protocol/fleet/command";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { type Clock, isoTime } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { ConversationId, IdSource } from "../../core/kernel/ids.ts";
import { conversationId } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { FleetHost, FleetOwner, FleetReader, FleetRequest } from "../../core/ports/fleet.ts";
import { createCommandClient } from "../commands/command-client.ts";
import { createCommandMemory } from "../commands/command-memory.ts";
import { createCommandServer } from "../commands/command-server.ts";
import type { Fences } from "../commands/fences.ts";
import type { Courier } from "../courier.ts";
import { createSealer } from "../crypto/seal.ts";
import { sealEvent } from "../crypto/sealed-json.ts";
import { createForwardClock } from "../forward-clock.ts";
import type { FleetHome, Identity } from "../home/fleet-home.ts";
import { createEntryWriter } from "../hosts/entry-writer.ts";
import { createOthers, sayChange } from "../hosts/others.ts";
import { createLease } from "../lease/lease.ts";
import { createLeaseCodec } from "../lease/lease-codec.ts";
import type { Role } from "../members/statement.ts";
import { openRoster } from "../roster/roster.ts";
import { createRosterKeeper } from "../roster/roster-keeper.ts";
import { findCopy } from "../snapshots/find-copy.ts";
import { buckets, subjects } from "../subjects.ts";
import { createCopyKeeper } from "./copy-keeper.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { createHostGuard, keepLease } from "./host-guard.ts";
import { createInviteDesk } from "./invite-desk.ts";
import { createReadServer, readFromOwner } from "./read-parts.ts";
import { createRemoteWatch, type RemoteWatch } from "./remote-watch.ts";

/** What a host needs to take part in its fleet. */
export interface SessionDeps {
	courier: Courier;
	home: FleetHome;
	owner: FleetOwner;
	fences: Fences;
	/** However much a host was given, here it may do no more than this. */
	allow: Role;
	/** Of Rightseat. */
	version: string;
	/** What this machine is called, for whoever finds its identity in use. */
	machine: string;
	clock: Clock;
	ids: IdSource;
	logger: Logger;
	/** Hosts, conversations or problems may be others now. */
	onChange(): void;
}

/** This host in its fleet, from when it knows who it is until it stops. */
export interface Session {
	hosts(): FleetHost[];
	conversations(): Conversation[];
	watch(id: ConversationId, reader: FleetReader): () => void;
	command(request: FleetRequest): Promise<string[]>;
	lease(name: string): { fence(): number | undefined; close(): Promise<void> };
	/** Why this host does not take part, for a person to mend. */
	problem(): AppError | undefined;
	/** It takes part, but not with everything. */
	warning(): AppError | undefined;
	close(): Promise<void>;
}

/** A turn or a question stands still: the moment for a copy. */
const ENDS = ['{"type":"copilot:idle"', '{"type":"copilot:user_input_request"', '{"type":"copilot:permission_request"'];
/** Of a run of this disk that is over: nobody else can have used it, unless the disk was copied. */
const EARLY_TAKE_MS = 3_000;
/** Somebody who looks asks a quiet host for a minute of beats. */
const HELLO_MS = 45_000;

export async function openSession(identity: Identity, deps: SessionDeps): Promise<Session> {
	const { courier, owner, clock, ids, logger } = deps;
	const { bus } = courier;
	const { fleet, keys, name } = identity;
	const self = keys.host;
	const { history, contentKeys } = deps.home;
	const roster = await openRoster({ ...identity, bus, history, contentKeys, now: clock.now });
	const { members } = roster;
	const sealer = createSealer(fleet, roster.held);
	const instance = ids.next();
	const now = createForwardClock(clock);
	const copies = courier.copies(fleet);
	const watches = new Set<RemoteWatch>();
	const of = (host: string) => [...watches].filter((watch) => watch.host === host);
	const everybody = (what: (watch: RemoteWatch) => void) => {
		for (const watch of watches) what(watch);
	};

	const leaseOf = (lease: string, holder: string, early?: { holder: string; takeMs: number }) =>
		createLease({
			...{ name: lease, holder, clock, fences: deps.fences, early },
			bucket: bus.bucket(buckets.leases(fleet)),
			codec: createLeaseCodec(sealer, fleet, lease, self),
		});
	const [holder, lastRun] = [`${instance} ${deps.machine.slice(0, 60)}`, await deps.home.lastRun()];
	await deps.home.keepRun(holder);
	const guard = createHostGuard(
		leaseOf(`host.${self}`, holder, lastRun === undefined ? undefined : { holder: lastRun, takeMs: EARLY_TAKE_MS }),
		{ clock, onChange: served },
	);
	const { isServing } = guard;

	const entries = createEntryWriter({
		...{ fleet, keys, sealer, clock, isServing, keyNumber: members.keyNumber, conversations: owner.conversations },
		bucket: bus.bucket(buckets.hosts(fleet)),
		card: () => ({
			host: self,
			name,
			version: deps.version,
			protocol: { min: 1, max: FLEET_VERSION },
			platform: process.platform,
			since: identity.since,
		}),
		onWritten: () => heartbeat.now(),
	});
	const heartbeat = createHeartbeat({
		...{ fleet, host: self, instance, sealer, bus, members, clock, now, isServing },
		...{ heads: owner.heads, revision: entries.revision },
	});
	const keeper = createRosterKeeper({ roster, bus, fleet, self, clock, logger, isServing });
	const others = createOthers({
		...{ fleet, self, bus, sealer, members, clock, bucket: bus.bucket(buckets.hosts(fleet)) },
		onBeat(beat, isNewRun) {
			for (const watch of of(beat.host)) watch.beat(beat.heads);
			// It hears of us at once, and not only in a while.
			if (isNewRun) heartbeat.now();
			if (beat.members.version > members.position().version) keeper.look();
		},
		onSilent: (host) => of(host).forEach((watch) => void watch.silent()),
		onUnopened: keeper.look,
		onChange: deps.onChange,
	});
	const client = createCommandClient({ fleet, keys, bus, sealer, members, hosts: others.table, clock, ids });
	const read = createReadServer({ owner, maxBytes: courier.maxBytes, clock, ids });
	const commands = createCommandServer({
		...{ fleet, keys, name, instance, sealer, members, now, fences: deps.fences, maxBytes: courier.maxBytes, allow: () => deps.allow },
		memory: createCommandMemory(now),
		async run(command) {
			if (command.frame.type === "fleet:read") return await read(command);
			if (command.frame.type !== "fleet:hello") return await owner.run(command);
			heartbeat.watched();
			return [];
		},
		audit: ({ command, verdict }) => owner.audit(command, verdict),
		onUnsigned: (reason) => logger.debug({ reason }, "Something came that no member of the fleet said"),
	});
	const copier = createCopyKeeper({ fleet, keys, sealer, copies, owner, maxBytes: courier.maxBytes, clock, onChange: deps.onChange });
	const desk = createInviteDesk({ folder: deps.home.invites, bus, roster, clock, logger, isServing });

	/** This run has become the host, or is not any more. */
	function served(): void {
		if (isServing()) {
			heartbeat.now();
			entries.changed();
			copier.keepAll();
		}
		deps.onChange();
	}
	let keyNumber = members.keyNumber();
	const ends = [
		bus.subscribe(subjects.command(fleet, self), (message) => {
			if (isServing()) void commands.receive(message);
		}),
		owner.onEvent((id, event) => {
			if (!isServing()) return;
			copier.changed(
				id,
				ENDS.some((start) => event.frame?.startsWith(start)),
			);
			if (roster.held.isBehind()) return;
			const { subject, bytes } = sealEvent(sealer, { fleet, host: self, conversationId: id }, event, courier.maxBytes());
			bus.publish(subject, bytes);
		}),
		owner.onConversation((change) => {
			entries.changed();
			if (change.kind === "deleted") copier.deleted(conversationId(change.id));
			if (!isServing() || roster.held.isBehind()) return;
			const said =
				change.kind === "deleted"
					? ({ kind: "gone", id: change.id } as const)
					: ({ kind: "put", conversation: change.conversation } as const);
			sayChange({ fleet, self, bus, sealer }, said);
		}),
		roster.onChange(() => {
			others.refresh();
			if (members.keyNumber() !== keyNumber) served();
			keyNumber = members.keyNumber();
			deps.onChange();
		}),
		copies.onLost(copier.keepAll),
		courier.onBack(() => {
			everybody((watch) => watch.doubt());
			served();
			others.refresh();
			keeper.look();
		}),
	];
	let cancelHello = clock.after(HELLO_MS, function hello() {
		for (const host of new Set([...watches].map((watch) => watch.host))) {
			const frame = { type: "fleet:hello", data: {} };
			client.send({ to: host, actor: { origin: "web" }, frame }).catch(() => undefined);
		}
		cancelHello = clock.after(HELLO_MS, hello);
	});

	return {
		hosts: () => [
			{ id: self, name, self: true, state: isServing() ? "online" : "offline", lastSeen: isoTime(clock.now()), version: deps.version },
			...others.list(),
		],
		conversations: others.conversations,
		watch(id, reader) {
			const watch = createRemoteWatch(id, reader, {
				...{ fleet, bus, sealer, clock, onUnopened: keeper.look },
				ask: (host, own, from) =>
					readFromOwner(
						(frame) => client.send({ to: host, conversationId: own, actor: { origin: "web" }, frame }),
						conversationId(own),
						from,
					),
				readCopy: (host, own) => findCopy({ copies, sealer, members }, { fleet, host, conversationId: own }),
			});
			if (watch === undefined) return () => undefined;
			watches.add(watch);
			return () => {
				watches.delete(watch);
				watch.close();
			};
		},
		command: client.send,
		lease: (task) => keepLease(leaseOf(task, holder), clock),
		problem: () => problemOf({ isRemoved: members.isRemoved(self), isForked: roster.isForked(), usedBy: guard.usedBy() }),
		warning: () => (copier.problem() === undefined ? undefined : noCopies()),
		async close() {
			cancelHello();
			for (const end of ends) end();
			everybody((watch) => watch.close());
			heartbeat.close();
			for (const part of [others, entries, keeper, copier, desk]) part.close();
			await guard.close();
		},
	};
}

function problemOf({
	isRemoved,
	isForked,
	usedBy,
}: {
	isRemoved: boolean;
	isForked: boolean;
	usedBy: string | undefined;
}): AppError | undefined {
	const refused = (reason: string, message: string, params = {}) =>
		new AppError("fleet-refused", message, { params: { reason, ...params } });
	if (isRemoved) {
		return refused(
			"removed",
			'This host was removed from the fleet. Run "rightseat fleet leave --here", and join again with a new invitation.',
		);
	}
	if (isForked)
		return refused(
			"forked",
			"NATS shows another history of this fleet than this host has seen. Somebody may be lying; nothing of it is believed.",
		);
	if (usedBy === undefined) return undefined;
	const name = usedBy.replace(/^\S+ /, "");
	const message = `This identity is in use on ${name}: the disk was copied. Run "rightseat fleet leave --here", then join to make a new one.`;
	return refused("in-use", message, { name });
}

const noCopies = () =>
	new AppError("fleet-refused", "No copies are kept now: JetStream does not take them. What is live goes on.", {
		params: { reason: "no-copies" },
	});
