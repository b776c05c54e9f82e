import type { ReachView, ReachWish } from "@rightseat/protocol/http/reach";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { Lan } from "./lan.ts";
import { createTrial, type Trial } from "./trial.ts";

/** What was paired, as it is kept. */
export type Paired = Pick<ReachView, "way" | "url" | "port" | "target">;

/** Where it is kept over restarts. */
export interface ReachStore {
	current(): Paired | undefined;
	/** Throws what the disk says. */
	save(paired: Paired | undefined): void;
}

/** Under which addresses phones reach this server, beside what the configuration says. */
export interface Reach {
	readonly trial: Trial;
	current(): ReachView | undefined;
	/** Addresses that count as ours because of it. */
	origins(): readonly string[];
	/** Holds from now on and after a restart, in place of what was paired before. Throws, and leaves everything as it was, when it cannot. */
	pair(wish: ReachWish): Promise<void>;
	unpair(): Promise<void>;
	/** Opens what was open before. Never throws: people on this machine must get in whatever the network is like. */
	start(): Promise<void>;
	close(): Promise<void>;
}

export function createReach(deps: { store: ReachStore; lan: Lan; clock: Clock; logger: Pick<Logger, "warn"> }): Reach {
	const { store, lan } = deps;
	const trial = createTrial(deps.clock);
	let problem: string | undefined;
	// One change after the other: two that cross would leave a port open that nobody asked for.
	let last: Promise<unknown> = Promise.resolve();
	function inTurn<T>(change: () => Promise<T>): Promise<T> {
		const done = last.then(change, change);
		last = done.catch(() => undefined);
		return done;
	}

	async function openLan(port: number): Promise<Paired> {
		await lan.open(port);
		const url = lan.addresses()[0];
		if (url === undefined) {
			await lan.close();
			throw new AppError("bad-request", "This machine has no address in a local network.", { params: { reason: "no-lan" } });
		}
		return { way: "lan", url, port };
	}

	async function pair(wish: ReachWish): Promise<void> {
		const before = store.current();
		const moves = wish.way === "lan" && before?.way === "lan" && before.port !== wish.port;
		if (moves) await lan.close();
		try {
			store.save(wish.way === "lan" ? await openLan(wish.port) : wish);
		} catch (error) {
			if (before?.way !== "lan") await lan.close();
			else if (moves) await reopen(before);
			throw error;
		}
		problem = undefined;
		if (wish.way !== "lan") await lan.close();
	}

	async function reopen(paired: Paired): Promise<void> {
		try {
			const opened = await openLan(paired.port ?? 0);
			problem = undefined;
			// The address of a machine in a local network changes.
			if (opened.url !== paired.url) store.save(opened);
		} catch (error) {
			problem = error instanceof AppError ? error.code : "internal";
			deps.logger.warn({ err: error, port: paired.port }, "The local network cannot reach this server");
		}
	}

	return {
		trial,
		current() {
			const paired = store.current();
			if (paired === undefined) return undefined;
			const own = paired.way === "lan" ? lan.view() : {};
			return { ...paired, ...own, ...(problem === undefined ? {} : { problem }) };
		},
		origins() {
			const paired = store.current();
			if (paired === undefined) return [];
			return paired.way === "lan" ? lan.addresses() : [paired.url];
		},
		pair: (wish) => inTurn(() => pair(wish)),
		unpair: () =>
			inTurn(async () => {
				store.save(undefined);
				problem = undefined;
				await lan.close();
				lan.forget();
			}),
		start: () =>
			inTurn(async () => {
				const paired = store.current();
				if (paired?.way === "lan") await reopen(paired);
			}),
		close: () => inTurn(() => lan.close()),
	};
}
