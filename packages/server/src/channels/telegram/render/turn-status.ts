import type { TodoList } from "@rightseat/protocol/model/todo";
import type { RunningTurn } from "@rightseat/protocol/model/turn";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import type { CallResult } from "../api/bot-client.ts";
import type { Messages } from "../messages/messages.ts";
import type { ChatWriter } from "./chat-writer.ts";
import { statusText } from "./status-text.ts";
import { startTyping } from "./typing-loop.ts";

/** A turn that ends sooner shows no status message at all. */
export const STATUS_AFTER_MS = 800;
/** Without news the elapsed time is still refreshed. */
const REFRESH_MS = 10_000;

/** What a chat shows while a turn runs: typing, then a status message that is edited. */
export interface TurnStatus {
	show(turn: RunningTurn): void;
	/** A question waits for the person: no typing, no ticking. */
	setAsking(isAsking: boolean): void;
	/** Whether the turn took long enough for a status message. */
	isShown(): boolean;
	/** Ends typing and ticking; the message stays until `finish` or `remove`. */
	stop(): void;
	finish(text: string): void;
	remove(): void;
}

export function startTurnStatus(deps: {
	turn: RunningTurn;
	replyTo: number | undefined;
	/** What the agent means to do, as it stands now. */
	todos: () => TodoList | undefined;
	conversationId: ConversationId;
	writer: ChatWriter;
	clock: Clock;
	words: () => Messages;
	redact: (text: string) => string;
	typing: () => Promise<CallResult<true>>;
}): TurnStatus {
	const { clock, writer, words, conversationId } = deps;
	let turn = deps.turn;
	let isShown = false;
	let isAsking = false;
	const live = writer.live({ silent: true, replyTo: deps.replyTo });
	// One button for the life of the status message: a new id with every edit would fill the table.
	const keyboard = [[writer.button(words().stop, { kind: "stop", conversationId })]];
	let cancelTyping = startTyping(clock, deps.typing);
	let cancelTimer: Cancel = clock.after(STATUS_AFTER_MS, () => {
		isShown = true;
		tick();
	});

	function tick(): void {
		draw();
		cancelTimer = clock.after(REFRESH_MS, tick);
	}

	function draw(): void {
		// A question is on the screen already; a status below it would push it away.
		if (!isShown || (isAsking && live.messageId() === undefined)) return;
		const text = isAsking ? words().waitingForYou : deps.redact(statusText(words(), turn, { now: clock.now(), todos: deps.todos() }));
		live.set({ text: text.slice(0, 4096).toWellFormed(), entities: [], keyboard });
	}

	return {
		show(next) {
			turn = next;
			draw();
		},
		setAsking(asking) {
			if (isAsking === asking) return;
			isAsking = asking;
			cancelTyping();
			if (!asking) cancelTyping = startTyping(clock, deps.typing);
			draw();
		},
		isShown: () => isShown,
		stop() {
			cancelTimer();
			cancelTyping();
		},
		finish: (text) => live.finish({ text, entities: [] }),
		remove: () => live.remove(),
	};
}
