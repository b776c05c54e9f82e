import type { Snapshot } from "@rightseat/protocol/fold/conversation";
import { beginTurn, foldTurn } from "@rightseat/protocol/fold/turn";
import type { LoggedFrame } from "@rightseat/protocol/frames/server";
import type { Message } from "@rightseat/protocol/model/message";
import type { RunningTurn, ToolRecord } from "@rightseat/protocol/model/turn";
import type { TurnOutcome } from "@rightseat/protocol/model/vocabulary";
import type { CodedMessage } from "@rightseat/protocol/sentences/say-coded";
import type { Ask } from "../terminal/asks.ts";

/** How our prompt stands. */
export type AskedState =
	| { kind: "sending" }
	| { kind: "queued"; messageId: string }
	| { kind: "running"; messageId: string; turnId: string }
	| { kind: "over" };

/** What an asker is told about its own turn; of other turns of the conversation it hears nothing. */
export interface AskedEvents {
	onQueued(): void;
	/** The turn before ours failed or was stopped: the queue rests until a person goes on. */
	onResting(): void;
	onText(messageId: string, content: string): void;
	/** The whole text of a message. */
	onMessage(messageId: string, content: string): void;
	onReset(messageId: string): void;
	/** We came back to a turn that went on without us. */
	onTurn(turn: RunningTurn): void;
	onTool(tool: ToolRecord): void;
	onAsk(ask: Ask): void;
	onAnswered(requestId: string, by: string | undefined): void;
	onProblem(problem: CodedMessage): void;
	/** `turnId` names the stored answer; undefined: the prompt was taken out of the queue. */
	onEnd(outcome: TurnOutcome, turnId: string | undefined): void;
}

/** Follows one prompt through its conversation, from the queue to the end of its turn. */
export interface AskedTurn {
	readonly state: AskedState;
	/** Stored: this is its id. */
	stored(messageId: string): void;
	event(frame: LoggedFrame): void;
	/** False: the answer is in none of these messages, and neither is the prompt in the queue. */
	snapshot(snapshot: Snapshot): boolean;
	/** Looks for our answer among stored messages. */
	findAnswer(messages: readonly Message[]): boolean;
}

export function followAsked(clientMessageId: string, events: AskedEvents): AskedTurn {
	let state: AskedState = { kind: "sending" };
	/** The newest turn of the conversation, whoever asked for it. */
	let newest: { messageId: string; userMessageId: string; startedAt: string } | undefined;
	/** Ours; only its tools and requests are looked at. */
	let turn: RunningTurn | undefined;

	function stored(messageId: string): void {
		if (state.kind !== "sending") return;
		state = { kind: "queued", messageId };
		if (newest?.userMessageId === messageId) begin(newest, messageId);
	}

	function begin(identity: { messageId: string; userMessageId: string; startedAt: string }, messageId: string): void {
		if (state.kind === "running" && state.turnId === identity.messageId) return;
		turn = beginTurn(identity);
		state = { kind: "running", messageId, turnId: identity.messageId };
	}

	function end(outcome: TurnOutcome, turnId: string | undefined): void {
		state = { kind: "over" };
		events.onEnd(outcome, turnId);
	}

	/** What happens to the prompt itself. */
	function promptEvent(frame: LoggedFrame) {
		switch (frame.type) {
			case "copilot:user_message": {
				if (frame.data.metadata.clientMessageId !== clientMessageId) return;
				stored(frame.data.messageId);
				if (frame.data.metadata.delivery === "queued") events.onQueued();
				return;
			}
			case "copilot:stream-status":
				if (frame.data.turn === undefined) return;
				newest = frame.data.turn;
				if ("messageId" in state && newest.userMessageId === state.messageId) begin(newest, state.messageId);
				return;
			case "copilot:message_updated":
				// A person sent it into the turn that runs: that turn is ours from now on.
				if (state.kind !== "queued" || frame.data.messageId !== state.messageId || frame.data.metadata.delivery !== "steered") return;
				if (newest !== undefined) begin(newest, state.messageId);
				return;
			case "copilot:message_removed":
				if (state.kind === "queued" && frame.data.messageId === state.messageId) end("aborted", undefined);
				return;
			case "copilot:idle":
				if (state.kind === "running") return end(frame.data.outcome, state.turnId);
				if (state.kind === "queued" && frame.data.outcome !== "completed") events.onResting();
				return;
			default:
		}
	}

	function findAnswer(messages: readonly Message[]): boolean {
		if (!("messageId" in state)) return false;
		const { messageId } = state;
		const answer = messages.findLast((message) => message.role === "assistant" && message.metadata.inReplyTo === messageId);
		if (answer?.role !== "assistant") return false;
		end(answer.metadata.outcome, answer.id);
		return true;
	}

	return {
		get state() {
			return state;
		},
		stored,
		findAnswer,
		event(frame) {
			promptEvent(frame);
			if (state.kind === "running" && turn !== undefined) turn = tellTurn(turn, frame, events);
		},
		snapshot(snapshot) {
			newest = snapshot.turn;
			const prompt = snapshot.messages.findLast(
				(message) => message.role === "user" && message.metadata.clientMessageId === clientMessageId,
			);
			const queued = snapshot.queue.find((item) => item.clientMessageId === clientMessageId);
			const id = prompt?.id ?? queued?.messageId;
			if (id !== undefined) stored(id);
			// Not stored: it is sent again, and its effects follow.
			if (!("messageId" in state) || queued !== undefined) return true;
			const { messageId } = state;
			const isOurs =
				snapshot.turn !== undefined &&
				(snapshot.turn.userMessageId === messageId || (state.kind === "running" && state.turnId === snapshot.turn.messageId));
			if (!isOurs || snapshot.turn === undefined) return findAnswer(snapshot.messages);
			begin(snapshot.turn, messageId);
			turn = { ...snapshot.turn, parts: [] };
			events.onTurn(snapshot.turn);
			for (const request of snapshot.questions) events.onAsk({ kind: "question", request });
			for (const request of snapshot.permissions) events.onAsk({ kind: "permission", request });
			for (const request of snapshot.plans ?? []) events.onAsk({ kind: "plan", request });
			for (const request of snapshot.forms ?? []) events.onAsk({ kind: "form", request });
			for (const request of snapshot.budgets ?? []) events.onAsk({ kind: "budget", request });
			return true;
		},
	};
}

/** Tells what happened in our turn, and gives it as it stands now. */
function tellTurn(turn: RunningTurn, frame: LoggedFrame, events: AskedEvents): RunningTurn {
	// What a sub-agent says is no part of the answer.
	if (
		(frame.type === "copilot:delta" || frame.type === "copilot:message" || frame.type === "copilot:reset") &&
		frame.data.agentId !== undefined
	)
		return turn;
	switch (frame.type) {
		case "copilot:delta":
			events.onText(frame.data.messageId, frame.data.content);
			return turn;
		case "copilot:message":
			events.onMessage(frame.data.messageId, frame.data.content);
			return turn;
		case "copilot:reset":
			events.onReset(frame.data.messageId);
			return turn;
		case "copilot:user_input_request":
			events.onAsk({ kind: "question", request: frame.data });
			return turn;
		case "copilot:permission_request":
			events.onAsk({ kind: "permission", request: frame.data });
			return turn;
		case "copilot:plan_request":
			events.onAsk({ kind: "plan", request: frame.data });
			return turn;
		case "copilot:form_request":
			events.onAsk({ kind: "form", request: frame.data });
			return turn;
		case "copilot:budget_request":
			events.onAsk({ kind: "budget", request: frame.data });
			return turn;
		case "copilot:plan_resolved":
		case "copilot:form_resolved":
		case "copilot:budget_resolved":
		case "copilot:user_input_resolved":
		case "copilot:permission_resolved":
			events.onAnswered(frame.data.requestId, frame.data.by);
			return turn;
		case "copilot:error":
		case "copilot:notice":
			events.onProblem(frame.data);
			return turn;
		case "copilot:tool_start":
		case "copilot:tool_end": {
			const next = foldTurn(turn, frame);
			const { toolCallId } = frame.data;
			const tool = next.tools.findLast((known) => known.toolCallId === toolCallId);
			if (frame.type === "copilot:tool_end" && tool !== undefined) events.onTool(tool);
			return next;
		}
		default:
			return turn;
	}
}
