import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";

/** What is needed of the SDK's client to start, probe and stop its process. */
export interface SupervisedClient {
	start(): Promise<void>;
	stop(): Promise<unknown>;
	forceStop(): Promise<void>;
	ping(): Promise<unknown>;
	getStatus(): Promise<{ version: string }>;
}

export interface StartedClient<C> {
	client: C;
	version: string;
}

export interface ClientStarterDeps<C extends SupervisedClient> {
	createClient(): C | Promise<C>;
	watchExit(client: C, onExit: () => void): Cancel;
	clock: Clock;
	logger: Logger;
}

/** Starts and stops runtimes, each within its time. */
export interface ClientStarter<C> {
	/** Rejects when the process does not start, dies meanwhile or does not answer in time; then it is gone. */
	launch(): Promise<StartedClient<C>>;
	/** Kills what is being started. */
	abortLaunch(): Promise<void>;
	/** In an orderly way, else by force. */
	stop(client: C): Promise<void>;
	kill(client: C): Promise<void>;
}

/** The runtime says nothing when it cannot start over stdio: without a limit the first prompt would wait for ever. */
export const START_LIMIT_MS = 20_000;
export const STOP_LIMIT_MS = 4_000;

export function createClientStarter<C extends SupervisedClient>(deps: ClientStarterDeps<C>): ClientStarter<C> {
	const { clock, logger } = deps;
	const starting = new Set<C>();
	const startLimit = {
		clock,
		ms: START_LIMIT_MS,
		late: () => new AppError("runtime-start-failed", `no answer within ${START_LIMIT_MS / 1000} s`),
	};

	async function kill(client: C) {
		const late = () => new AppError("runtime-died", "the runtime could not be killed");
		await withTimeout(client.forceStop(), { clock, ms: STOP_LIMIT_MS, late }).catch((error: unknown) =>
			logger.warn({ err: error }, "Killing the Copilot runtime failed"),
		);
	}

	return {
		async launch() {
			const client = await deps.createClient();
			starting.add(client);
			let unwatch: Cancel = () => undefined;
			try {
				await withTimeout(client.start(), startLimit);
				const died = new AbortController();
				unwatch = deps.watchExit(client, () => died.abort(new AppError("runtime-start-failed", "its process ended")));
				const { version } = await withTimeout(client.getStatus(), { ...startLimit, gone: died.signal });
				return { client, version };
			} catch (error) {
				await kill(client);
				throw error;
			} finally {
				unwatch();
				starting.delete(client);
			}
		},
		async abortLaunch() {
			await Promise.all([...starting].map(kill));
		},
		kill,
		async stop(client) {
			const limit = { clock, ms: STOP_LIMIT_MS, late: () => new AppError("runtime-died", "stop took too long") };
			await withTimeout(client.stop(), limit).catch(() => kill(client));
			logger.info({}, "The Copilot runtime has stopped");
		},
	};
}
