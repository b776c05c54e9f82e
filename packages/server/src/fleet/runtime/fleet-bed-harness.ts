import { setTimeout as wait } from "node:timers/promises";
import { createFakeClock, type FakeClock } from "../../../../../test/support/fake-clock.ts";
import { randomIds } from "../../core/kernel/ids.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import { createFences } from "../commands/fences.ts";
import type { Courier } from "../courier.ts";
import type { FleetHome, Identity } from "../home/fleet-home.ts";
import type { Journal } from "../home/journal.ts";
import type { Role } from "../members/statement.ts";
import { createMemoryBus, type MemoryBus } from "../memory-bus-harness.ts";
import { createInvite } from "../pairing/invite-code.ts";
import { runInvite } from "../pairing/run-invite.ts";
import { askInviter, takePlace } from "../pairing/run-join.ts";
import { foundFleet } from "../roster/found-fleet.ts";
import { openRoster } from "../roster/roster.ts";
import type { Copies } from "../snapshots/copies.ts";
import { createFleet } from "./create-fleet.ts";
import { createFakeOwner } from "./fake-owner-harness.ts";

/** A journal that outlives the server, in memory. */
function memoryJournal(): Journal {
	const values: unknown[] = [];
	return {
		read: () => Promise.resolve([...values]),
		append(more) {
			values.push(...more);
			return Promise.resolve();
		},
	};
}

export function memoryHome(): FleetHome {
	let identity: Identity | undefined;
	let [version, run]: [number, string | undefined] = [0, undefined];
	return {
		...{ folder: "nowhere", invites: "/nowhere/at/all", history: memoryJournal(), contentKeys: memoryJournal() },
		listInvites: () => Promise.resolve([]),
		find: () => Promise.resolve(identity),
		take(taken) {
			identity = taken;
			version += 1;
			return Promise.resolve();
		},
		version: () => Promise.resolve(String(version)),
		lastRun: () => Promise.resolve(run),
		keepRun(next) {
			run = next;
			return Promise.resolve();
		},
		moved: () => Promise.resolve(),
		leave() {
			identity = undefined;
			version += 1;
			return Promise.resolve();
		},
	};
}

/** The engine in memory: one bus, copies beside it. */
export function createMemoryEngine(clock: FakeClock, bus: MemoryBus) {
	const kept = new Map<string, Uint8Array>();
	const [lost, back] = [new Set<() => void>(), new Set<() => void>()];
	let maxBytes = 921_600;
	const copies: Copies = {
		keep(parts) {
			for (const { subject, bytes } of parts) kept.set(subject, bytes);
			return Promise.resolve();
		},
		find: (subject) => Promise.resolve(kept.get(subject)),
		drop(pattern) {
			for (const key of kept.keys()) if (key.startsWith(pattern.slice(0, -1))) kept.delete(key);
			return Promise.resolve();
		},
		onLost(listener) {
			lost.add(listener);
			return () => void lost.delete(listener);
		},
	};
	const courier = (): Courier => ({
		bus,
		copies: () => copies,
		maxBytes: () => maxBytes,
		status: () => ({ kind: "connected", version: "2.12.7", isUnsafe: false }),
		onStatus: () => () => undefined,
		onBack(listener) {
			back.add(listener);
			return () => void back.delete(listener);
		},
		isAtFirst: () => false,
		leaveNode: () => undefined,
		close: () => Promise.resolve(),
	});
	return {
		...{ clock, bus, courier, kept },
		/** Everything that it kept is gone. */
		forget() {
			kept.clear();
			bus.clear();
			for (const listener of lost) listener();
		},
		back: () => back.forEach((listener) => void listener()),
		limit(bytes: number) {
			maxBytes = bytes;
		},
	};
}

/** Hosts on one engine in memory. */
export function createFleetBed() {
	const clock = createFakeClock();
	const bus = createMemoryBus(clock);
	const engine = createMemoryEngine(clock, bus);
	const now = clock.now;
	function createHost(name: string, home = memoryHome(), options: { allow?: Role; machine?: string } = {}) {
		const fake = createFakeOwner();
		const logged: string[] = [];
		const logger = { ...silentLogger, warn: (_: object, message: string) => void logged.push(message) };
		/** Blind: the engine shows this host nothing new of who belongs to the fleet. Deaf: it hears nothing. Cut: nor can it read any table. Mute: it cannot read or write its own list. Stuck: it cannot write into any table. */
		const kept = { isBlind: false, isDeaf: false, isCut: false, isMute: false, isStuck: false, isAtFirst: false, nodesLeft: 0 };
		const seen = new Set<string>();
		const leaveNode = () => {
			kept.nodesLeft += 1;
		};
		/** Its node is cut off from the others. */
		const subscribe: MemoryBus["subscribe"] = (subject, listener) =>
			bus.subscribe(subject, (message) => kept.isDeaf || kept.isCut || listener(message));
		const bucket: MemoryBus["bucket"] = (table) => {
			const inner = bus.bucket(table);
			return {
				...inner,
				async get(key) {
					// As the client does: it waits for so long.
					if (kept.isCut) await new Promise<void>((resolve) => void clock.after(5_000, resolve));
					if (kept.isCut || (kept.isMute && key.startsWith("list."))) throw new Error("Nobody answers.");
					if (kept.isBlind && key.startsWith("s.") && !seen.has(key)) return undefined;
					const entry = await inner.get(key);
					if (entry !== undefined) seen.add(key);
					return entry;
				},
				async put(...entry) {
					if (kept.isStuck) throw new Error("Nobody answers.");
					return await inner.put(...entry);
				},
			};
		};
		const fleet = createFleet({
			...{ home, owner: fake.owner, fences: createFences(new Map(), () => undefined), allow: options.allow ?? "full" },
			...{ version: "1.0.0", machine: options.machine ?? name, clock, ids: randomIds, logger, url: "nats://test" },
			connect: () => ({ ...engine.courier(), bus: { ...bus, bucket, subscribe }, isAtFirst: () => kept.isAtFirst, leaveNode }),
		});
		return { name, home, fake, fleet, kept, logged, host: async () => (await home.find())?.keys.host ?? "" };
	}
	type Host = ReturnType<typeof createHost>;
	/** What the real loop and the fake clock have to do until this holds. */
	async function until(holds: () => boolean | Promise<boolean>, what = "that"): Promise<void> {
		for (let turn = 0; turn < 2_000; turn++) {
			if (await holds()) return;
			await clock.advance(100);
			await wait(1);
		}
		throw new Error(`${what} did not come.`);
	}
	const rosterOf = async (host: Host) => {
		const identity = await host.home.find();
		if (identity === undefined) throw new Error(`${host.name} belongs to no fleet.`);
		return openRoster({ ...identity, bus, history: host.home.history, contentKeys: host.home.contentKeys, now });
	};
	return {
		...{ clock, bus, engine, createHost, until, rosterOf },
		async found(host: Host) {
			await foundFleet({ bus }, host.home, { name: host.name, now });
			await host.fleet.start();
		},
		/** The newcomer joins by an invitation of the other, who finds the words the same or not. */
		async join(newcomer: Host, inviter: Host, { role = "full", isAgreed = true }: { role?: Role; isAgreed?: boolean } = {}) {
			const [identity, roster] = [await inviter.home.find(), await rosterOf(inviter)];
			const invite = createInvite({ url: "nats://test", fleet: identity?.fleet ?? "", host: identity?.keys.host ?? "" });
			const words: string[] = [];
			const hear = (said: readonly string[]) => void words.push(said.join(" "));
			const decide = (_: unknown, said: readonly string[]) => {
				hear(said);
				return Promise.resolve(isAgreed);
			};
			const inviting = runInvite(invite, { bus, roster, clock, role, decide });
			let outcome: unknown;
			const parts = { bus, home: newcomer.home, clock, name: newcomer.name, version: "1.0.0", onWords: hear };
			const joining = askInviter(invite, parts)
				.then((paired) => takePlace(invite, paired, parts))
				.then(
					() => "joined",
					(error: unknown) => error,
				);
			void joining.then((result) => {
				outcome = result;
			});
			await until(() => outcome !== undefined, "the end of joining");
			if (outcome === "joined") await newcomer.fleet.start();
			return { outcome, inviting, words };
		},
	};
}
