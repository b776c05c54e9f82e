import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";
import type { RuntimeHealth } from "../../../core/ports/agent-runtime.ts";
import { healthMessage, sentenceOf } from "./health-message.ts";
import type { Vitals } from "./process-vitals.ts";
import { createRunningClient, type Lease, type RunningClient } from "./running-client.ts";
import { runtimeErrors } from "./runtime-errors.ts";
import { type MemoryLimits, watchMemory } from "./watch-memory.ts";

/** What the supervisor needs of the SDK's client. */
export interface SupervisedClient {
	start(): Promise<void>;
	stop(): Promise<unknown>;
	forceStop(): Promise<void>;
	ping(): Promise<unknown>;
	getStatus(): Promise<{ version: string }>;
}

export interface Supervisor<C> {
	/** The running client; starts it, or waits for the restart under way. Rejects with an AppError. */
	lease(): Promise<Lease<C>>;
	health(): RuntimeHealth;
	onHealth(listener: (health: RuntimeHealth) => void): () => void;
	wake(): void;
	/** Ends the running turns, lets the sessions go with `beforeStop`, stops the runtime. */
	close(beforeStop?: () => Promise<void>): Promise<void>;
}

export interface SupervisorDeps<C extends SupervisedClient> {
	createClient(): C | Promise<C>;
	/** Tells of the end of the process at once where it can; pings notice it otherwise. */
	watchExit(client: C, onExit: () => void): Cancel;
	/** Tells of every byte that the runtime writes. */
	watchOutput(client: C, onOutput: () => void): Cancel;
	vitals(client: C): Promise<Vitals | undefined>;
	memory: MemoryLimits;
	provider: RuntimeHealth["provider"];
	clock: Clock;
	logger: Logger;
}

/** The runtime says nothing when it cannot start over stdio: without a limit the first prompt would wait for ever. */
export const START_LIMIT_MS = 20_000;
export const STOP_LIMIT_MS = 4_000;
export const FAILURES_BEFORE_REST = 5;
export const FAILURE_WINDOW_MS = 60_000;
const BACKOFF_FIRST_MS = 250;

type State<C> =
	| { at: "off" }
	| { at: "starting"; attempt: Promise<Lease<C>>; again: boolean }
	| { at: "ready"; running: RunningClient<C> }
	| { at: "waiting"; next: Promise<Lease<C>>; startNow: () => void; cancel: (error: AppError) => void; because: string }
	| { at: "resting"; because: string }
	| { at: "stopped" };

/** Keeps one runtime alive: starts at first use, notices death and freezing, restarts with backoff, rests after repeated failures. */
export function createSupervisor<C extends SupervisedClient>(deps: SupervisorDeps<C>): Supervisor<C> {
	const { clock, logger } = deps;
	const listeners = new Set<(health: RuntimeHealth) => void>();
	let failures: number[] = [];
	let state: State<C> = { at: "off" };
	let starting: C | undefined;
	let replacing = false;
	/** A replaced runtime on which turns still run; at most one, so that there are never more than two. */
	let draining: RunningClient<C> | undefined;

	const health = (): RuntimeHealth => describe(state, deps.provider);

	function enter(next: State<C>) {
		state = next;
		for (const listener of listeners) {
			try {
				listener(health());
			} catch (error) {
				logger.error({ err: String(error) }, "A listener for the runtime's health failed");
			}
		}
	}

	function begin(again: boolean): Promise<Lease<C>> {
		// A start that fails at once must not report its failure before this state is entered.
		const attempt = Promise.resolve().then(startClient);
		// Nobody may be waiting for a restart in the background.
		attempt.catch(() => undefined);
		enter({ at: "starting", attempt, again });
		return attempt;
	}

	/** Starts a client; it is ours to stop if this rejects. */
	async function launch(): Promise<{ client: C; version: string }> {
		let client: C | undefined;
		let unwatch: Cancel = () => undefined;
		try {
			const made = await deps.createClient();
			client = made;
			starting = made;
			const limit = {
				clock,
				ms: START_LIMIT_MS,
				late: () => new AppError("runtime-start-failed", `no answer within ${START_LIMIT_MS / 1000} s`),
			};
			await withTimeout(made.start(), limit);
			const died = new AbortController();
			unwatch = deps.watchExit(made, () => died.abort(new AppError("runtime-start-failed", "its process ended")));
			const { version } = await withTimeout(made.getStatus(), { ...limit, gone: died.signal });
			if (state.at === "stopped") throw shuttingDown();
			return { client: made, version };
		} catch (error) {
			if (client !== undefined) await forceStop(client);
			throw error;
		} finally {
			unwatch();
			starting = undefined;
		}
	}

	async function startClient(): Promise<Lease<C>> {
		try {
			return ready(await launch());
		} catch (error) {
			if (state.at === "stopped") throw shuttingDown();
			const because = error instanceof Error ? error.message : String(error);
			logger.error({ err: because }, "The Copilot runtime did not start");
			failed(because);
			throw runtimeErrors.startFailed(because, error);
		}
	}

	function ready({ client, version }: { client: C; version: string }): Lease<C> {
		const vitals = () => deps.vitals(client);
		const running = createRunningClient<C>({
			client,
			version,
			clock,
			vitals,
			ping: () => client.ping(),
			watchExit: (onExit) => deps.watchExit(client, onExit),
			watchOutput: (onOutput) => deps.watchOutput(client, onOutput),
			onDeath: (because) => died(running, because),
		});
		const unwatchMemory = watchMemory({
			limits: deps.memory,
			clock,
			vitals,
			onLarge: (rssBytes) => void replace(running, rssBytes),
			onTooLarge: (rssBytes) => died(running, healthMessage.tooLarge(rssBytes)),
		});
		running.lease.gone.addEventListener("abort", unwatchMemory, { once: true });
		logger.info({ version }, "The Copilot runtime is ready");
		enter({ at: "ready", running });
		return running.lease;
	}

	function died(running: RunningClient<C>, because: string) {
		const current = state.at === "ready" && state.running === running;
		if (!current && draining !== running) return;
		running.unwatch();
		logger.error({ because }, "The Copilot runtime died; running turns end and it is restarted");
		if (current) failed(because);
		running.end(runtimeErrors.died(because));
		forceStop(running.lease.client).catch(() => undefined);
	}

	/** A fresh runtime takes the place of a large one: new turns begin there, running ones end where they are, then the old one stops. */
	async function replace(old: RunningClient<C>, rssBytes: number) {
		if (replacing || draining !== undefined || state.at !== "ready" || state.running !== old) return;
		replacing = true;
		try {
			const fresh = await launch();
			// It died or the server stops; the other way to a new one has been taken.
			if (state.at !== "ready" || state.running !== old) return await forceStop(fresh.client);
			logger.info({ rssBytes }, "The Copilot runtime has grown large; a fresh one takes its place");
			draining = old;
			ready(fresh);
		} catch (error) {
			logger.warn({ err: String(error) }, "A fresh Copilot runtime did not start; the large one goes on");
			return;
		} finally {
			replacing = false;
		}
		await old.retire();
		old.unwatch();
		old.end(runtimeErrors.replaced());
		await stopClient(old.lease.client);
		old.hasStopped();
		draining = undefined;
	}

	async function stopClient(client: C) {
		const limit = { clock, ms: STOP_LIMIT_MS, late: () => new AppError("runtime-died", "stop took too long") };
		await withTimeout(client.stop(), limit).catch(() => forceStop(client));
		logger.info({}, "The Copilot runtime has stopped");
	}

	function failed(because: string) {
		const now = clock.elapsed();
		failures = [...failures.filter((at) => now - at < FAILURE_WINDOW_MS), now];
		if (failures.length >= FAILURES_BEFORE_REST) {
			failures = [];
			logger.error({ because }, "The Copilot runtime failed five times within a minute; it rests until it is woken");
			enter({ at: "resting", because });
			return;
		}
		let cancelTimer: Cancel = () => undefined;
		let reject: (error: AppError) => void = () => undefined;
		let startNow: () => void = () => undefined;
		const next = new Promise<Lease<C>>((resolve, rejectNext) => {
			reject = rejectNext;
			startNow = () => {
				cancelTimer();
				begin(true).then(resolve, rejectNext);
			};
		});
		next.catch(() => undefined);
		cancelTimer = clock.after(BACKOFF_FIRST_MS * 2 ** (failures.length - 1), startNow);
		const cancel = (error: AppError) => {
			cancelTimer();
			reject(error);
		};
		enter({ at: "waiting", next, startNow, cancel, because });
	}

	async function forceStop(client: C) {
		const limit = { clock, ms: STOP_LIMIT_MS, late: () => new AppError("runtime-died", "the runtime could not be killed") };
		await withTimeout(client.forceStop(), limit).catch((error: unknown) =>
			logger.warn({ err: String(error) }, "Killing the Copilot runtime failed"),
		);
	}

	return {
		async lease() {
			switch (state.at) {
				case "off":
					return begin(false);
				case "starting":
					return state.attempt;
				case "ready":
					return state.running.lease;
				case "waiting":
					return state.next;
				case "resting":
					throw runtimeErrors.resting(state.because);
				case "stopped":
					throw shuttingDown();
			}
		},
		health,
		onHealth(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		wake() {
			failures = [];
			if (state.at === "resting") begin(true).catch(() => undefined);
			else if (state.at === "waiting") state.startNow();
		},
		async close(beforeStop) {
			const last = state;
			if (last.at === "stopped") return;
			enter({ at: "stopped" });
			if (last.at === "waiting") last.cancel(shuttingDown());
			if (last.at === "starting") {
				if (starting !== undefined) await forceStop(starting);
				await last.attempt.catch(() => undefined);
			}
			if (last.at !== "ready") return;
			const clients = [last.running, ...(draining === undefined ? [] : [draining])];
			for (const running of clients) {
				running.unwatch();
				running.end(shuttingDown());
			}
			await beforeStop?.();
			await Promise.all(clients.map((running) => stopClient(running.lease.client)));
		},
	};
}

const shuttingDown = () => new AppError("shutting-down", "The server is shutting down. Try again when it is back.", { retryable: true });

function describe<C>(state: State<C>, provider: RuntimeHealth["provider"]): RuntimeHealth {
	switch (state.at) {
		case "off":
			return { state: "off", provider };
		case "starting":
			return { state: state.again ? "restarting" : "starting", provider };
		case "ready":
			return { state: "ready", provider, version: state.running.version };
		case "waiting":
			return { state: "restarting", provider, ...sentenceOf("runtime-restarting", state.because) };
		case "resting":
			return { state: "resting", provider, ...sentenceOf("runtime-resting", state.because) };
		case "stopped":
			return { state: "stopped", provider };
	}
}
