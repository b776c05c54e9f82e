import { randomBytes } from "node:crypto";
import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import { remoteIdOf, splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { LiveEvent, Position } from "@rightseat/protocol/fleet/position";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { createFleetCaller, type FleetCaller } from "../../packages/server/src/channels/web/fleet/fleet-caller.ts";
import { createEverywhere, type Everywhere } from "../../packages/server/src/core/fleet/everywhere.ts";
import { createFleetOwner, type FleetOwnerDeps } from "../../packages/server/src/core/fleet/owner.ts";
import { createRemoteReader, type RemoteReader } from "../../packages/server/src/core/fleet/remote-reader.ts";
import { AppError } from "../../packages/server/src/core/kernel/errors.ts";
import { type ConversationId, conversationId, randomIds } from "../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../packages/server/src/core/kernel/logger.ts";
import { createMemoryLedger } from "../../packages/server/src/core/kernel/memory-ledger.ts";
import type { AuditRecord } from "../../packages/server/src/core/ports/audit.ts";
import type { Fleet, FleetOwner, FleetReader } from "../../packages/server/src/core/ports/fleet.ts";
import { createCommandClient } from "../../packages/server/src/fleet/commands/command-client.ts";
import { createCommandMemory } from "../../packages/server/src/fleet/commands/command-memory.ts";
import { createCommandServer } from "../../packages/server/src/fleet/commands/command-server.ts";
import { createFences } from "../../packages/server/src/fleet/commands/fences.ts";
import { chainLink } from "../../packages/server/src/fleet/crypto/chain.ts";
import { createHostKeys, type HostKeys } from "../../packages/server/src/fleet/crypto/host-keys.ts";
import { commitmentOf } from "../../packages/server/src/fleet/crypto/key-box.ts";
import { createSealer, type Sealer } from "../../packages/server/src/fleet/crypto/seal.ts";
import { openBeat, openEvent, sealBeat, sealEvent } from "../../packages/server/src/fleet/crypto/sealed-json.ts";
import { createForwardClock } from "../../packages/server/src/fleet/forward-clock.ts";
import { createHostTable } from "../../packages/server/src/fleet/host-table.ts";
import { listChangeSchema } from "../../packages/server/src/fleet/hosts/entries.ts";
import { createHostInboxes } from "../../packages/server/src/fleet/hosts/host-inboxes.ts";
import { createHeldKeys } from "../../packages/server/src/fleet/members/content-keys.ts";
import { createMembers, type Members } from "../../packages/server/src/fleet/members/members.ts";
import { signStatement } from "../../packages/server/src/fleet/members/statement.ts";
import { createMemoryBus, type Fate, type MemoryBus } from "../../packages/server/src/fleet/memory-bus-harness.ts";
import { subjects } from "../../packages/server/src/fleet/subjects.ts";
import { createPresence, type Presence } from "../../packages/server/src/services/presence/presence.ts";
import { type CoreBed, createCoreBed } from "./core.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { askOwner, createFleetTables } from "./fleet-tables.ts";

const BEAT_MS = 5_000;
/** Conversations in the list of a host: fewer than the product tells, so that a test needs fewer. */
const LISTED = 40;

/** A core that is a host of a fleet, and sees the others. */
export interface FleetHostBed {
	id: string;
	core: CoreBed;
	everywhere: Everywhere;
	fleet: Fleet;
	/** What its pages show. */
	presence: Presence;
	audited: AuditRecord[];
	/** Commands that came here and were carried out. */
	ran: FleetCommand[];
	/** Its network is gone, or back. */
	setOffline(isOffline: boolean): void;
	/** What a conversation of it is called on the others. */
	remote(id: ConversationId): ConversationId;
}

export interface FleetBed {
	clock: FakeClock;
	bus: MemoryBus;
	hosts: FleetHostBed[];
	close(): Promise<void>;
}

/** What a test may put in the place of the web channel and of the files. */
export type Outside = Pick<FleetOwnerDeps, "http" | "upload" | "terminals">;

/** Cores on one bus that treats messages as it is told, with the real seals, signatures and members. Copies are kept by nobody. */
export async function createFleetBed(
	count: number,
	options: {
		fate?: () => Fate;
		outside?: (core: CoreBed, caller: FleetCaller) => Partial<Outside>;
		bringFiles?: (host: string, ids: readonly string[]) => Promise<string[]>;
	} = {},
): Promise<FleetBed> {
	const clock = createFakeClock();
	const bus = createMemoryBus(clock, options.fate);
	const [root, ...keys] = [createHostKeys(), ...Array.from({ length: count }, () => createHostKeys())];
	const secret = randomBytes(32);
	const fleet = root.host;
	const members = createMembers(fleet);
	const memberOf = (each: HostKeys) => ({ host: each.host, keys: each.publicKeys, role: "full" as const });
	keys.forEach((each, index) => {
		const act =
			index === 0
				? ({ kind: "found", root: root.publicKeys, member: memberOf(each), number: 1, commitment: commitmentOf(secret) } as const)
				: ({ kind: "add", member: memberOf(each), invite: `invite-000${index}` } as const);
		members.accept(signStatement(root, "root", members.next(act, 1)));
	});
	const held = createHeldKeys(members);
	held.hold(1, secret);
	const sealer = createSealer(fleet, held);
	const hosts: FleetHostBed[] = [];
	for (const own of keys) hosts.push(await createHost({ clock, bus, fleet, members, sealer, keys: own, all: keys, ...options }));
	await clock.advance(BEAT_MS + 1_000);
	return {
		...{ clock, bus, hosts },
		async close() {
			for (const host of hosts) host.everywhere.close();
			await Promise.all(hosts.map(({ core }) => core.close()));
		},
	};
}

interface HostDeps {
	clock: FakeClock;
	bus: MemoryBus;
	fleet: string;
	members: Members;
	sealer: Sealer;
	keys: HostKeys;
	all: readonly HostKeys[];
	outside?: (core: CoreBed, caller: FleetCaller) => Partial<Outside>;
	bringFiles?: (host: string, ids: readonly string[]) => Promise<string[]>;
}

async function createHost(deps: HostDeps): Promise<FleetHostBed> {
	const { clock, keys } = deps;
	const core = await createCoreBed({}, undefined, {}, { isInFleet: true, clock });
	const { hostLog, fleetStore } = core;
	if (hostLog === undefined || fleetStore === undefined) throw new Error("This core is in no fleet.");
	const presence = createPresence();
	presence.onChange((id) => (presence.watched(id) ? core.watched.add(id) : core.watched.delete(id)));
	presence.onChange((id, isShown) => (isShown ? everywhere.conversations.inbox.looked(id) : everywhere.conversations.inbox.refresh()));
	const audited: AuditRecord[] = [];
	const ran: FleetCommand[] = [];
	const owner = createFleetOwner({
		...{
			conversations: core.conversations,
			jobs: core.shell,
			hostLog,
			created: fleetStore.created,
			clock,
			ids: randomIds,
			screens: presence,
		},
		audit: { record: (entry) => void audited.push(entry) },
		nameOf: (host) => nameOf(deps, host),
		...{ http: nothing, upload: nothing, terminals: { handle: nothing, read: nothing, endOf: () => undefined } },
		...deps.outside?.(core, createFleetCaller()),
	});
	const { fleet, setOffline } = createTestFleet({ ...deps, owner, ran });
	const everywhere = createEverywhere({
		...{ own: core.conversations, jobs: core.shell, fleet, outbox: fleetStore.outbox, clock, ids: randomIds, memory: createMemoryLedger() },
		...{ screens: presence, logger: silentLogger },
		bringFiles: deps.bringFiles ?? (async (_, ids) => [...ids]),
	});
	return {
		id: keys.host,
		core,
		everywhere,
		fleet,
		presence,
		audited,
		ran,
		setOffline,
		remote: (id) => conversationId(remoteIdOf(keys.host, id)),
	};
}

const nothing = () => Promise.reject(new AppError("internal", "The test has no such thing."));
const nameOf = ({ all }: Pick<HostDeps, "all">, host: string) => `host ${all.findIndex((each) => each.host === host) + 1}`;

/** The port over the bus, as small as it can be: lists and beats every five seconds, live words, commands. */
function createTestFleet(deps: HostDeps & { owner: FleetOwner; ran: FleetCommand[] }): {
	fleet: Fleet;
	setOffline(isOffline: boolean): void;
} {
	const { clock, bus, fleet, members, sealer, keys, owner, all } = deps;
	let isOffline = false;
	const now = createForwardClock(clock);
	const fences = createFences(new Map(), () => undefined);
	const instance = randomIds.next();
	const table = createHostTable({ clock, isMember: (host) => members.find(host) !== undefined });
	const lists = new Map<string, Conversation[]>();
	const inboxes = createHostInboxes();
	const readers = new Map<string, Set<RemoteReader>>();
	const listeners = new Set<() => void>();
	const told = () => listeners.forEach((listener) => void listener());
	const others = all.filter(({ host }) => host !== keys.host);
	const client = createCommandClient({ fleet, keys, bus, sealer, members, hosts: table, clock, ids: randomIds });
	const server = createCommandServer({
		...{ fleet, keys, name: nameOf(deps, keys.host), instance, sealer, members, allow: () => "full" as const, now },
		...{ fences, memory: createCommandMemory(now), onUnsigned: () => undefined },
		async run(command) {
			deps.ran.push(command);
			if (command.frame.type !== "fleet:read") return owner.run(command);
			const from: unknown = command.frame.data?.from;
			return [JSON.stringify(await owner.read(conversationId(command.conversationId ?? ""), from as Position | undefined))];
		},
		audit: ({ command, verdict }) => owner.audit(command, verdict),
	});
	bus.subscribe(subjects.command(fleet, keys.host), (message) => void (isOffline || server.receive(message)));
	owner.onEvent((id, event) => {
		const sealed = sealEvent(sealer, { fleet, host: keys.host, conversationId: id }, event, 900_000);
		if (!isOffline) bus.publish(sealed.subject, sealed.bytes);
	});
	owner.onInbox(() => {
		const told = { kind: "inbox", at: clock.now(), inbox: owner.inbox() };
		if (!isOffline) bus.publish(`${subjects.card(fleet, keys.host)}.inbox`, Buffer.from(JSON.stringify(told)));
	});
	let number = 0;
	const beat = () => {
		number += 1;
		const heads = owner.heads();
		const said = { host: keys.host, instance, number, intervalMs: BEAT_MS, clock: now(), revision: 0, members: members.position(), heads };
		const sealed = sealBeat(sealer, fleet, said);
		if (!isOffline) {
			bus.publish(sealed.subject, sealed.bytes);
			bus.publish(subjects.card(fleet, keys.host), Buffer.from(JSON.stringify(owner.conversations(LISTED))));
		}
		const silent = table.takeSilent();
		for (const host of silent) for (const [key, set] of readers) if (key.startsWith(host)) for (const reader of set) reader.silent();
		if (silent.length > 0) told();
		clock.after(BEAT_MS, beat);
	};
	beat();
	for (const { host } of others) {
		bus.subscribe(subjects.beat(fleet, host), ({ bytes }) => {
			const heard = isOffline ? undefined : openBeat(sealer, fleet, host, bytes);
			if (heard === undefined || !table.beat(heard)) return;
			for (const [key, set] of readers) {
				const head = heard.heads.find(({ conversationId: id }) => remoteIdOf(host, id) === key);
				if (key.startsWith(host)) for (const reader of set) reader.beat(head);
			}
			told();
		});
		bus.subscribe(subjects.card(fleet, host), ({ bytes }) => {
			if (isOffline) return;
			const list: Conversation[] = JSON.parse(Buffer.from(bytes).toString());
			lists.set(
				host,
				list.map((each) => ({ ...each, id: remoteIdOf(host, each.id), host: { id: host, name: nameOf(deps, host) } })),
			);
			told();
		});
	}

	for (const { host } of others) {
		bus.subscribe(`${subjects.card(fleet, host)}.inbox`, ({ bytes }) => {
			const change = listChangeSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
			if (isOffline || change.kind !== "inbox") return;
			inboxes.set(host, change);
			told();
		});
	}

	function watch(id: ConversationId, reader: FleetReader): () => void {
		const place = splitRemoteId(id);
		if (place === undefined) throw new Error(`${id} is of this host.`);
		const { host, conversationId: there } = place;
		const ask = askOwner(client, host, there);
		const remote = createRemoteReader({ id, conversationId: there, reader, link: chainLink, clock, ask, readCopy: async () => undefined });
		const set = readers.get(id) ?? new Set();
		readers.set(id, set.add(remote));
		const stop = bus.subscribe(subjects.live(fleet, host, there), ({ bytes }) => {
			const event: LiveEvent | undefined = isOffline ? undefined : openEvent(sealer, { fleet, host, conversationId: there }, bytes);
			if (event !== undefined) remote.event(event);
		});
		remote.doubt();
		return () => {
			stop();
			set.delete(remote);
			remote.close();
		};
	}

	return {
		setOffline(next) {
			isOffline = next;
		},
		fleet: {
			hosts: () =>
				[keys, ...others].map(({ host }) => {
					const isSelf = host === keys.host;
					const state = isSelf ? "online" : (table.find(host)?.state ?? "offline");
					return { id: host, name: nameOf(deps, host), self: isSelf, state, lastSeen: undefined, version: "1" };
				}),
			conversations: () => [...lists.values()].flat(),
			inbox: () =>
				inboxes.all(
					(host) => nameOf(deps, host),
					() => true,
				),
			watch,
			command: (request) =>
				isOffline ? Promise.reject(new AppError("fleet-not-connected", "NATS cannot be reached.")) : client.send(request),
			remove: nothing,
			...createFleetTables({ bus, fleet, host: keys.host, holder: instance, sealer, fences, clock, isOffline: () => isOffline }),
			status: () => ({ kind: "connected", url: "", version: "", warning: undefined }),
			onChange(listener) {
				listeners.add(listener);
				return () => listeners.delete(listener);
			},
		},
	};
}
