import type { PermissionMode } from "@rightseat/protocol/entities";
import type { ConversationId } from "./ids.ts";
import type { PermitDecision, PermitRequest } from "./ports/agent-runtime.ts";

/** Decides on every permission request before anything runs (seed 004); asks people only where a conversation says so. */
export interface PermissionManager {
	decide(conversationId: ConversationId, request: PermitRequest, signal: AbortSignal): Promise<PermitDecision>;
	/** Approvals "for this session" end. */
	forget(conversationId: ConversationId): void;
}

export function createPermissionManager(deps: {
	modeOf(conversationId: ConversationId): PermissionMode;
	/** Puts the request to every channel; resolves with the first answer, or with a rejection when nobody answers. */
	ask(conversationId: ConversationId, request: PermitRequest, signal: AbortSignal): Promise<PermitDecision>;
}): PermissionManager {
	const approved = new Map<ConversationId, Set<string>>();
	return {
		async decide(conversationId, request, signal) {
			if (deps.modeOf(conversationId) === "auto") return { kind: "approve-once" };
			const key = `${request.kind} ${request.toolName ?? ""}`;
			if (approved.get(conversationId)?.has(key)) return { kind: "approve-once" };
			const decision = await deps.ask(conversationId, request, signal);
			if (decision.kind === "approve-for-session") {
				approved.set(conversationId, (approved.get(conversationId) ?? new Set()).add(key));
				return { kind: "approve-once" };
			}
			return decision;
		},
		forget(conversationId) {
			approved.delete(conversationId);
		},
	};
}
