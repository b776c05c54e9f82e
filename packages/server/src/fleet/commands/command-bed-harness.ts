import { randomBytes } from "node:crypto";
import { type Beat, beatSchema } from "@rightseat/protocol/fleet/beat";
import type { FleetCommand, FleetVersions } from "@rightseat/protocol/fleet/command";
import { createFakeClock, type FakeClock } from "../../../../../test/support/fake-clock.ts";
import { createHostKeys, type HostKeys } from "../crypto/host-keys.ts";
import { commitmentOf } from "../crypto/key-box.ts";
import { createSealer, type Sealer } from "../crypto/seal.ts";
import { createForwardClock } from "../forward-clock.ts";
import { createHostTable, type HostTable } from "../host-table.ts";
import { createHeldKeys } from "../members/content-keys.ts";
import { createMembers, type Members } from "../members/members.ts";
import { type Act, type Role, signStatement } from "../members/statement.ts";
import { createMemoryBus, type Fate, type MemoryBus } from "../memory-bus-harness.ts";
import { subjects } from "../subjects.ts";
import { type CommandClient, createCommandClient } from "./command-client.ts";
import { type CommandMemory, createCommandMemory } from "./command-memory.ts";
import { type CommandAudit, createCommandServer } from "./command-server.ts";
import { createFences } from "./fences.ts";

/** A console and an owner on one bus. */
export interface CommandBed {
	clock: FakeClock;
	bus: MemoryBus;
	fleet: string;
	console: { keys: HostKeys; client: CommandClient };
	owner: { keys: HostKeys; ran: FleetCommand[]; audited: CommandAudit[]; refused: string[] };
	members: Members;
	sealer: Sealer;
	hosts: HostTable;
	say(act: Act): void;
	/** The owner's process starts again: it remembers nothing that is not on disk. */
	restart(instance: string): void;
	stop(): void;
	beat(more?: Partial<Beat>): void;
}

export interface BedOptions {
	role?: Role;
	allow?: Role;
	fate?: () => Fate;
	run?: (command: FleetCommand) => Promise<string[]>;
	maxBytes?: () => number;
	/** Which languages the two speak. */
	versions?: { console: FleetVersions; owner: FleetVersions };
	memory?: (now: () => number) => CommandMemory;
}

export function createCommandBed(options: BedOptions = {}): CommandBed {
	const clock = createFakeClock();
	const bus = createMemoryBus(clock, options.fate);
	const [root, consoleKeys, ownerKeys] = [createHostKeys(), createHostKeys(), createHostKeys()];
	const [fleet, key] = [root.host, randomBytes(32)];
	const members = createMembers(fleet);
	const say = (act: Act) => void members.accept(signStatement(root, "root", members.next(act, 1)));
	const owned = { host: ownerKeys.host, keys: ownerKeys.publicKeys, role: "full" } as const;
	say({ kind: "found", root: root.publicKeys, member: owned, number: 1, commitment: commitmentOf(key) });
	const member = { host: consoleKeys.host, keys: consoleKeys.publicKeys, role: options.role ?? "full" };
	say({ kind: "add", member, invite: "invite-0001" });
	const held = createHeldKeys(members);
	held.hold(1, key);
	const sealer = createSealer(fleet, held);
	const hosts = createHostTable({ clock, isMember: (host) => members.find(host) !== undefined });
	const owner = { keys: ownerKeys, ran: [] as FleetCommand[], audited: [] as CommandAudit[], refused: [] as string[] };
	const fences = createFences(new Map(), () => undefined);
	const now = createForwardClock(clock);
	const run = options.run ?? (() => Promise.resolve(['{"type":"done"}']));
	let number = 0;
	let instance = "";
	let stop = () => undefined;
	const bed: CommandBed = {
		...{ clock, bus, fleet, owner, members, sealer, hosts, say },
		console: {
			keys: consoleKeys,
			client: createCommandClient({
				fleet,
				keys: consoleKeys,
				bus,
				sealer,
				members,
				hosts,
				clock,
				ids: { next: () => crypto.randomUUID() },
				...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
				...(options.versions === undefined ? {} : { versions: options.versions.console }),
			}),
		},
		restart(next) {
			bed.stop();
			instance = next;
			const server = createCommandServer({
				...{ fleet, keys: ownerKeys, name: "owner", instance, sealer, members, allow: () => options.allow ?? "full", now, fences },
				memory: (options.memory ?? createCommandMemory)(now),
				...(options.versions === undefined ? {} : { versions: options.versions.owner }),
				run: (command) => {
					owner.ran.push(command);
					return run(command);
				},
				audit: (entry) => owner.audited.push(entry),
				onUnsigned: (reason) => owner.refused.push(reason),
			});
			const end = bus.subscribe(subjects.command(fleet, ownerKeys.host), (message) => void server.receive(message));
			stop = () => void end();
		},
		stop: () => stop(),
		beat(more = {}) {
			number += 1;
			const heads = { revision: 0, members: members.position(), heads: [] };
			hosts.beat(beatSchema.parse({ host: ownerKeys.host, instance, number, intervalMs: 30_000, clock: now(), ...heads, ...more }));
		},
	};
	bed.restart("run-00001");
	bed.beat();
	if (options.versions !== undefined) {
		hosts.card({ host: ownerKeys.host, name: "owner", version: "9", protocol: options.versions.owner, platform: "", since: 0 });
	}
	return bed;
}
