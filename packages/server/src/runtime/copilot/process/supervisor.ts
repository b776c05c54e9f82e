import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { createProcessSupervisor, type RestartPolicy, type Supervision } from "../../../core/kernel/supervision.ts";
import type { RuntimeHealth } from "../../../core/ports/agent-runtime.ts";
import { type ClientStarterDeps, createClientStarter, type StartedClient, type SupervisedClient } from "./client-starter.ts";
import { healthMessage, sentenceOf } from "./health-message.ts";
import type { Vitals } from "./process-vitals.ts";
import { createRunningClient, type Lease, type RunningClient } from "./running-client.ts";
import { runtimeErrors } from "./runtime-errors.ts";
import { type MemoryLimits, watchMemory } from "./watch-memory.ts";

/** Keeps one Copilot runtime alive and hands it out; see `core/kernel/supervision.ts` for when it is started again. */
export interface Supervisor<C> {
	/** The running client; starts it, or waits for the attempt under way. Rejects with an AppError. */
	lease(): Promise<Lease<C>>;
	health(): RuntimeHealth;
	onHealth(listener: (health: RuntimeHealth) => void): () => void;
	/** Closes the circuit: starts again now. */
	reset(): void;
	/** Ends the running turns, lets the sessions go with `beforeStop`, stops the runtime. */
	close(beforeStop?: () => Promise<void>): Promise<void>;
}

export interface SupervisorDeps<C extends SupervisedClient> extends ClientStarterDeps<C> {
	/** Tells of every byte that the runtime writes. */
	watchOutput(client: C, onOutput: () => void): Cancel;
	vitals(client: C): Promise<Vitals | undefined>;
	memory: MemoryLimits;
	provider: RuntimeHealth["provider"];
	clock: Clock;
	logger: Logger;
}

export const FAILURE_WINDOW_MS = 60_000;
const POLICY: RestartPolicy = { backoffMs: [250, 500, 1_000, 2_000], windowMs: FAILURE_WINDOW_MS, openAfter: 5 };

interface Waiter<C> {
	resolve(lease: Lease<C>): void;
	reject(error: AppError): void;
}

export function createSupervisor<C extends SupervisedClient>(deps: SupervisorDeps<C>): Supervisor<C> {
	const { clock, logger } = deps;
	const starter = createClientStarter(deps);
	const listeners = createListeners<RuntimeHealth>(logger);
	const waiters: Waiter<C>[] = [];
	let attempt: Promise<void> = Promise.resolve();
	/** The runtime for new turns, and a replaced one on which turns still run; so there are never more than two. */
	let current: RunningClient<C> | undefined;
	let draining: RunningClient<C> | undefined;
	let replacing = false;
	const process = createProcessSupervisor({
		policy: POLICY,
		clock,
		start: () => {
			// A start that fails at once must not report its failure before its state is entered.
			attempt = Promise.resolve().then(start);
		},
		onChange: () => listeners.tell(health()),
	});

	const health = (): RuntimeHealth => describe(process.state, deps.provider, current?.version);

	function settle(deliver: (waiter: Waiter<C>) => void) {
		for (const waiter of waiters.splice(0)) deliver(waiter);
	}

	async function start() {
		try {
			const launched = await starter.launch();
			if (process.state.at === "stopped") return await starter.kill(launched.client);
			current = watch(launched);
			process.started();
			const { lease } = current;
			settle(({ resolve }) => resolve(lease));
		} catch (error) {
			if (process.state.at === "stopped") return;
			const because = error instanceof Error ? error.message : String(error);
			logger.error({ err: because }, "The Copilot runtime did not start");
			fail(because);
			settle(({ reject }) => reject(runtimeErrors.startFailed(because, error)));
		}
	}

	const watch = (started: StartedClient<C>) =>
		watchClient(started, deps, { onDeath: died, onLarge: (running, rssBytes) => void replace(running, rssBytes) });

	function fail(because: string) {
		process.failed(because);
		if (process.state.at === "open")
			logger.error({ because }, "The Copilot runtime failed five times within a minute; its circuit is open");
	}

	function died(running: RunningClient<C>, because: string) {
		if (running !== current && running !== draining) return;
		running.unwatch();
		logger.error({ because }, "The Copilot runtime died; running turns end and it is restarted");
		if (running === current) {
			current = undefined;
			fail(because);
		}
		running.end(runtimeErrors.died(because));
		void starter.kill(running.lease.client);
	}

	/** A fresh runtime takes the place of a large one: new turns begin there, running ones end where they are, then the old one stops. */
	async function replace(old: RunningClient<C>, rssBytes: number) {
		if (replacing || draining !== undefined || current !== old) return;
		replacing = true;
		try {
			const fresh = await starter.launch();
			// It died or the server stops; the other way to a new one has been taken.
			if (current !== old) return await starter.kill(fresh.client);
			logger.info({ rssBytes }, "The Copilot runtime has grown large; a fresh one takes its place");
			draining = old;
			current = watch(fresh);
			listeners.tell(health());
		} catch (error) {
			logger.warn({ err: error }, "A fresh Copilot runtime did not start; the large one goes on");
			return;
		} finally {
			replacing = false;
		}
		await old.retire();
		old.unwatch();
		old.end(runtimeErrors.replaced());
		await starter.stop(old.lease.client);
		old.hasStopped();
		draining = undefined;
	}

	return {
		lease() {
			process.needed();
			const { state } = process;
			if (current !== undefined) return Promise.resolve(current.lease);
			if (state.at === "open") return Promise.reject(runtimeErrors.resting(state.because));
			if (state.at === "stopped") return Promise.reject(shuttingDown());
			return new Promise((resolve, reject) => waiters.push({ resolve, reject }));
		},
		health,
		onHealth: listeners.add,
		reset: () => process.reset(),
		async close(beforeStop) {
			if (process.state.at === "stopped") return;
			const clients = [current, draining].filter((running) => running !== undefined);
			current = undefined;
			process.stop();
			settle(({ reject }) => reject(shuttingDown()));
			await starter.abortLaunch();
			await attempt;
			for (const running of clients) {
				running.unwatch();
				running.end(shuttingDown());
			}
			if (clients.length > 0) await beforeStop?.();
			await Promise.all(clients.map((running) => starter.stop(running.lease.client)));
		},
	};
}

interface ClientWatcher<C> {
	onDeath(running: RunningClient<C>, because: string): void;
	onLarge(running: RunningClient<C>, rssBytes: number): void;
}

function watchClient<C extends SupervisedClient>(
	{ client, version }: StartedClient<C>,
	deps: SupervisorDeps<C>,
	watcher: ClientWatcher<C>,
): RunningClient<C> {
	const { clock, logger } = deps;
	const vitals = () => deps.vitals(client);
	const running: RunningClient<C> = createRunningClient<C>({
		client,
		version,
		clock,
		vitals,
		ping: () => client.ping(),
		watchExit: (onExit) => deps.watchExit(client, onExit),
		watchOutput: (onOutput) => deps.watchOutput(client, onOutput),
		onDeath: (because) => watcher.onDeath(running, because),
	});
	const unwatchMemory = watchMemory({
		limits: deps.memory,
		clock,
		vitals,
		onLarge: (rssBytes) => watcher.onLarge(running, rssBytes),
		onTooLarge: (rssBytes) => watcher.onDeath(running, healthMessage.tooLarge(rssBytes)),
	});
	running.lease.gone.addEventListener("abort", unwatchMemory, { once: true });
	logger.info({ version }, "The Copilot runtime is ready");
	return running;
}

/** Those who follow the runtime's health; one that fails does not keep the others from hearing. */
function createListeners<T>(logger: Logger) {
	const listeners = new Set<(value: T) => void>();
	return {
		add(listener: (value: T) => void) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		tell(value: T) {
			for (const listener of listeners) {
				try {
					listener(value);
				} catch (error) {
					logger.error({ err: error }, "A listener for the runtime's health failed");
				}
			}
		},
	};
}

const shuttingDown = () => new AppError("shutting-down", "The server is shutting down. Try again when it is back.", { retryable: true });

function describe(state: Supervision, provider: RuntimeHealth["provider"], version: string | undefined): RuntimeHealth {
	switch (state.at) {
		case "off":
		case "stopped":
			return { state: state.at, provider };
		case "starting":
			return { state: state.again ? "restarting" : "starting", provider };
		case "ready":
			return { state: "ready", provider, ...(version === undefined ? {} : { version }) };
		case "backoff":
			return { state: "restarting", provider, ...sentenceOf("runtime-restarting", state.because) };
		case "open":
			return { state: "resting", provider, ...sentenceOf("runtime-resting", state.because) };
	}
}
