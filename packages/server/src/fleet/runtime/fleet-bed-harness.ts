import { setTimeout as wait } from "node:timers/promises";
import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import type { Head, LiveEvent, Position } from "@rightseat/protocol/fleet/position";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { createFakeClock, type FakeClock } from "../../../../../test/support/fake-clock.ts";
import { answerReader } from "../../core/fleet/owner-answer.ts";
import { conversationId, randomIds } from "../../core/kernel/ids.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import { CHAIN_START } from "../../core/log/chains.ts";
import type { FleetOwner, FleetReader } from "../../core/ports/fleet.ts";
import { createFences } from "../commands/fences.ts";
import type { Courier } from "../courier.ts";
import { chainLink } from "../crypto/chain.ts";
import type { FleetHome, Identity } from "../home/fleet-home.ts";
import type { Journal } from "../home/journal.ts";
import type { Role } from "../members/statement.ts";
import { createMemoryBus, type MemoryBus } from "../memory-bus-harness.ts";
import { createInvite } from "../pairing/invite-code.ts";
import { runInvite } from "../pairing/run-invite.ts";
import { joinFleet } from "../pairing/run-join.ts";
import { foundFleet } from "../roster/found-fleet.ts";
import { openRoster } from "../roster/roster.ts";
import type { Copies } from "../snapshots/copies.ts";
import { createFleet } from "./create-fleet.ts";

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

/** A host's conversations: one log of words. */
export function createFakeOwner() {
	const [onEvent, onConversation] = [
		new Set<Parameters<FleetOwner["onEvent"]>[0]>(),
		new Set<Parameters<FleetOwner["onConversation"]>[0]>(),
	];
	const logs = new Map<string, LiveEvent[]>();
	const ran: FleetCommand[] = [];
	const audited: string[] = [];
	const headOf = (id: string): Position => {
		const last = logs.get(id)?.at(-1);
		return { generation: 1, epoch: "e1", seq: last?.seq ?? 0, chain: last?.chain ?? CHAIN_START };
	};
	const snapshotOf = (id: string) =>
		JSON.stringify({
			type: "copilot:snapshot",
			data: { conversationId: id, epoch: "e1", seq: headOf(id).seq, words: logs.get(id)?.map(wordOf) ?? [] },
		});
	const owner: FleetOwner = {
		run(command) {
			ran.push(command);
			return Promise.resolve(['{"type":"done"}']);
		},
		read(id, from) {
			const events = logs.get(id);
			if (events === undefined) return Promise.resolve({ kind: "gone" });
			const log = {
				head: () => headOf(id),
				chainAt: (seq: number) => (seq === 0 ? CHAIN_START : events[seq - 1]?.chain),
				after: (seq: number) => events.slice(seq, seq + 50),
				snapshot: () => snapshotOf(id),
			};
			return Promise.resolve(answerReader(log, from));
		},
		audit: (command, verdict) => void audited.push(`${command.frame.type} ${verdict}`),
		conversations: (limit) => [...logs.keys()].slice(0, limit).map(conversationOf),
		onConversation: (listener) => listen(onConversation, listener),
		onEvent: (listener) => listen(onEvent, listener),
		heads: () => [...logs.keys()].map((id): Head => ({ conversationId: id, ...headOf(id) })),
		snapshot: (id) => Promise.resolve(logs.has(id) ? { position: headOf(id), frame: snapshotOf(id) } : undefined),
	};
	return {
		...{ owner, ran, audited },
		words: (id: string) => logs.get(id)?.map(wordOf) ?? [],
		create(id: string) {
			logs.set(id, []);
			for (const listener of onConversation) listener({ kind: "created", conversation: conversationOf(id) });
		},
		delete(id: string) {
			logs.delete(id);
			for (const listener of onConversation) listener({ kind: "deleted", id });
		},
		say(id: string, word: string, type = "copilot:delta") {
			const { seq, chain } = headOf(id);
			const frame = JSON.stringify({ type, data: { conversationId: id, epoch: "e1", seq: seq + 1, word } });
			const event = { generation: 1, epoch: "e1", seq: seq + 1, chain: chainLink(chain, frame), frame };
			logs.get(id)?.push(event);
			for (const listener of onEvent) listener(conversationId(id), event);
		},
	};
}

const wordOf = ({ frame = "{}" }: LiveEvent): string => JSON.parse(frame).data.word;

function listen<T>(listeners: Set<T>, listener: T): () => void {
	listeners.add(listener);
	return () => void listeners.delete(listener);
}

const conversationOf = (id: string): Conversation => ({
	...{
		id,
		title: `about ${id}`,
		agent: "copilot",
		model: "",
		mode: "agent",
		effort: "",
		cwd: "/",
		sdkSessionId: null,
		pinned: false,
		archived: false,
	},
	...{
		permissions: "auto",
		status: "idle",
		asking: false,
		epoch: "e1",
		headSeq: 0,
		createdAt: "2026-01-01T00:00:00Z",
		updatedAt: "2026-01-01T00:00:00Z",
	},
});

/** What a reader of another host's conversation shows. */
export function createView() {
	let [words, seq, copyOf]: [string[], number, number | undefined] = [[], 0, undefined];
	let isGone = false;
	const reader: FleetReader = {
		event(frame, position) {
			if (position.seq !== seq + 1) throw new Error(`${position.seq} after ${seq}`);
			words.push(JSON.parse(frame).data.word);
			[seq, copyOf] = [position.seq, undefined];
		},
		snapshot(frame, position, about) {
			[words, seq, copyOf] = [JSON.parse(frame).data.words, position.seq, about.copyOf];
		},
		gone() {
			isGone = true;
		},
	};
	return { reader, words: () => words, copyOf: () => copyOf, isGone: () => isGone };
}

/** Hosts on one engine in memory. */
export function createFleetBed() {
	const clock = createFakeClock();
	const bus = createMemoryBus(clock);
	const engine = createMemoryEngine(clock, bus);
	const now = clock.now;
	function createHost(name: string, home = memoryHome(), options: { allow?: Role; machine?: string } = {}) {
		const fake = createFakeOwner();
		/** The engine shows this host nothing new of who belongs to the fleet. */
		const kept = { isBlind: false, isDeaf: false, nodesLeft: 0 };
		const seen = new Set<string>();
		const leaveNode = () => {
			kept.nodesLeft += 1;
		};
		/** Its node is cut off from the others. */
		const subscribe: MemoryBus["subscribe"] = (subject, listener) => bus.subscribe(subject, (message) => kept.isDeaf || listener(message));
		const bucket: MemoryBus["bucket"] = (table) => {
			const inner = bus.bucket(table);
			return {
				...inner,
				async get(key) {
					if (kept.isBlind && key.startsWith("s.") && !seen.has(key)) return undefined;
					const entry = await inner.get(key);
					if (entry !== undefined) seen.add(key);
					return entry;
				},
			};
		};
		const fleet = createFleet({
			...{ home, owner: fake.owner, fences: createFences(new Map(), () => undefined), allow: options.allow ?? "full" },
			...{ version: "1.0.0", machine: options.machine ?? name, clock, ids: randomIds, logger: silentLogger, url: "nats://test" },
			connect: () => ({ ...engine.courier(), bus: { ...bus, bucket, subscribe }, leaveNode }),
		});
		return { name, home, fake, fleet, kept, host: async () => (await home.find())?.keys.host ?? "" };
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
			const joining = joinFleet(invite, { bus, home: newcomer.home, clock, name: newcomer.name, version: "1.0.0", onWords: hear }).then(
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
