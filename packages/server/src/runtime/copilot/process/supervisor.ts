import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { createProcessSupervisor, type RestartPolicy, type Supervision } from "../../../core/kernel/supervision.ts";
import type { RuntimeHealth } from "../../../core/ports/agent-runtime.ts";
import { type ClientStarterDeps, createClientStarter, type StartedClient, type SupervisedClient } from "./client-starter.ts";
import { healthMessage, sentenceOf } from "./health-message.ts";
import type { Vitals } from "./process-vitals.ts";
import { createRunningClient, type Lease, type RunningClient } from "./running-client.ts";
import { createRunningClients } from "./running-clients.ts";
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
	/** Whose model answers as of now. */
	provider(): RuntimeHealth["provider"];
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
	let closed: Promise<void> | undefined;
	const clients = createRunningClients<C>({ starter, watch, onReplaced: () => listeners.tell(health()), logger });
	const process = createProcessSupervisor({
		policy: POLICY,
		clock,
		start: () => {
			// A start that fails at once must not report its failure before its state is entered.
			attempt = Promise.resolve().then(start);
		},
		onChange: () => listeners.tell(health()),
	});

	const health = (): RuntimeHealth => describe(process.state, deps.provider(), clients.current()?.version);

	function settle(deliver: (waiter: Waiter<C>) => void) {
		for (const waiter of waiters.splice(0)) deliver(waiter);
	}

	async function start() {
		try {
			const launched = await starter.launch();
			if (process.state.at === "stopped") return await starter.kill(launched.client);
			const { lease } = clients.adopt(launched);
			process.started();
			settle(({ resolve }) => resolve(lease));
		} catch (error) {
			if (process.state.at === "stopped") return;
			const because = error instanceof Error ? error.message : String(error);
			logger.error({ err: because }, "The Copilot runtime did not start");
			fail(because);
			settle(({ reject }) => reject(runtimeErrors.startFailed(because, error)));
		}
	}

	function watch(started: StartedClient<C>) {
		return watchClient(started, deps, { onDeath: died, onLarge: (running, rssBytes) => void clients.replace(running, rssBytes) });
	}

	function fail(because: string) {
		process.failed(because);
		if (process.state.at === "open")
			logger.error({ because }, "The Copilot runtime failed five times within a minute; its circuit is open");
	}

	function died(running: RunningClient<C>, because: string) {
		const was = clients.lose(running);
		if (was === undefined) return;
		running.unwatch();
		logger.error({ because }, "The Copilot runtime died; running turns end and it is restarted");
		if (was === "current") fail(because);
		running.end(runtimeErrors.died(because));
		void starter.kill(running.lease.client);
	}

	async function stopAll(beforeStop: (() => Promise<void>) | undefined): Promise<void> {
		const running = clients.takeAll();
		process.stop();
		settle(({ reject }) => reject(shuttingDown()));
		await starter.abortLaunch();
		await attempt;
		for (const client of running) {
			client.unwatch();
			client.end(shuttingDown());
		}
		if (running.length > 0) await beforeStop?.();
		await Promise.all(running.map(({ lease }) => starter.stop(lease.client)));
	}

	return {
		lease() {
			process.needed();
			const { state } = process;
			const current = clients.current();
			if (current !== undefined) return Promise.resolve(current.lease);
			if (state.at === "open") return Promise.reject(runtimeErrors.resting(state.because));
			if (state.at === "stopped") return Promise.reject(shuttingDown());
			return new Promise((resolve, reject) => waiters.push({ resolve, reject }));
		},
		health,
		onHealth: listeners.add,
		reset: () => process.reset(),
		close(beforeStop) {
			// Whoever closes it a second time waits for the same stop.
			closed ??= stopAll(beforeStop);
			return closed;
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
