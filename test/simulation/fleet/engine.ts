import type { Clock } from "../../../packages/server/src/core/kernel/clock.ts";
import { AppError } from "../../../packages/server/src/core/kernel/errors.ts";
import type { Bucket, BucketEntry, BusMessage, BusReply } from "../../../packages/server/src/fleet/bus.ts";
import type { Courier } from "../../../packages/server/src/fleet/courier.ts";
import type { Copies } from "../../../packages/server/src/fleet/snapshots/copies.ts";
import type { Random } from "../../faults/random.ts";
import type { HostClock } from "./host-clock.ts";

/** How messages of one host fare, to the engine and from it. */
export interface Weather {
	lost: number;
	doubled: number;
	late: number;
}
export const FINE: Weather = { lost: 0, doubled: 0, late: 0 };

/** How one host is connected. It outlives the runs of the host. */
export interface Way {
	up: Weather;
	down: Weather;
	/** The host is told that it is not connected. */
	isCut: boolean;
	/** Its node does not hear the others: nothing comes from them, or nothing gets there, and nobody says so. */
	lonely: "no" | "deaf" | "mute" | "both";
}

/** A run of a host, as the engine sees it. */
export interface Line {
	courier: Courier;
	/** The status may be another one. */
	look(): void;
	/** The connection was lost and is back. */
	back(): void;
}

/** What carries the words of all hosts, with every fault that it may have. */
export interface Engine {
	way(host: string): Way;
	/** All of it is gone, or back. */
	setGone(isGone: boolean): void;
	isGone(): boolean;
	connect(host: string, hostClock: HostClock): Line;
	/** Whoever runs it says something. */
	inject(subject: string, bytes: Uint8Array): void;
	/** What was said to hosts, the newest last. */
	readonly heard: BusMessage[];
	forgetCopies(isTold: boolean): void;
	forgetTables(pattern: RegExp): void;
	limit(maxBytes: number): void;
	copyCount(): number;
}

/** How long the answer of a table or stream is waited for. */
const ANSWER_MS = 2_000;
const MAX_LATE_MS = 4_000;
/** So many commands are remembered for whoever sends them again. */
const MAX_HEARD = 60;

interface Wanted {
	host: string;
	hostClock: HostClock;
	subject: string;
	listener: (message: BusMessage) => void;
}

export function createEngine(deps: { clock: Clock; random: Random; count(what: string): void }): Engine {
	const { clock, random, count } = deps;
	const ways = new Map<string, Way>();
	const lines = new Set<ReturnType<typeof createLine>>();
	const wanted = new Set<Wanted>();
	const tables = new Map<string, Map<string, BucketEntry>>();
	const kept = new Map<string, Uint8Array>();
	const heard: BusMessage[] = [];
	let [isGone, revision, maxBytes] = [false, 0, 921_600];

	function way(host: string): Way {
		const known = ways.get(host) ?? { up: FINE, down: FINE, isCut: false, lonely: "no" };
		ways.set(host, known);
		return known;
	}
	const isUp = (host: string) => !isGone && !way(host).isCut;

	/** Runs it as often as this weather brings it. */
	function carry({ lost, doubled, late }: Weather, what: string, deliver: () => void): void {
		if (lost > 0 && random.next() < lost) {
			count(`message lost ${what}`);
			return;
		}
		const isDoubled = doubled > 0 && random.next() < doubled;
		if (isDoubled) count(`message doubled ${what}`);
		for (let time = 0; time < (isDoubled ? 2 : 1); time++) {
			const isLate = late > 0 && random.next() < late;
			if (isLate) count(`message late ${what}`);
			clock.after(isLate ? random.between(1, MAX_LATE_MS) : 1, deliver);
		}
	}
	const thereFor = (subject: string) =>
		[...wanted].filter((each) => !each.hostClock.isDead() && isUp(each.host) && isMatch(each.subject, subject));
	/** To everybody who listens. */
	function spread(from: string | undefined, subject: string, bytes: Uint8Array, settle?: (reply: BusReply) => void): void {
		for (const each of thereFor(subject)) {
			const { lonely } = way(each.host);
			if (from !== each.host && (lonely === "deaf" || lonely === "both")) {
				count("message to a deaf node");
				continue;
			}
			const answer = (reply: Uint8Array) => {
				if (!each.hostClock.isDead() && isUp(each.host) && !isMute(each.host))
					carry(way(each.host).up, "up", () => settle?.({ kind: "reply", bytes: reply }));
			};
			carry(way(each.host).down, "down", () =>
				each.hostClock.enter(() => {
					if (wanted.has(each) && isUp(each.host)) each.listener({ subject, bytes, ...(settle === undefined ? {} : { answer }) });
				}),
			);
		}
	}
	const isMute = (host: string) => ["mute", "both"].includes(way(host).lonely);

	function createLine(host: string, hostClock: HostClock) {
		const [changed, back, lost] = [new Set<() => void>(), new Set<() => void>(), new Set<() => void>()];
		let wasUp = isUp(host);
		/** A dead process says nothing more. */
		const isHere = () => isUp(host) && !hostClock.isDead();
		/** One question to a table or stream: asked, done, answered, each of which may fail. */
		function ask<T>(what: string, run: () => T): Promise<T> {
			if (!isHere()) return Promise.reject(notConnected());
			return new Promise<T>((resolve, reject) => {
				const cancel = hostClock.clock.after(ANSWER_MS, () => {
					count(`${what} without an answer`);
					reject(new Error("Nobody answers."));
				});
				if (isMute(host)) return;
				carry(way(host).up, "up", () => {
					if (isGone) return;
					const result = run();
					carry(way(host).down, "down", () =>
						hostClock.enter(() => {
							cancel();
							resolve(result);
						}),
					);
				});
			});
		}
		function bucket(name: string): Bucket {
			const table = () => {
				const known = tables.get(name) ?? new Map<string, BucketEntry>();
				tables.set(name, known);
				return known;
			};
			return {
				get: (key) => ask("read", () => table().get(key)),
				put: (key, value, expected) =>
					ask("write", () => {
						if (table().get(key)?.revision !== expected) return undefined;
						revision += 1;
						table().set(key, { value, revision });
						return revision;
					}),
			};
		}
		const copies: Copies = {
			async keep(parts) {
				for (const { subject, bytes } of parts) await ask("copy", () => void kept.set(subject, bytes));
			},
			find: (subject) => ask("copy", () => kept.get(subject)),
			drop: (pattern) =>
				ask("copy", () => {
					for (const key of [...kept.keys()]) if (key.startsWith(pattern.slice(0, -1))) kept.delete(key);
				}),
			onLost: (listener) => listen(lost, listener),
		};
		async function request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<BusReply> {
			if (!isHere()) return { kind: "disconnected" };
			remember({ subject, bytes });
			return new Promise((resolve) => {
				const cancel = hostClock.clock.after(timeoutMs, () => resolve({ kind: "timeout" }));
				const settle = (reply: BusReply) =>
					carry(way(host).down, "down", () =>
						hostClock.enter(() => {
							if (!isUp(host)) return;
							cancel();
							resolve(reply);
						}),
					);
				if (isMute(host)) return;
				carry(way(host).up, "up", () => {
					if (isGone) return;
					if (thereFor(subject).length === 0) settle({ kind: "no-responders" });
					else spread(host, subject, bytes, settle);
				});
			});
		}
		const courier: Courier = {
			bus: {
				publish(subject, bytes) {
					if (isHere() && !isMute(host)) carry(way(host).up, "up", () => void (isGone || spread(host, subject, bytes)));
				},
				request,
				subscribe(subject, listener) {
					const entry: Wanted = { host, hostClock, subject, listener };
					wanted.add(entry);
					return () => void wanted.delete(entry);
				},
				bucket,
			},
			copies: () => copies,
			maxBytes: () => maxBytes,
			status: () => (isUp(host) ? { kind: "connected", version: "2.12.7", isUnsafe: false } : { kind: "connecting", because: undefined }),
			onStatus: (listener) => listen(changed, listener),
			onBack: (listener) => listen(back, listener),
			isAtFirst: () => false,
			leaveNode() {
				count("node left");
				way(host).lonely = "no";
				clock.after(500, () => hostClock.enter(() => tell(back)));
			},
			close: () => Promise.resolve(),
		};
		return {
			...{ courier, host, lost, hostClock },
			look: () =>
				hostClock.enter(() => {
					const now = isUp(host);
					if (now === wasUp) return;
					wasUp = now;
					for (const listener of changed) listener();
					if (now) for (const listener of back) listener();
				}),
			back: () => hostClock.enter(() => tell(back)),
		};
	}
	function remember(message: BusMessage): void {
		heard.push(message);
		if (heard.length > MAX_HEARD) heard.shift();
	}

	return {
		...{ way, heard, isGone: () => isGone, copyCount: () => kept.size },
		setGone(next) {
			isGone = next;
		},
		connect(host, hostClock) {
			for (const entry of [...wanted]) if (entry.host === host && entry.hostClock.isDead()) wanted.delete(entry);
			for (const line of [...lines]) if (line.host === host) lines.delete(line);
			const line = createLine(host, hostClock);
			lines.add(line);
			return line;
		},
		inject: (subject, bytes) => spread(undefined, subject, bytes),
		forgetCopies(isTold) {
			kept.clear();
			if (isTold) for (const line of lines) line.hostClock.enter(() => tell(line.lost));
		},
		forgetTables(pattern) {
			for (const [name, table] of tables) if (pattern.test(name)) table.clear();
		},
		limit(bytes) {
			maxBytes = bytes;
		},
	};
}

const notConnected = () => new AppError("fleet-not-connected", "NATS cannot be reached. Work on this host goes on.", { retryable: true });

/** A star stands for one part of a subject. */
const isMatch = (pattern: string, subject: string) => {
	const [wanted, parts] = [pattern.split("."), subject.split(".")];
	return wanted.length === parts.length && wanted.every((part, index) => part === "*" || part === parts[index]);
};

function tell(listeners: ReadonlySet<() => void>): void {
	for (const listener of listeners) listener();
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
	listeners.add(listener);
	return () => void listeners.delete(listener);
}
