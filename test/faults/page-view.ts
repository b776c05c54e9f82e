import type { ServerFrame } from "@rightseat/protocol/server-frames";

/** What a page would show of one conversation: a line for each message, built from snapshots and events only. */
export interface PageView {
	readonly lines: string[];
	readonly waiting: string[];
	/** Text of an answer that has not ended. */
	readonly unfinished: string;
	readonly position: { epoch?: string; lastSeq?: number };
	/** False when the frame does not follow what is shown: the page must ask again. */
	apply(frame: ServerFrame): boolean;
}

export function createPageView(): PageView {
	let lines: string[] = [];
	let parts = new Map<string, string>();
	let waiting = new Map<string, string>();
	let position: { epoch?: string; lastSeq?: number } = {};

	function applyEvent(frame: ServerFrame): void {
		switch (frame.type) {
			case "copilot:user_message":
				if (frame.data.metadata.delivery === "queued") waiting.set(frame.data.messageId, frame.data.content);
				else lines.push(`user: ${frame.data.content}`);
				return;
			case "copilot:message_updated":
				if (!waiting.has(frame.data.messageId)) return;
				if (frame.data.metadata.delivery === "queued") waiting.set(frame.data.messageId, frame.data.content);
				else {
					waiting.delete(frame.data.messageId);
					lines.push(`user: ${frame.data.content}`);
				}
				return;
			case "copilot:message_removed":
				waiting.delete(frame.data.messageId);
				return;
			case "copilot:delta":
				parts.set(frame.data.messageId, (parts.get(frame.data.messageId) ?? "") + frame.data.content);
				return;
			case "copilot:message":
				if (frame.data.content !== "" || parts.has(frame.data.messageId)) parts.set(frame.data.messageId, frame.data.content);
				return;
			case "copilot:reset":
				parts.delete(frame.data.messageId);
				return;
			case "copilot:idle":
				lines.push(`agent: ${[...parts.values()].filter((part) => part !== "").join("\n\n")}`);
				parts = new Map();
				return;
			default:
				return;
		}
	}

	return {
		get lines() {
			return lines;
		},
		get waiting() {
			return [...waiting.values()];
		},
		get unfinished() {
			return [...parts.values()].join("");
		},
		get position() {
			return position;
		},
		apply(frame) {
			if (frame.type === "copilot:snapshot") {
				const { messages, turn, queue, epoch, seq } = frame.data;
				lines = messages.map((message) => `${message.role === "user" ? "user" : "agent"}: ${message.content}`);
				parts = new Map(turn?.parts.flatMap((part) => (part.kind === "text" ? [[part.messageId, part.content] as const] : [])));
				waiting = new Map(queue.map((item) => [item.messageId, item.content]));
				position = { epoch, lastSeq: seq };
				return true;
			}
			if (!("data" in frame) || !("seq" in frame.data) || frame.data.seq === undefined) return true;
			const { epoch, seq } = frame.data;
			if (epoch === position.epoch && seq <= (position.lastSeq ?? 0)) return true;
			if (epoch !== position.epoch || seq !== (position.lastSeq ?? 0) + 1) return false;
			position = { epoch, lastSeq: seq };
			applyEvent(frame);
			return true;
		},
	};
}
