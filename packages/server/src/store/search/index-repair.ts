import type { Clock } from "../../core/kernel/clock.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import { sqlFault } from "../sqlite/sql-errors.ts";
import type { IndexBuilder } from "./rebuild-index.ts";

/** Keeps damage in the search index from stopping anything else: it is made again from the tables, in the background. */
export interface IndexRepair {
	/** Does it, unless the index is damaged now: then the rebuild will find what it was about. */
	write(work: () => void): void;
	/** Starts a rebuild for damage in the index, and throws any other error. */
	repair(error: unknown): void;
	/** Undefined when the index is whole; else resolves when it is, or when that takes longer. */
	whole(limitMs: number): Promise<void> | undefined;
}

/** A rebuild that was cut off goes on at once. */
export function createIndexRepair(deps: { builder: IndexBuilder; clock: Clock; logger: Logger }): IndexRepair {
	const { builder, clock, logger } = deps;
	let running: Promise<void> | undefined;
	/** Nothing can be written before the damaged index is emptied; afterwards everything can, also while it is being filled. */
	let isWritable = true;

	async function rebuild(): Promise<void> {
		try {
			await builder.reset();
			isWritable = true;
			for (let after = await builder.fill(0); after !== undefined; after = await builder.fill(after));
			logger.info({}, "The search index is whole again");
		} catch (error) {
			logger.warn({ err: error }, "The search index could not be built again; the next search or start tries it");
		} finally {
			isWritable = true;
			running = undefined;
		}
	}
	function start(): void {
		if (running !== undefined) return;
		isWritable = false;
		running = rebuild();
	}
	function repair(error: unknown): void {
		if (sqlFault(error) !== "index") throw error;
		logger.error({ err: error }, "The search index is damaged and is built again");
		start();
	}

	if (builder.isUnfinished()) start();
	return {
		write(work) {
			if (!isWritable) return;
			try {
				work();
			} catch (error) {
				repair(error);
			}
		},
		repair,
		whole(limitMs) {
			if (running === undefined && builder.isUnfinished()) start();
			if (running === undefined) return undefined;
			return new Promise<void>((resolve) => {
				const cancel = clock.after(limitMs, resolve);
				void running?.finally(() => {
					cancel();
					resolve();
				});
			});
		},
	};
}
