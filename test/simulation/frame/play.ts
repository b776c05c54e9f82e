import { setMaxListeners } from "node:events";
import { rmSync } from "node:fs";
import { createRandom } from "../../faults/random.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { SimulatedDeath } from "./engine.ts";
import { createHost, type Host } from "./host.ts";
import { createLedger } from "./ledger.ts";
import type { JoinedPart, Part, World } from "./part.ts";
import type { Plan } from "./plan.ts";
import { makeScratch } from "./scratch.ts";
import { templateDatabase } from "./template.ts";
import { createTrace } from "./trace.ts";

/** How a round went. */
export interface Played {
	readonly seed: number;
	/** Steps that were played, and the time that passed in there. */
	readonly steps: number;
	readonly simulatedMs: number;
	/** The same for the same plan and program. */
	readonly hash: string;
	readonly counts: ReadonlyMap<string, number>;
	/** What happened last, or with `keepsTrace` all of it. */
	readonly trace: readonly string[];
	readonly violation: { invariant: string; detail: string; trace: readonly string[] } | undefined;
}

/** A server that nobody starts is started after so many steps. */
const DOWN_AT_MOST = 4;
/** So often parts are asked whether they are at rest. */
const REST_ROUNDS = 400;
const REST_MS = 250;
const TRACE_LINES = 60;

/** The round is over because a promise is broken. */
class Violated extends Error {}

/** Plays one plan from an empty database to peace, and examines what is left. Nothing of it outlives the call. */
export async function play(plan: Plan, parts: readonly Part[], { keepsTrace = false } = {}): Promise<Played> {
	const template = await templateDatabase();
	const root = makeScratch();
	const counts = new Map<string, number>();
	const trace = createTrace({ keepsAll: keepsTrace });
	let violation: Played["violation"];
	let ids = 0;
	let isCalm = false;
	const hosts: Host[] = [];
	const joined = new Map<string, JoinedPart>();
	const each = <T>(run: (part: JoinedPart) => T): T[] => [...joined.values()].map(run);

	const violate = (invariant: string, detail: string) => {
		if (violation !== undefined) return;
		trace.note(`BROKEN ${invariant}: ${detail}`);
		violation = { invariant, detail, trace: trace.last(keepsTrace ? Number.MAX_SAFE_INTEGER : TRACE_LINES) };
	};
	const world: World = {
		seed: plan.seed,
		clock: createFakeClock(),
		ids: { next: () => `i${ids++}` },
		trace,
		hosts,
		get host() {
			const [first] = hosts;
			if (first === undefined) throw new Error("No part has brought a host.");
			return first;
		},
		ledger: createLedger(violate),
		get isCalm() {
			return isCalm;
		},
		random: (name) => createRandom(plan.seed * 31 + numberOf(name)),
		addHost(options) {
			const host = createHost(world, { ...options, root, template }, hooks);
			hosts.push(host);
			return host;
		},
		count: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
		violate,
		settle: () => world.clock.settle(),
	};
	const hooks = {
		started: (host: Host, life: NonNullable<Host["life"]>) => void each((part) => part.started?.(host, life)),
		ended: (host: Host, life: NonNullable<Host["life"]>) => void each((part) => part.ended?.(host, life)),
		async stopping(host: Host, life: NonNullable<Host["life"]>) {
			for (const part of joined.values()) await part.stopping?.(host, life);
		},
	};

	const down = new Map<Host, number>();
	function keepUp(): void {
		for (const host of hosts) {
			host.bury();
			const steps = host.life === undefined ? (down.get(host) ?? 0) + 1 : 0;
			down.set(host, steps);
			if (steps > DOWN_AT_MOST) host.start();
		}
	}
	const stopIfBroken = () => {
		if (violation !== undefined) throw new Violated();
	};

	let steps = 0;
	async function playSteps(): Promise<void> {
		for (const step of plan.steps) {
			trace.note(`#${step.at} ${step.part} ${step.kind} ${step.a} ${step.b} ${step.c} +${step.waitMs}`);
			world.count(`${step.part}: ${step.kind}`);
			steps += 1;
			await survived(() => joined.get(step.part)?.play[step.kind]?.(step));
			await world.clock.advance(step.waitMs);
			keepUp();
			each((part) => part.check?.());
			stopIfBroken();
		}
	}
	async function comeToRest(): Promise<void> {
		trace.note("calm");
		isCalm = true;
		for (const host of hosts) {
			host.mend();
			host.start();
		}
		each((part) => part.calm?.());
		let rests = 0;
		let restless: string[] = [];
		for (let round = 0; rests < 3; round += 1) {
			if (round > REST_ROUNDS)
				violate("comes-to-rest", `After ${(REST_ROUNDS * REST_MS) / 1_000} s of peace something still goes on in ${restless.join(", ")}.`);
			stopIfBroken();
			restless = [];
			for (const [name, part] of joined) if ((await survived(() => part.rest?.())) === false) restless.push(name);
			await world.clock.advance(REST_MS);
			for (const host of hosts) host.start();
			rests = restless.length === 0 ? rests + 1 : 0;
			each((part) => part.check?.());
		}
	}

	const offSignals = looseSignals();
	const offRejections = catchRejections((error) => {
		if (error instanceof SimulatedDeath) return;
		violate("no-surprise", `A promise was rejected and nobody noticed: ${error instanceof Error ? error.stack : String(error)}`);
	});
	try {
		for (const part of parts) joined.set(part.name, part.join(world));
		for (const host of hosts) host.start();
		for (const part of joined.values()) await part.begin?.();
		await playSteps();
		await comeToRest();
		for (const part of joined.values()) await part.examine?.();
		trace.note(`peace ${world.clock.now()}`);
	} catch (error) {
		if (!(error instanceof Violated)) violate("no-surprise", error instanceof Error ? (error.stack ?? error.message) : String(error));
	} finally {
		each((part) => part.close?.());
		for (const host of hosts) host.close();
		await world.clock.settle();
		offRejections();
		offSignals();
		rmSync(root, { recursive: true, force: true });
	}
	const lines = trace.last(keepsTrace ? Number.MAX_SAFE_INTEGER : TRACE_LINES);
	return { seed: plan.seed, steps, simulatedMs: world.clock.elapsed() - START, hash: trace.hash(), counts, trace: lines, violation };
}

const START = createFakeClock().elapsed();

/** A step in whose middle a server dies is over; whoever called it hears nothing. */
async function survived<T>(work: () => T | Promise<T>): Promise<T | undefined> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof SimulatedDeath) return undefined;
		throw error;
	}
}

/** In place of whoever listens otherwise, until the result is called. */
function catchRejections(handle: (error: unknown) => void): () => void {
	const others = process.listeners("unhandledRejection");
	process.removeAllListeners("unhandledRejection");
	process.on("unhandledRejection", handle);
	return () => {
		process.off("unhandledRejection", handle);
		for (const other of others) process.on("unhandledRejection", other);
	};
}

/**
 * Node keeps a signal that is made of others, with whatever listens to it, until it is aborted or nobody listens any more. A process that was killed does neither,
 * and its whole round would stay. These are kept by nobody.
 */
function looseSignals(): () => void {
	const { any } = AbortSignal;
	AbortSignal.any = (signals) => {
		const joint = new AbortController();
		for (const signal of signals) {
			setMaxListeners(0, signal);
			if (signal.aborted) joint.abort(signal.reason);
			else signal.addEventListener("abort", () => joint.abort(signal.reason), { once: true });
		}
		return joint.signal;
	};
	return () => {
		AbortSignal.any = any;
	};
}

function numberOf(name: string): number {
	let number = 7;
	for (const letter of name) number = (Math.imul(number, 31) + letter.charCodeAt(0)) | 0;
	return number >>> 0;
}
