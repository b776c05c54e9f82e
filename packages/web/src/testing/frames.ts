import type { EventFrame } from "@rightseat/protocol/events/event";
import type { ServerFrameOf } from "@rightseat/protocol/frames/server";
import type { SnapshotFrame, StreamStatusFrame } from "../conversation/apply-frame.ts";

export const CONVERSATION = "c1";
export const EPOCH = "e1";
export const NOW = Date.parse("2026-11-15T12:00:00.000Z");

type Body<T extends EventFrame["type"]> = Omit<Extract<EventFrame, { type: T }>["data"], "conversationId" | "epoch" | "seq">;

/** Events with the position filled in. */
export function createScript(epoch = EPOCH, from = 0) {
	let seq = from;
	const place = () => ({ conversationId: CONVERSATION, epoch, seq: ++seq });
	return {
		delta: (messageId: string, content: string): EventFrame => ({ type: "copilot:delta", data: { ...place(), messageId, content } }),
		message: (messageId: string, content: string): EventFrame => ({ type: "copilot:message", data: { ...place(), messageId, content } }),
		reasoning: (content: string): EventFrame => ({ type: "copilot:reasoning_delta", data: { ...place(), reasoningId: "r1", content } }),
		reset: (messageId: string): EventFrame => ({ type: "copilot:reset", data: { ...place(), messageId } }),
		user: (body: Partial<Body<"copilot:user_message">> & { messageId: string }): EventFrame => ({
			type: "copilot:user_message",
			data: { ...place(), content: "hi", metadata: { origin: "web" }, origin: "web", createdAt: new Date(NOW).toISOString(), ...body },
		}),
		updated: (body: Body<"copilot:message_updated">): EventFrame => ({ type: "copilot:message_updated", data: { ...place(), ...body } }),
		removed: (messageId: string): EventFrame => ({ type: "copilot:message_removed", data: { ...place(), messageId } }),
		begin: (messageId = "a1", userMessageId = "u1"): StreamStatusFrame => ({
			type: "copilot:stream-status",
			data: { ...place(), status: "streaming", turn: { messageId, userMessageId, startedAt: new Date(NOW).toISOString() } },
		}),
		toolStart: (toolCallId: string): EventFrame => ({
			type: "copilot:tool_start",
			data: { ...place(), toolCallId, toolName: "Bash", arguments: { command: "ls" } },
		}),
		toolOutput: (toolCallId: string, content: string): EventFrame => ({
			type: "copilot:tool_output",
			data: { ...place(), toolCallId, content },
		}),
		toolEnd: (toolCallId: string, success = true): EventFrame => ({
			type: "copilot:tool_end",
			data: { ...place(), toolCallId, success, result: "done", durationMs: 5 },
		}),
		question: (requestId: string): EventFrame => ({
			type: "copilot:user_input_request",
			data: {
				...place(),
				requestId,
				question: "Which?",
				choices: ["A", "B"],
				allowFreeform: true,
				expiresAt: new Date(NOW + 120_000).toISOString(),
			},
		}),
		answered: (requestId: string): EventFrame => ({
			type: "copilot:user_input_resolved",
			data: { ...place(), requestId, outcome: "answered", answer: "A", by: "telegram" },
		}),
		error: (message: string): EventFrame => ({
			type: "copilot:error",
			data: { ...place(), code: "provider-error", message, retryable: true },
		}),
		idle: (messageId = "a1", outcome: Body<"copilot:idle">["outcome"] = "completed"): EventFrame => ({
			type: "copilot:idle",
			data: { ...place(), messageId, outcome },
		}),
		queue: (items: Body<"copilot:queue">["items"]): EventFrame => ({ type: "copilot:queue", data: { ...place(), items } }),
		bashStart: (execId: string): EventFrame => ({
			type: "bash:start",
			data: { ...place(), execId, command: "ls", cwd: "/w", startedAt: new Date(NOW).toISOString(), origin: "web" },
		}),
		bashOutput: (execId: string, output: string): EventFrame => ({
			type: "bash:output",
			data: { ...place(), execId, stream: "output", output },
		}),
		bashDone: (execId: string, messageId: string): EventFrame => ({
			type: "bash:done",
			data: { ...place(), execId, exitCode: 0, cwd: "/w", truncated: false, durationMs: 9, messageId },
		}),
		limit: (requestId: string): EventFrame => ({
			type: "copilot:budget_request",
			data: { ...place(), requestId, used: 1_200, limit: 1_000, scope: "day", unit: "tokens" },
		}),
		limitRaised: (requestId: string): EventFrame => ({
			type: "copilot:budget_resolved",
			data: { ...place(), requestId, outcome: "answered", decision: "raise", by: "telegram" },
		}),
		form: (requestId: string, schema: Record<string, unknown>, more: { url?: string } = {}): EventFrame => ({
			type: "copilot:form_request",
			data: { ...place(), requestId, message: "Who signs?", schema, source: "releases", expiresAt: "2999-01-01T00:00:00.000Z", ...more },
		}),
		filledIn: (requestId: string): EventFrame => ({
			type: "copilot:form_resolved",
			data: { ...place(), requestId, outcome: "answered", action: "accept", by: "telegram" },
		}),
		seq: () => seq,
	};
}

export function snapshot(data: Partial<SnapshotFrame["data"]> = {}): SnapshotFrame {
	return {
		type: "copilot:snapshot",
		data: {
			conversationId: CONVERSATION,
			epoch: EPOCH,
			seq: 0,
			status: "idle",
			messages: [],
			queue: [],
			questions: [],
			permissions: [],
			commands: [],
			context: [],
			...data,
		},
	};
}

export function subscribed(mode: "delta" | "snapshot", epoch = EPOCH): ServerFrameOf<"copilot:stream-status"> {
	return { type: "copilot:stream-status", data: { conversationId: CONVERSATION, epoch, status: "idle", headSeq: 0, mode } };
}
