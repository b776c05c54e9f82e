import { setMaxListeners } from "node:events";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import type { AppError } from "../../../core/kernel/errors.ts";
import { startHeartbeat } from "./heartbeat.ts";
import type { Vitals } from "./process-vitals.ts";

/** A running client. `gone` aborts, with an AppError as its reason, when the runtime died, was replaced or is closed. */
export interface Lease<C> {
	readonly client: C;
	readonly gone: AbortSignal;
	/** Any event of the runtime: a busy one may be slow to answer a ping, a frozen one says nothing at all. */
	signOfLife(): void;
	/** Another runtime has taken its place; it only finishes what runs on it. */
	readonly retired: boolean;
	/** Keeps a retired runtime running until the result is called. */
	hold(): Cancel;
	/** Resolves when a replaced runtime has stopped: until then it may still write down what it knows of a session. */
	readonly stopped: Promise<void>;
}

export interface RunningClient<C> {
	readonly lease: Lease<C>;
	readonly version: string;
	/** Tells everybody who uses it that it is gone. */
	end(error: AppError): void;
	unwatch(): void;
	/** From now on nobody begins anything on it; resolves when its last user has let go, or when it ended. */
	retire(): Promise<void>;
	/** Resolves `stopped`. */
	hasStopped(): void;
}

export interface RunningClientDeps<C> {
	client: C;
	version: string;
	clock: Clock;
	ping(): Promise<unknown>;
	vitals(): Promise<Vitals | undefined>;
	watchExit(onExit: () => void): Cancel;
	watchOutput(onOutput: () => void): Cancel;
	onDeath(because: string): void;
}

/** One started runtime: who uses it, whether it lives, and what it was told. */
export function createRunningClient<C>(deps: RunningClientDeps<C>): RunningClient<C> {
	const { client, version, clock } = deps;
	const ended = new AbortController();
	// Every running turn and every request listens; Node would call more than ten a leak.
	setMaxListeners(0, ended.signal);
	let lastSignAt = clock.elapsed();
	let users = 0;
	let retired = false;
	let onUnused: () => void = () => undefined;
	let onStopped: () => void = () => undefined;
	const stopped = new Promise<void>((resolve) => {
		onStopped = resolve;
	});

	const signOfLife = () => {
		lastSignAt = clock.elapsed();
	};
	const lease: Lease<C> = {
		client,
		gone: ended.signal,
		signOfLife,
		stopped,
		get retired() {
			return retired;
		},
		hold() {
			let held = true;
			users += 1;
			return () => {
				if (!held) return;
				held = false;
				users -= 1;
				if (users === 0) onUnused();
			};
		},
	};
	const stops = [
		startHeartbeat({
			ping: deps.ping,
			lastSignAt: () => lastSignAt,
			cpuMs: async () => (await deps.vitals())?.cpuMs,
			clock,
			onDeath: deps.onDeath,
		}),
		deps.watchExit(() => deps.onDeath("its process ended")),
		deps.watchOutput(signOfLife),
	];
	return {
		lease,
		version,
		end: (error) => ended.abort(error),
		unwatch() {
			for (const stop of stops) stop();
		},
		retire() {
			retired = true;
			return new Promise((resolve) => {
				onUnused = resolve;
				ended.signal.addEventListener("abort", () => resolve(), { once: true });
				if (users === 0 || ended.signal.aborted) resolve();
			});
		},
		hasStopped: () => onStopped(),
	};
}
