import { expect, test } from "vitest";
import type { EventData } from "../events/event.ts";
import type { Message } from "../model/message.ts";
import { emptyState, foldConversation } from "./conversation.ts";

const TURN = { messageId: "a1", userMessageId: "u1", startedAt: "2026-01-02T03:04:05.000Z" };
const COUNTS = { files: 3, added: 40, removed: 12 };

const change = (data: Partial<EventData<"copilot:changes">>) => ({
	type: "copilot:changes" as const,
	data: { changeId: "g1", kind: "turn" as const, ...COUNTS, ...data },
});
const shownOf = (messages: readonly Message[]) => messages.map(({ id, metadata }) => [id, metadata.changes]);

function afterTurn() {
	let state = foldConversation(emptyState(), { type: "copilot:stream-status", data: { status: "streaming", turn: TURN } });
	state = foldConversation(state, change({ messageId: "a1", notCovered: 2 }));
	return foldConversation(state, { type: "copilot:idle", data: { messageId: "a1", outcome: "completed" } });
}

test("[CG1] what a turn changed is told before its end and stands on the answer", () => {
	expect(shownOf(afterTurn().messages)).toEqual([["a1", { changeId: "g1", ...COUNTS, notCovered: 2 }]]);
});

test("[CG1] what a crash kept from being told comes to the stored answer, and what a command changed to its result", () => {
	const metadata = { origin: "web" as const, bash: true, execId: "x1" };
	const createdAt = TURN.startedAt;
	let state = foldConversation(afterTurn(), {
		type: "copilot:user_message",
		data: { messageId: "x1", content: "$ make", metadata, origin: "web", createdAt },
	});
	state = foldConversation(state, change({ changeId: "g2", kind: "command", messageId: "x1", files: 1 }));
	state = foldConversation(state, change({ changeId: "g3", messageId: "a1", files: 9 }));
	expect(shownOf(state.messages)).toEqual([
		["a1", { changeId: "g3", ...COUNTS, files: 9 }],
		["x1", { changeId: "g2", ...COUNTS, files: 1 }],
	]);
});

test("[CG1] undo marks what it took back as a whole, redo clears the mark, and the change of an undo belongs to no message", () => {
	const changes = { changeId: "g1", ...COUNTS, notCovered: 2 };
	const undo = (undone: boolean) => change({ changeId: "g9", kind: "undo", undoes: [{ changeId: "g1", messageId: "a1", undone }] });
	const part = foldConversation(afterTurn(), undo(false));
	expect(shownOf(part.messages)).toEqual([["a1", changes]]);
	const whole = foldConversation(part, undo(true));
	expect(shownOf(whole.messages)).toEqual([["a1", { ...changes, undone: true }]]);
	const other = foldConversation(whole, change({ changeId: "g8", kind: "redo", undoes: [{ changeId: "g7", undone: false }] }));
	expect(other.messages).toBe(whole.messages);
	expect(shownOf(foldConversation(other, undo(false)).messages)).toEqual([["a1", changes]]);
});
