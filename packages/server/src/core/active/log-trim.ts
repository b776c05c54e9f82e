import type { Cancel, Clock } from "../kernel/clock.ts";
import { type ConversationId, seq as toSeq } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CommittedEvent } from "../log/stream-hub.ts";
import type { EventsToKeep, Store } from "../ports/store.ts";

/** Newest events of a conversation that stay in the log: a little more than can be replayed. Who is further behind gets a snapshot anyway. */
export const KEPT_EVENTS = 2_000;
export const KEPT_EVENT_BYTES = 2 * 1_048_576;
/** Of a conversation in which nothing happened for so long nothing stays: its messages hold all of it, at a fraction of the size. */
export const KEPT_EVENTS_MS = 60 * 60_000;
const SWEEP_MS = 10 * 60_000;
const SWEEP_CONVERSATIONS = 1_000;

/** Removes old events in the background; failures are logged and made up for the next time. */
export interface LogTrim {
	/** Counts what was appended and trims when that is worth it, whatever the conversation is used for. */
	appended(events: CommittedEvent[]): void;
	trim(conversationId: ConversationId): void;
	close(): void;
}

/** Keeps the log of every conversation as short as what can be replayed from it, in bytes, in number and in age. */
export function createLogTrim(deps: {
	store: Pick<Store, "conversations" | "events" | "turns" | "commands">;
	clock: Clock;
	logger: Logger;
}): LogTrim {
	const { store, clock } = deps;
	const grown = new Map<ConversationId, { events: number; chars: number }>();
	const running = new Set<ConversationId>();
	/** Requested while they were being trimmed: what was needed then may no longer be needed. */
	const again = new Set<ConversationId>();
	let cancelSweep: Cancel = clock.after(SWEEP_MS, sweep);
	let closed = false;

	/**
	 * What a crash would need: everything of a running turn, and what a running command has printed. What comes after this moment stays as well: the removal is
	 * made later, on another thread, and a turn may have begun by then.
	 */
	function needed(id: ConversationId): Pick<EventsToKeep, "from" | "outputOf"> {
		const turn = store.turns.open().find((open) => open.conversationId === id);
		const outputOf = store.commands.running().flatMap((command) => (command.conversationId === id ? [command.execId] : []));
		const head = store.conversations.find(id)?.headSeq ?? 0;
		return { outputOf, from: turn?.firstSeq ?? toSeq(head + 1) };
	}
	async function trimTo(id: ConversationId, bounds: { events: number; bytes: number }): Promise<void> {
		if (closed) return;
		if (running.has(id)) return void again.add(id);
		running.add(id);
		grown.delete(id);
		try {
			await store.events.trim(id, { ...bounds, ...needed(id) });
		} catch (error) {
			// The log stays longer than it need be; the next time makes up for it.
			if (!closed) deps.logger.warn({ err: error, conversationId: id }, "Old events could not be removed");
		} finally {
			running.delete(id);
			if (again.delete(id)) trim(id);
		}
	}
	const trim = (id: ConversationId) => void trimTo(id, { events: KEPT_EVENTS, bytes: KEPT_EVENT_BYTES });

	function sweep(): void {
		cancelSweep = clock.after(SWEEP_MS, sweep);
		void removeOld();
	}
	async function removeOld(): Promise<void> {
		try {
			const quiet = await store.events.quietSince(clock.now() - KEPT_EVENTS_MS, SWEEP_CONVERSATIONS);
			for (const id of quiet) await trimTo(id, { events: 0, bytes: 0 });
		} catch (error) {
			if (!closed) deps.logger.warn({ err: error }, "Old events could not be looked for");
		}
	}

	return {
		appended(events) {
			for (const { conversationId: id, frame } of events) {
				const count = grown.get(id) ?? { events: 0, chars: 0 };
				count.events += 1;
				count.chars += frame.length;
				grown.set(id, count);
				if (count.events >= KEPT_EVENTS / 2 || count.chars >= KEPT_EVENT_BYTES / 2) trim(id);
			}
		},
		trim,
		close() {
			closed = true;
			cancelSweep();
		},
	};
}
