import type { Logger } from "../../../core/kernel/logger.ts";
import type { ClientStarter, StartedClient } from "./client-starter.ts";
import type { RunningClient } from "./running-client.ts";
import { runtimeErrors } from "./runtime-errors.ts";

/** The runtime for new turns, and a replaced one on which turns still run; so there are never more than two. */
export interface RunningClients<C> {
	current(): RunningClient<C> | undefined;
	/** The one for new turns from now on. */
	adopt(started: StartedClient<C>): RunningClient<C>;
	/** What one that died was: for new turns, which is forgotten, a replaced one, or none of these. */
	lose(running: RunningClient<C>): "current" | "replaced" | undefined;
	/** A fresh runtime takes the place of a large one: new turns begin there, running ones end where they are, then the old one stops. */
	replace(old: RunningClient<C>, rssBytes: number): Promise<void>;
	/** All of them, for the caller to end; from now on none is for new turns. */
	takeAll(): RunningClient<C>[];
}

export function createRunningClients<C>(deps: {
	starter: Pick<ClientStarter<C>, "launch" | "kill" | "stop">;
	watch(started: StartedClient<C>): RunningClient<C>;
	onReplaced(): void;
	logger: Logger;
}): RunningClients<C> {
	const { starter, logger } = deps;
	let current: RunningClient<C> | undefined;
	let replaced: RunningClient<C> | undefined;
	let isReplacing = false;

	/** Whether a fresh one has taken its place. */
	async function supersede(old: RunningClient<C>, rssBytes: number): Promise<boolean> {
		isReplacing = true;
		try {
			const fresh = await starter.launch();
			// It died or the server stops; the other way to a new one has been taken.
			if (current !== old) {
				await starter.kill(fresh.client);
				return false;
			}
			logger.info({ rssBytes }, "The Copilot runtime has grown large; a fresh one takes its place");
			replaced = old;
			current = deps.watch(fresh);
			deps.onReplaced();
			return true;
		} catch (error) {
			logger.warn({ err: error }, "A fresh Copilot runtime did not start; the large one goes on");
			return false;
		} finally {
			isReplacing = false;
		}
	}

	return {
		current: () => current,
		adopt(started) {
			current = deps.watch(started);
			return current;
		},
		lose(running) {
			if (running === replaced) return "replaced";
			if (running !== current) return undefined;
			current = undefined;
			return "current";
		},
		async replace(old, rssBytes) {
			if (isReplacing || replaced !== undefined || current !== old) return;
			if (!(await supersede(old, rssBytes))) return;
			await old.retire();
			old.unwatch();
			old.end(runtimeErrors.replaced());
			await starter.stop(old.lease.client);
			old.hasStopped();
			replaced = undefined;
		},
		takeAll() {
			const clients = [current, replaced].filter((running) => running !== undefined);
			current = undefined;
			return clients;
		},
	};
}
