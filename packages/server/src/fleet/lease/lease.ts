import * as z from "zod/mini";

import type { Bucket, BucketEntry } from "../bus.ts";
import type { Fences } from "../commands/fences.ts";
import type { FleetClock } from "../fleet-clock.ts";

/** The holder says so often that it is there. */
export const RENEW_MS = 1_500;
/** So long after the beginning of its last renewal it counts itself as the holder. */
export const HOLD_MS = 5_000;
/** Others take over when they have seen the same entry for so long. Longer than `HOLD_MS`, so there are never two. */
export const TAKE_MS = 8_000;

const leaseValueSchema = z.object({
	/** A run of a host; the next run of the same host is another holder. */
	holder: z.string().check(z.maxLength(128)),
	fence: z.int().check(z.minimum(1)),
	isReleased: z.boolean(),
});
export type LeaseValue = z.infer<typeof leaseValueSchema>;

/** How an entry is written so that the engine's operator can neither read nor make one. */
export interface LeaseCodec {
	write(value: LeaseValue): string;
	read(text: string): unknown;
}

/** A task that exactly one host of the fleet does. */
export interface Lease {
	/** The number that whoever is asked checks; undefined: somebody else has the task, or nobody. Look at it again before every step. */
	fence(): number | undefined;
	/** Who else had it at the last look, unless it let go; `isAlive`: its entry has moved since the look before. */
	other(): { holder: string; isAlive: boolean } | undefined;
	/** One look at the entry and what follows from it; every `RENEW_MS`. Never rejects. */
	step(): Promise<void>;
	/** Lets others have it at once. */
	release(): Promise<void>;
}

interface LeaseDeps {
	name: string;
	holder: string;
	bucket: Bucket;
	codec: LeaseCodec;
	clock: Pick<FleetClock, "now" | "elapsed" | "sinceBoot">;
	fences: Fences;
	/** The entry of this holder may be taken so early: it is a run that is over. */
	early?: { holder: string; takeMs: number } | undefined;
}

type State =
	| { kind: "watching"; seen?: { entry: BucketEntry; since: number } }
	| { kind: "holding"; fence: number; revision: number; renewed: Moment };
/** One moment by every clock there is. */
interface Moment {
	elapsed: number;
	sinceBoot: number;
	wall: number;
}

export function createLease(deps: LeaseDeps): Lease {
	const { name, holder, bucket, codec, clock, fences } = deps;
	let state: State = { kind: "watching" };
	let other: { holder: string; isAlive: boolean } | undefined;
	/** Nobody told the holder whose entry was deleted: until this moment of the monotonic clock it may still count itself as the holder. */
	let notBefore = 0;

	const moment = (): Moment => ({ elapsed: clock.elapsed(), sinceBoot: clock.sinceBoot(), wall: clock.now() });
	/**
	 * By any of them: the monotonic one stands still while the machine sleeps, the one since its start while a virtual machine is paused, and the date
	 * can be set.
	 */
	function isOver({ renewed }: Extract<State, { kind: "holding" }>): boolean {
		const now = moment();
		if (now.wall < renewed.wall) return true;
		return Math.max(now.elapsed - renewed.elapsed, now.sinceBoot - renewed.sinceBoot, now.wall - renewed.wall) >= HOLD_MS;
	}
	/** Once over it stays so: a date that is set back must not make a holder of one whose task others have by now. */
	function fence(): number | undefined {
		if (state.kind === "holding" && isOver(state)) state = { kind: "watching" };
		return state.kind !== "holding" || clock.elapsed() < notBefore ? undefined : state.fence;
	}

	async function write(value: LeaseValue, revision: number | undefined): Promise<boolean> {
		const renewed = moment();
		const written = await bucket.put(name, codec.write(value), revision);
		if (written === undefined) return false;
		other = undefined;
		state = { kind: "holding", fence: value.fence, revision: written, renewed };
		return true;
	}

	async function renew(held: Extract<State, { kind: "holding" }>): Promise<void> {
		if (await write({ holder, fence: held.fence, isReleased: false }, held.revision)) return;
		// A renewal whose answer was lost has moved the revision: then the entry is still ours.
		const entry = await bucket.get(name);
		const value = entry === undefined ? undefined : readValue(codec, entry);
		const isOurs = value?.holder === holder && value.fence === held.fence && !value.isReleased;
		const isHeld = isOurs && entry !== undefined && state === held;
		state = isHeld ? { ...held, revision: entry.revision } : { kind: "watching" };
	}

	async function watch(): Promise<void> {
		const entry = await bucket.get(name);
		if (entry === undefined) return await takeAbsent();
		const value = readValue(codec, entry);
		if (value !== undefined) fences.pass(name, value.fence);
		const now = clock.elapsed();
		const seen = state.kind === "watching" ? state.seen : undefined;
		// Its text too: in a table that was made anew numbers begin again, and an old one may come back while this host is cut off.
		const isSame = seen !== undefined && seen.entry.revision === entry.revision && seen.entry.value === entry.value;
		if (!isSame) state = { kind: "watching", seen: { entry, since: now } };
		// One that is ours was not taken by anybody: our renewals did not get through for a while.
		const isOurs = value?.holder === holder;
		other =
			value === undefined || value.isReleased || isOurs
				? undefined
				: {
						holder: value.holder,
						isAlive: (seen !== undefined && !isSame) || (isSame && other?.isAlive === true && now - seen.since < TAKE_MS),
					};
		const takeMs = value !== undefined && value.holder === deps.early?.holder ? deps.early.takeMs : TAKE_MS;
		const isDue = isSame && now - seen.since >= takeMs;
		if (!isDue && !isOurs && value?.isReleased !== true) return;
		const next = Math.max(fences.highest(name), value?.fence ?? 0) + 1;
		if (fences.pass(name, next)) await write({ holder, fence: next, isReleased: false }, entry.revision);
	}

	/**
	 * Where nothing is, nobody can say for how long: a host that was cut off has not seen who held it meanwhile. So whoever comes first writes its name
	 * there and holds it only when any earlier holder has ended.
	 */
	async function takeAbsent(): Promise<void> {
		other = undefined;
		state = { kind: "watching" };
		const next = fences.highest(name) + 1;
		if (!fences.pass(name, next)) return;
		notBefore = Number.POSITIVE_INFINITY;
		try {
			await write({ holder, fence: next, isReleased: false }, undefined);
		} finally {
			notBefore = clock.elapsed() + TAKE_MS;
		}
	}

	return {
		fence,
		other: () => other,
		async step() {
			try {
				await (state.kind === "holding" ? renew(state) : watch());
			} catch {
				// The engine does not answer. A holder stays one until its time is over, and then it must see what has become of the entry.
				if (state.kind === "holding" && isOver(state)) state = { kind: "watching" };
			}
		},
		async release() {
			if (state.kind !== "holding") return;
			const { fence: number, revision } = state;
			state = { kind: "watching" };
			// An earlier holder may still count itself as one, and whoever comes next would not wait for its end.
			if (clock.elapsed() < notBefore) return;
			try {
				await bucket.put(name, codec.write({ holder, fence: number, isReleased: true }), revision);
			} catch {
				// Others see that it is not renewed.
				return;
			}
		},
	};
}

function readValue(codec: LeaseCodec, entry: BucketEntry): LeaseValue | undefined {
	const parsed = leaseValueSchema.safeParse(codec.read(entry.value));
	return parsed.success ? parsed.data : undefined;
}
