import type { LogEvent } from "@rightseat/protocol/events/event";
import type { Cancel, Clock } from "../kernel/clock.ts";
import { type ConversationId, seq as toSeq } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Store } from "../ports/store.ts";
import type { CommittedEvent } from "./stream-hub.ts";

/** Shortest and longest time between two group commits; in between a commit's own cost decides. */
export const MIN_COMMIT_GAP_MS = 1;
export const MAX_COMMIT_GAP_MS = 50;
/** A longer gap makes a larger commit, which would make a longer gap: up to here a reader does not feel it, from here on it grows slower. */
const UNFELT_GAP_MS = 5;
/** A delta stops growing here and the next one begins. */
const MAX_COALESCED_CHARS = 16_384;
/** While the store refuses to write, or the disk does not finish, at most this much waits in memory. */
const MAX_WAITING_CHARS = 16 * 1_048_576;
const RETRY_AFTER_FAILURE_MS = 1_000;

/** An event with its place in the log and the text that everyone gets. */
export interface LoggedEvent extends CommittedEvent {
	event: LogEvent;
}

export interface EventLog {
	/** Inside `commit` part of it; outside, buffered, coalesced and committed within milliseconds. Readers get it after that. */
	append(conversationId: ConversationId, event: LogEvent): void;
	/** State and events in one transaction, after everything that was appended before. Throws what the store or `work` throws; then nothing happened. */
	commit<T>(work: () => T extends Promise<unknown> ? never : T): T;
	/** Commits what is buffered now. False when the store refuses; it will be tried again. */
	flush(): boolean;
	/** The buffer is full, because the store refuses or the disk hangs: whoever produces must stop. */
	overflowing(): boolean;
	close(): void;
}

interface Waiting {
	conversationId: ConversationId;
	event: LogEvent;
}

/** The append-only log of every conversation: committed, then durable, then shown. */
export function createEventLog(deps: {
	store: Store;
	clock: Clock;
	logger: Logger;
	/** Committed events, in order: what the server itself knows from now on. They may not leave it yet. */
	onCommitted(events: LoggedEvent[]): void;
	/** The same events when they survive a power cut: now they may be shown. */
	onDurable(events: LoggedEvent[]): void;
}): EventLog {
	let buffer: Waiting[] = [];
	let newest = new Map<ConversationId, Waiting>();
	let waitingChars = 0;
	let scheduled: Cancel | undefined;
	let lastCommitEnd = 0;
	let gapMs = MIN_COMMIT_GAP_MS;
	let lastCommitMs = 0;
	let failing = false;
	/** Events of the commit that is being made; undefined outside. */
	let current: Waiting[] | undefined;

	function take(): Waiting[] {
		const taken = buffer;
		buffer = [];
		newest = new Map();
		waitingChars = 0;
		scheduled?.();
		scheduled = undefined;
		return taken;
	}

	function giveBack(taken: Waiting[]): void {
		buffer = [...taken, ...buffer];
		waitingChars = buffer.reduce((sum, event) => sum + sizeOf(event), 0);
	}

	function write(events: Waiting[]): LoggedEvent[] {
		const heads = new Map<ConversationId, { epoch: CommittedEvent["epoch"]; head: number }>();
		const written: LoggedEvent[] = [];
		for (const { conversationId, event } of events) {
			let position = heads.get(conversationId);
			if (position === undefined) {
				const row = deps.store.conversations.find(conversationId);
				// Deleted while its last events were waiting: nobody is left to tell.
				if (row === undefined) continue;
				position = { epoch: row.epoch, head: row.headSeq };
				heads.set(conversationId, position);
			}
			position.head += 1;
			const seq = toSeq(position.head);
			const frame = JSON.stringify({ type: event.type, data: { conversationId, epoch: position.epoch, seq, ...event.data } });
			deps.store.events.append(conversationId, seq, frame);
			written.push({ conversationId, epoch: position.epoch, seq, frame, event });
		}
		for (const [id, position] of heads) deps.store.conversations.update(id, { headSeq: toSeq(position.head) });
		return written;
	}

	function commit<T>(work: () => T extends Promise<unknown> ? never : T): T {
		if (current !== undefined) return work();
		const taken = take();
		const own: Waiting[] = [];
		const started = deps.clock.elapsed();
		let written: LoggedEvent[] = [];
		let result: T;
		try {
			result = deps.store.transaction<T>(() => {
				written = write(taken);
				current = own;
				try {
					const value = work();
					current = undefined;
					written.push(...write(own));
					return value;
				} finally {
					current = undefined;
				}
			});
		} catch (error) {
			giveBack(taken);
			if (buffer.length > 0) schedule();
			throw error;
		}
		lastCommitEnd = deps.clock.elapsed();
		const tookMs = lastCommitEnd - started;
		// A disk that stalls once has cost its time already; waiting as long again would double what readers feel.
		gapMs = Math.min(MAX_COMMIT_GAP_MS, Math.max(MIN_COMMIT_GAP_MS, gapAfter(Math.min(tookMs, lastCommitMs))));
		lastCommitMs = tookMs;
		failing = false;
		deps.onCommitted(written);
		if (written.length > 0) deps.store.afterCommit(() => deps.onDurable(written));
		return result;
	}

	function flush(): boolean {
		if (buffer.length === 0) return true;
		try {
			commit(() => undefined);
			return true;
		} catch (error) {
			if (!failing) deps.logger.error({ err: error, waiting: buffer.length }, "The event log cannot be written; trying again");
			failing = true;
			schedule();
			return false;
		}
	}

	const gapLeftMs = () => lastCommitEnd + gapMs - deps.clock.elapsed();

	const offDisk = deps.store.disk.onFree(() => {
		if (buffer.length === 0 || failing) return;
		if (gapLeftMs() <= 0) flush();
		else schedule();
	});

	function schedule(): void {
		if (scheduled !== undefined) return;
		// Committed now it would be shown no sooner, and what comes meanwhile can still join it.
		if (deps.store.disk.busy() && !failing) return;
		const run = () => {
			scheduled = undefined;
			flush();
		};
		if (failing) {
			scheduled = deps.clock.after(RETRY_AFTER_FAILURE_MS, run);
			return;
		}
		const restMs = gapLeftMs();
		scheduled = restMs <= 0 ? deps.clock.soon(run) : deps.clock.after(restMs, run);
	}

	return {
		append(conversationId, event) {
			const waiting = { conversationId, event };
			if (current !== undefined) {
				current.push(waiting);
				return;
			}
			waitingChars += sizeOf(waiting);
			const last = newest.get(conversationId);
			const joined = last === undefined ? undefined : coalesce(last.event, event);
			if (last !== undefined && joined !== undefined) last.event = joined;
			else {
				buffer.push(waiting);
				newest.set(conversationId, waiting);
			}
			schedule();
		},
		commit,
		flush,
		overflowing: () => waitingChars > MAX_WAITING_CHARS,
		close() {
			offDisk();
			scheduled?.();
			scheduled = undefined;
		},
	};
}

/** Storing gets an eighth of the event loop while commits are quick, and a fifth at most. */
function gapAfter(commitMs: number): number {
	return Math.min(7 * commitMs, Math.max(UNFELT_GAP_MS, 4 * commitMs));
}

/** Both as one when they are pieces of one stream; nothing else of the conversation stands between them. */
function coalesce(last: LogEvent, event: LogEvent): LogEvent | undefined {
	if (last.type === "copilot:delta" && event.type === "copilot:delta" && last.data.messageId === event.data.messageId) {
		const content = join(last.data.content, event.data.content);
		return content === undefined ? undefined : { type: last.type, data: { ...last.data, content } };
	}
	if (last.type === "copilot:reasoning_delta" && event.type === last.type && last.data.reasoningId === event.data.reasoningId) {
		const content = join(last.data.content, event.data.content);
		return content === undefined ? undefined : { type: last.type, data: { ...last.data, content } };
	}
	if (last.type === "copilot:tool_output" && event.type === last.type && last.data.toolCallId === event.data.toolCallId) {
		const content = join(last.data.content, event.data.content);
		return content === undefined ? undefined : { type: last.type, data: { ...last.data, content } };
	}
	if (
		last.type === "bash:output" &&
		event.type === last.type &&
		last.data.execId === event.data.execId &&
		last.data.stream === event.data.stream
	) {
		const output = join(last.data.output, event.data.output);
		return output === undefined ? undefined : { type: last.type, data: { ...last.data, output } };
	}
	return undefined;
}

function join(before: string, more: string): string | undefined {
	return before.length + more.length > MAX_COALESCED_CHARS ? undefined : before + more;
}

function sizeOf({ event }: Waiting): number {
	const content = "content" in event.data ? event.data.content : "output" in event.data ? event.data.output : "";
	return 64 + content.length;
}
