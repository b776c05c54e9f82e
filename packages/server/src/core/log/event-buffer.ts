import type { LogEvent } from "@rightseat/protocol/events/event";
import type { ConversationId } from "../kernel/ids.ts";
import type { MemoryAccount } from "../kernel/memory-ledger.ts";
import { coalesce } from "./coalesce.ts";

/** The high-water mark of what waits in memory while the store refuses to write or the disk does not finish. */
export const MAX_BUFFERED_CHARS = 16 * 1_048_576;
/** What an event counts besides its text. */
const EVENT_OVERHEAD_CHARS = 64;

/** An event that was appended and not committed. */
export interface BufferedEvent {
	conversationId: ConversationId;
	event: LogEvent;
	/** Written in the same commit. */
	also?: (() => void) | undefined;
}

/** Events that wait for their commit, in order; neighbouring pieces of one stream are coalesced. */
export interface EventBuffer {
	add(conversationId: ConversationId, event: LogEvent, also?: () => void): void;
	/** Removes and returns everything. */
	take(): BufferedEvent[];
	/** Puts back, in front, what could not be committed. */
	giveBack(taken: BufferedEvent[]): void;
	count(): number;
	/** Above the high-water mark: producers must stop. */
	isOverflowing(): boolean;
}

/** Empty; what it holds is lost with the process, which nobody has been shown. */
export function createEventBuffer(account: Pick<MemoryAccount, "add">): EventBuffer {
	let buffer: BufferedEvent[] = [];
	/** Of each conversation, because other conversations' events between them do not matter. */
	let newest = new Map<ConversationId, BufferedEvent>();
	let chars = 0;
	function count(now: number): void {
		account.add(2 * (now - chars));
		chars = now;
	}
	return {
		add(conversationId, event, also) {
			count(chars + sizeOf(event));
			const last = newest.get(conversationId);
			const joined = last === undefined || also !== undefined ? undefined : coalesce(last.event, event);
			if (last !== undefined && joined !== undefined) {
				last.event = joined;
				return;
			}
			const added = { conversationId, event, also };
			buffer.push(added);
			newest.set(conversationId, added);
		},
		take() {
			const taken = buffer;
			buffer = [];
			newest = new Map();
			count(0);
			return taken;
		},
		giveBack(taken) {
			buffer = [...taken, ...buffer];
			count(buffer.reduce((sum, { event }) => sum + sizeOf(event), 0));
		},
		count: () => buffer.length,
		isOverflowing: () => chars > MAX_BUFFERED_CHARS,
	};
}

function sizeOf({ data }: LogEvent): number {
	if ("content" in data) return EVENT_OVERHEAD_CHARS + data.content.length;
	if ("output" in data) return EVENT_OVERHEAD_CHARS + data.output.length;
	// Rare beside the pieces of text, and as large as a tool's arguments or result.
	return EVENT_OVERHEAD_CHARS + JSON.stringify(data).length;
}
