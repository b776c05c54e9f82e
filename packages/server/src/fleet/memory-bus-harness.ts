import type { Clock } from "../core/kernel/clock.ts";
import type { Bucket, BucketEntry, Bus, BusMessage, BusReply } from "./bus.ts";

/** What happens to one message on its way. */
export type Fate = { kind: "lost" } | { kind: "delivered"; times: number; delayMs: number };

/** A bus in memory that treats messages as it is told. */
export interface MemoryBus extends Bus {
	/** Every message that went out, for whoever listens in. */
	readonly heard: BusMessage[];
	/** All tables are gone. */
	clear(): void;
	/** The engine is gone, or back. */
	cut(isCut: boolean): void;
}

const FINE: Fate = { kind: "delivered", times: 1, delayMs: 0 };

export function createMemoryBus(clock: Clock, fate: () => Fate = () => FINE): MemoryBus {
	const listeners = new Map<string, Set<(message: BusMessage) => void>>();
	const buckets = new Map<string, Map<string, BucketEntry>>();
	const heard: BusMessage[] = [];
	let isCut = false;
	let revision = 0;
	const carry = (deliver: () => void) => {
		const drawn = fate();
		if (drawn.kind === "lost") return;
		for (let time = 0; time < drawn.times; time++) clock.after(drawn.delayMs * (time + 1), () => isCut || deliver());
	};
	const give = (message: BusMessage) => {
		for (const [pattern, all] of listeners) if (isMatch(pattern, message.subject)) for (const listener of all) listener(message);
	};
	return {
		heard,
		clear: () => buckets.forEach((entries) => void entries.clear()),
		cut(next) {
			isCut = next;
		},
		publish(subject, bytes) {
			heard.push({ subject, bytes });
			if (!isCut) carry(() => give({ subject, bytes }));
		},
		request(subject, bytes, timeoutMs) {
			heard.push({ subject, bytes });
			if (isCut) return Promise.resolve({ kind: "disconnected" });
			if (![...listeners].some(([pattern, all]) => all.size > 0 && isMatch(pattern, subject)))
				return Promise.resolve({ kind: "no-responders" });
			return new Promise<BusReply>((resolve) => {
				clock.after(timeoutMs, () => resolve({ kind: "timeout" }));
				const answer = (reply: Uint8Array) => carry(() => resolve({ kind: "reply", bytes: reply }));
				carry(() => give({ subject, bytes, answer }));
			});
		},
		subscribe(subject, listener) {
			const all = listeners.get(subject) ?? new Set();
			listeners.set(subject, all.add(listener));
			return () => void all.delete(listener);
		},
		bucket(name): Bucket {
			const entries = buckets.get(name) ?? new Map<string, BucketEntry>();
			buckets.set(name, entries);
			return {
				get: (key) => Promise.resolve(entries.get(key)),
				put(key, value, expected) {
					if (entries.get(key)?.revision !== expected) return Promise.resolve(undefined);
					revision += 1;
					entries.set(key, { value, revision });
					return Promise.resolve(revision);
				},
			};
		},
	};
}

/** A star stands for one part of a subject. */
const isMatch = (pattern: string, subject: string) => {
	const [wanted, parts] = [pattern.split("."), subject.split(".")];
	return wanted.length === parts.length && wanted.every((part, index) => part === "*" || part === parts[index]);
};
