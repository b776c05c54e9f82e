import type { Head } from "@rightseat/protocol/fleet/position";
import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import { fitBeat } from "../beats.ts";
import type { Bus } from "../bus.ts";
import type { Sealer } from "../crypto/seal.ts";
import { sealBeat } from "../crypto/sealed-json.ts";
import type { Members } from "../members/members.ts";

export const BEAT_MS = 5_000;
/** In a large fleet a host that nobody looks at speaks rarely: everybody hears everybody. */
const QUIET_BEAT_MS = 30_000;
const SMALL_FLEET = 100;
/** Somebody who looks asks for a minute of it. */
const WATCHED_MS = 60_000;
const SPACING_MS = 1_000;

/** Tells the others that this host is there. */
export interface Heartbeat {
	/** As soon as it may. */
	now(): void;
	/** Somebody looks at this host. */
	watched(): void;
	/** Says that it goes. */
	close(): void;
}

interface HeartbeatDeps {
	fleet: string;
	host: string;
	instance: string;
	sealer: Sealer;
	bus: Bus;
	members: Members;
	clock: Clock;
	/** The clock in which commands expire here. */
	now: () => number;
	heads: () => readonly Head[];
	revision: () => number;
	isServing: () => boolean;
	/** Of this run, once it serves. */
	run: () => number | undefined;
}

export function createHeartbeat(deps: HeartbeatDeps): Heartbeat {
	const { clock, members } = deps;
	let [number, sentAt, watchedAt] = [0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
	let waiting: readonly Head[] = [];
	let cancel: Cancel = () => undefined;

	const intervalMs = () => (members.list().length <= SMALL_FLEET || clock.elapsed() - watchedAt < WATCHED_MS ? BEAT_MS : QUIET_BEAT_MS);
	function send(isLast: boolean): void {
		if (!deps.isServing()) return;
		number += 1;
		const own = {
			host: deps.host,
			instance: deps.instance,
			run: deps.run(),
			number,
			intervalMs: intervalMs(),
			clock: deps.now(),
			revision: deps.revision(),
		};
		const heads = newestOf([...waiting, ...deps.heads()]);
		const { beat, rest } = fitBeat({ ...own, members: members.position(), ...(isLast ? { isLast } : {}) }, heads);
		waiting = rest;
		try {
			const { subject, bytes } = sealBeat(deps.sealer, deps.fleet, beat);
			deps.bus.publish(subject, bytes);
		} catch {
			// The newest key is not here yet; when it is, the next beat goes out.
			return;
		}
	}
	function next(inMs: number): void {
		cancel();
		cancel = clock.after(inMs, () => {
			sentAt = clock.elapsed();
			send(false);
			next(intervalMs());
		});
	}
	next(0);
	return {
		now: () => next(Math.max(0, sentAt + SPACING_MS - clock.elapsed())),
		watched() {
			const wasQuiet = intervalMs() === QUIET_BEAT_MS;
			watchedAt = clock.elapsed();
			if (wasQuiet) next(0);
		},
		close() {
			cancel();
			send(true);
		},
	};
}

/** One of each conversation, the last one that was told. */
const newestOf = (heads: readonly Head[]) => [...new Map(heads.map((head) => [head.conversationId, head])).values()];
