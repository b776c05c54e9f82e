import { cutText } from "@rightseat/protocol/text";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";

/** The message that is being said. Its id is ours: agents repeat theirs, share one between thought and text, or have none. */
export interface Messages {
	readonly open?: {
		readonly kind: "text" | "thought";
		readonly agentId: string | undefined;
		readonly id: string;
		readonly content: string;
	};
	/** Messages and thoughts so far. */
	readonly count: number;
	/** The last text that was said, and whether the agent gave it an id. */
	readonly last?: { readonly content: string; readonly isTagged: boolean };
}

export const NO_MESSAGES: Messages = { count: 0 };

/** One piece. A new message begins when the kind or the agent's id changes. */
export function nextPiece(
	messages: Messages,
	piece: { kind: "text" | "thought"; messageId: string | undefined; text: string },
	prefix: string,
): { messages: Messages; events: TurnEvent[] } {
	if (piece.text === "") return { messages, events: [] };
	const { open } = messages;
	if (open !== undefined && open.kind === piece.kind && open.agentId === piece.messageId) {
		return {
			messages: { ...messages, open: { ...open, content: open.content + piece.text } },
			events: deltas(open.kind, open.id, piece.text),
		};
	}
	const closed = closeMessage(messages);
	const count = messages.count + 1;
	const id = `${prefix}-${count}`;
	const begun = { kind: piece.kind, agentId: piece.messageId, id, content: piece.text };
	return { messages: { ...closed.messages, count, open: begun }, events: [...closed.events, ...deltas(piece.kind, id, piece.text)] };
}

/** Ends the message that is open, for instance because a tool comes. */
export function closeMessage({ open, ...rest }: Messages): { messages: Messages; events: TurnEvent[] } {
	if (open === undefined) return { messages: rest, events: [] };
	if (open.kind === "thought") return { messages: rest, events: [] };
	const last = { content: open.content, isTagged: open.agentId !== undefined };
	return { messages: { ...rest, last }, events: [{ kind: "message-end", messageId: open.id, content: open.content }] };
}

/** A reader gets one frame for each: one of many megabytes would be taken for a reader that cannot keep up. */
export const MAX_PIECE_CHARS = 64 * 1024;

function deltas(kind: "text" | "thought", id: string, text: string): TurnEvent[] {
	const events: TurnEvent[] = [];
	for (let at = 0; at < text.length; ) {
		// Never longer than the piece, and never empty: a piece holds more than one character.
		const content = cutText(text.slice(at, at + MAX_PIECE_CHARS + 1), MAX_PIECE_CHARS);
		events.push(kind === "text" ? { kind: "text-delta", messageId: id, content } : { kind: "reasoning-delta", reasoningId: id, content });
		at += content.length;
	}
	return events;
}
