import type { LogEvent } from "@rightseat/protocol/events/event";
import type { Cancel, Clock } from "../kernel/clock.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { MemoryLedger } from "../kernel/memory-ledger.ts";
import type { Store } from "../ports/store.ts";
import { type Along, createAlong } from "./along.ts";
import type { Chains } from "./chains.ts";
import { createCommitPace } from "./commit-pace.ts";
import { type BufferedEvent, createEventBuffer } from "./event-buffer.ts";
import { type LoggedEvent, writeEvents } from "./write-events.ts";

const RETRY_AFTER_FAILURE_MS = 1_000;

/** The only way into the log: appended in order, committed together, shown when durable. */
export interface EventLog {
	/** Inside `commit` part of it; outside, buffered, coalesced and committed within milliseconds. Readers get it after that. */
	append(conversationId: ConversationId, event: LogEvent): void;
	/** State and events in one transaction, after everything that was appended before. Throws what the store or `work` throws; then nothing happened. */
	commit<T>(work: () => T extends Promise<unknown> ? never : T): T;
	/** What `work` appends first is committed together with what `write` writes, now or whenever the disk takes it. Where it appends nothing, nothing is written. */
	together: Along["together"];
	/** Commits what is buffered now. False when the store refuses; it is retried. */
	flush(): boolean;
	/** Backpressure: the buffer is full, because the store refuses or the disk hangs, and producers must stop. */
	overflowing(): boolean;
	close(): void;
}

/** The append-only log of every conversation: committed, then durable, then shown. */
export function createEventLog(deps: {
	store: Pick<Store, "transaction" | "afterCommit" | "disk" | "conversations" | "events">;
	clock: Clock;
	logger: Logger;
	memory: MemoryLedger;
	/** In a fleet. */
	chains?: Chains | undefined;
	/** Inside the transaction: what is stored with these events, and the events that follow from them. Those follow at once. */
	alongside?(events: readonly LoggedEvent[]): BufferedEvent[];
	/** Committed events, in order: what the server itself knows from now on. They may not leave it yet. */
	onCommitted(events: LoggedEvent[]): void;
	/** The same events when they survive a power cut: now they may be shown. Those that the disk failed to sync never may. */
	onDurable(events: LoggedEvent[]): void;
	onLost(events: LoggedEvent[]): void;
}): EventLog {
	const { store, clock } = deps;
	const buffer = createEventBuffer(deps.memory.account("log"));
	const pace = createCommitPace(clock);
	let scheduled: Cancel | undefined;
	let failing = false;
	/** Events of the commit that is being made; undefined outside. */
	let current: BufferedEvent[] | undefined;
	const along = createAlong();

	function commit<T>(work: () => T extends Promise<unknown> ? never : T): T {
		if (current !== undefined) return work();
		unschedule();
		const taken = buffer.take();
		const startedAt = clock.elapsed();
		let written: LoggedEvent[] = [];
		let result: T;
		try {
			result = store.transaction<T>(() => {
				const before = write(taken);
				const { value, events } = collect(work);
				written = [...before, ...write(events)];
				return value;
			});
		} catch (error) {
			buffer.giveBack(taken);
			if (buffer.count() > 0) schedule();
			throw error;
		}
		pace.ended(startedAt);
		failing = false;
		deps.onCommitted(written);
		const lost = () => deps.onLost(written);
		if (written.length > 0) store.afterCommit(() => deps.onDurable(written), lost);
		return result;
	}

	function write(events: readonly BufferedEvent[]): LoggedEvent[] {
		const stored = writeEvents(store, events, deps.chains);
		const more = deps.alongside?.(stored) ?? [];
		return more.length === 0 ? stored : [...stored, ...writeEvents(store, more, deps.chains)];
	}

	/** Runs the work of a commit; what it appends belongs to that commit. */
	function collect<T>(work: () => T): { value: T; events: BufferedEvent[] } {
		const events: BufferedEvent[] = [];
		current = events;
		try {
			return { value: work(), events };
		} finally {
			current = undefined;
		}
	}

	function flush(): boolean {
		if (buffer.count() === 0) return true;
		try {
			commit(() => undefined);
			return true;
		} catch (error) {
			if (!failing) deps.logger.error({ err: error, waiting: buffer.count() }, "The event log cannot be written; trying again");
			failing = true;
			schedule();
			return false;
		}
	}

	const offDisk = store.disk.onFree(() => {
		if (buffer.count() === 0 || failing) return;
		if (pace.gapLeftMs() <= 0) flush();
		else schedule();
	});

	function schedule(): void {
		if (scheduled !== undefined) return;
		// Committed now it would be shown no sooner, and what comes meanwhile can still join it.
		if (store.disk.busy() && !failing) return;
		const restMs = failing ? RETRY_AFTER_FAILURE_MS : pace.gapLeftMs();
		scheduled = restMs <= 0 ? clock.soon(run) : clock.after(restMs, run);
	}
	function run(): void {
		scheduled = undefined;
		flush();
	}
	function unschedule(): void {
		scheduled?.();
		scheduled = undefined;
	}

	return {
		append(conversationId, event) {
			const also = along.take();
			if (current !== undefined) return void current.push({ conversationId, event, also });
			buffer.add(conversationId, event, also);
			schedule();
		},
		commit,
		together: along.together,
		flush,
		overflowing: buffer.isOverflowing,
		close() {
			offDisk();
			unschedule();
		},
	};
}
