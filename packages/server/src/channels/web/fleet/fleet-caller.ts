import { AsyncLocalStorage } from "node:async_hooks";
import type { Actor } from "../../../core/kernel/actor.ts";

/** Who asks when a request comes from another host of the fleet. Only this process can say so: what came over the network never runs inside of it. */
export interface FleetCaller {
	/** Runs a request for somebody on another host. */
	run<T>(who: Actor, work: () => Promise<T>): Promise<T>;
	/** Undefined: the request came over the network. */
	current(): Actor | undefined;
}

export function createFleetCaller(): FleetCaller {
	const storage = new AsyncLocalStorage<Actor>();
	return { run: (who, work) => storage.run(who, work), current: () => storage.getStore() };
}
