import type { ConversationState } from "@rightseat/protocol/fold/conversation";
import type { ClientFrame } from "@rightseat/protocol/frames/client";

/** A Ctrl-C so soon after the end of what another one stopped leaves, also when the next prompt of the queue runs already. */
export const SECOND_MS = 3_000;
/** Prompts and commands on their way; a session keeps no more either. */
const MAX_SENT = 64;

/** What Ctrl-C and `/stop` do in a terminal. */
export interface Stopping {
	/** This terminal sends it. Until the server tells what became of it, it can be stopped all the same. */
	sent(frame: ClientFrame): void;
	/** The server does not take it. */
	refused(clientMessageId: string): void;
	/** To be called after whatever may have changed the conversation. */
	look(): void;
	/** Ctrl-C. False: leave. */
	press(): boolean;
	/** False: nothing runs. */
	stop(): boolean;
}

export interface StoppingDeps {
	conversationId: string;
	state(): ConversationState;
	/** Gives back what forgets the frame; false: it was not taken. */
	deliver(frame: ClientFrame): (() => void) | false;
	now(): number;
}

type Target =
	| { kind: "turn"; turnId: string }
	| { kind: "command"; execId: string }
	| { kind: "queued"; messageId: string }
	| { kind: "sent"; clientMessageId: string };

export function createStopping({ conversationId, state, deliver, now }: StoppingDeps): Stopping {
	const onTheirWay = new Set<string>();
	/** The newest thing that was stopped; `endedAt` when it runs no more. */
	let stopped: { target: Target; forget: () => void; endedAt?: number } | undefined;

	function find(): Target | undefined {
		const { turn, commands } = state();
		if (turn !== undefined) return { kind: "turn", turnId: turn.messageId };
		const command = commands.find(({ done }) => done === undefined);
		if (command !== undefined) return { kind: "command", execId: command.execId };
		const [clientMessageId] = onTheirWay;
		return clientMessageId === undefined ? undefined : { kind: "sent", clientMessageId };
	}

	function isThere(target: Target): boolean {
		const { turn, commands, queue } = state();
		switch (target.kind) {
			case "turn":
				return turn?.messageId === target.turnId;
			case "command":
				return commands.some(({ execId, done }) => execId === target.execId && done === undefined);
			case "queued":
				return queue.some(({ messageId }) => messageId === target.messageId);
			case "sent":
				return onTheirWay.has(target.clientMessageId);
		}
	}

	function order(target: Target): void {
		stopped?.forget();
		const frame = frameFor(target, conversationId);
		const forget = frame === undefined ? false : deliver(frame);
		stopped = { target, forget: forget === false ? () => undefined : forget };
	}

	/** What became of something that we sent; undefined: nothing is known yet. */
	function arrived(clientMessageId: string): Target | "over" | undefined {
		const { turn, commands, queue, messages } = state();
		const command = commands.find((known) => known.clientMessageId === clientMessageId);
		if (command !== undefined) return { kind: "command", execId: command.execId };
		const queued = queue.find((known) => known.clientMessageId === clientMessageId);
		if (queued !== undefined) return { kind: "queued", messageId: queued.messageId };
		const message = messages.findLast((known) => known.role === "user" && known.metadata.clientMessageId === clientMessageId);
		if (message?.role !== "user") return undefined;
		if (turn?.userMessageId === message.id) return { kind: "turn", turnId: turn.messageId };
		const isAnswered = messages.some((known) => known.role === "assistant" && known.metadata.inReplyTo === message.id);
		return isAnswered || message.metadata.bash === true || message.metadata.delivery === "steered" ? "over" : undefined;
	}

	function stop(): boolean {
		const target = find();
		if (target === undefined) return false;
		order(target);
		return true;
	}

	return {
		stop,
		sent(frame) {
			if (frame.type !== "copilot:send" && frame.type !== "bash:exec") return;
			const { clientMessageId } = frame.data;
			if (clientMessageId !== undefined) onTheirWay.add(clientMessageId);
			const [oldest = ""] = onTheirWay;
			if (onTheirWay.size > MAX_SENT) onTheirWay.delete(oldest);
		},
		refused: (clientMessageId) => void onTheirWay.delete(clientMessageId),
		look() {
			for (const clientMessageId of [...onTheirWay]) {
				const found = arrived(clientMessageId);
				if (found === undefined) continue;
				onTheirWay.delete(clientMessageId);
				const isStopped = stopped?.target.kind === "sent" && stopped.target.clientMessageId === clientMessageId;
				if (isStopped && found !== "over") order(found);
			}
			if (stopped === undefined || stopped.endedAt !== undefined || isThere(stopped.target)) return;
			// A stop that waits for a lost line would stop whatever runs by then.
			stopped.forget();
			stopped = { ...stopped, endedAt: now() };
		},
		press() {
			const isSecond = stopped !== undefined && (stopped.endedAt === undefined || now() - stopped.endedAt < SECOND_MS);
			return !isSecond && stop();
		},
	};
}

function frameFor(target: Target, conversationId: string): ClientFrame | undefined {
	switch (target.kind) {
		case "turn":
			return { type: "copilot:abort", data: { conversationId } };
		case "command":
			return { type: "bash:kill", data: { execId: target.execId } };
		case "queued":
			return { type: "copilot:queue_drop", data: { conversationId, messageId: target.messageId } };
		case "sent":
			// Nobody knows it yet; it is stopped as soon as the server tells of it.
			return undefined;
	}
}
