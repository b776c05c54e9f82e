import type { PermissionMode } from "@rightseat/protocol/model/vocabulary";
import type { ConversationId } from "../kernel/ids.ts";
import type { PermitDecision, PermitRequest } from "../ports/agent-runtime.ts";
import { changesNothing } from "./plans/changes-nothing.ts";
import type { OfferedRule } from "./remembered/remembered-permissions.ts";
import type { RuleGate } from "./remembered/rule-gate.ts";

/** Approvals that one conversation remembers, and all of them together in UTF-16 units; the oldest is asked for again. */
export const MAX_APPROVALS = 500;
const MAX_APPROVALS_CHARS = 1_048_576;

/** Decides on every permission request before anything runs; asks people only where a conversation says so. */
export interface PermissionManager {
	decide(conversationId: ConversationId, request: PermitRequest, signal: AbortSignal): Promise<PermitDecision>;
	/** Approvals "for this session" end. */
	forget(conversationId: ConversationId): void;
}

/** Approvals are kept in memory only: a restart asks again. */
export function createPermissionManager(deps: {
	modeOf(conversationId: ConversationId): PermissionMode;
	/** Nothing is changed there unless a person says so each time, whatever was allowed before. */
	isPlanning?(conversationId: ConversationId): boolean;
	/** Whether this path is, byte for byte and by its real path, a file that a person attached in this very conversation. */
	isOwnUpload(conversationId: ConversationId, path: string): Promise<boolean>;
	/** What people allowed for good. */
	rules: Pick<RuleGate, "check" | "passFresh" | "forget">;
	/** Puts the request to every channel; resolves with the first answer, or with a rejection when nobody answers. */
	ask(conversationId: ConversationId, request: PermitRequest, signal: AbortSignal, offer?: readonly OfferedRule[]): Promise<PermitDecision>;
}): PermissionManager {
	const approved = new Map<ConversationId, Set<string>>();

	/** Exactly what was shown, every character of it: one allowed `echo` must not allow the next command. */
	function keyOf({ kind, toolName, summary, detail }: PermitRequest): string {
		return JSON.stringify([kind, toolName, summary, detail]);
	}

	function remember(conversationId: ConversationId, key: string): void {
		const keys = (approved.get(conversationId) ?? new Set()).add(key);
		let chars = 0;
		for (const known of keys) chars += known.length;
		for (const oldest of keys) {
			if (keys.size <= MAX_APPROVALS && chars <= MAX_APPROVALS_CHARS) break;
			keys.delete(oldest);
			chars -= oldest.length;
		}
		approved.set(conversationId, keys);
	}

	/** An earlier command may have made anything of the name `ls`: what only reads by its words runs in a shell that nobody has changed. */
	const onlyLooks = async (conversationId: ConversationId, request: PermitRequest, signal: AbortSignal) =>
		changesNothing(request) && (request.command === undefined || (await deps.rules.passFresh(conversationId, request, signal)));

	return {
		async decide(conversationId, request, signal) {
			if (deps.isPlanning?.(conversationId) === true && !(await onlyLooks(conversationId, request, signal))) {
				const decision = await deps.ask(conversationId, request, signal);
				return decision.kind === "approve-for-session" ? { kind: "approve-once" } : decision;
			}
			if (deps.modeOf(conversationId) === "auto") return { kind: "approve-once" };
			const key = keyOf(request);
			if (approved.get(conversationId)?.has(key)) return { kind: "approve-once" };
			const { kind, detail } = request;
			// Whoever attaches a file wants it read; a question about it would say nothing new. Nothing else waits for this look.
			if (kind === "read" && detail !== undefined && (await deps.isOwnUpload(conversationId, detail))) return { kind: "approve-once" };
			const verdict = request.command === undefined ? undefined : await deps.rules.check(conversationId, request, signal);
			if (verdict?.passes === true) return { kind: "approve-once" };
			const decision = await deps.ask(conversationId, request, signal, verdict?.offer);
			if (decision.kind === "approve-for-session") {
				remember(conversationId, key);
				return { kind: "approve-once" };
			}
			return decision;
		},
		forget(conversationId) {
			approved.delete(conversationId);
			deps.rules.forget(conversationId);
		},
	};
}

/** What a conversation's own settings say about permissions. */
export const permissionRules = (rows: { get(id: ConversationId): { permissions: PermissionMode; mode: string } }) => ({
	modeOf: (id: ConversationId) => rows.get(id).permissions,
	isPlanning: (id: ConversationId) => rows.get(id).mode === "plan",
});
