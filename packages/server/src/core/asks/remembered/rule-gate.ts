import type { ConversationId } from "../../kernel/ids.ts";
import type { PermitRequest } from "../../ports/agent-runtime.ts";
import type { AuditLog } from "../../ports/audit.ts";
import type { PermissionRule } from "../../ports/permission-rules.ts";
import type { OfferedRule, RememberedPermissions } from "./remembered-permissions.ts";
import { describeRule } from "./rule-text.ts";

/** Calls of one conversation that rules let through and that have not begun to run. */
export const MAX_PASSED_CALLS = 64;

/** Stands between a command of the agent and its run: what rules let through runs as it was compared with them. */
export interface RuleGate {
	/** Whether rules let this run; if they do not, what a person could allow for good. Never rejects. */
	check(conversationId: ConversationId, request: PermitRequest, signal: AbortSignal): Promise<RuleVerdict>;
	/**
	 * Lets a command through that only reads, as its words say: it runs in a shell that nobody has changed, so that they mean what they say. False: its
	 * folder does not answer, or too many wait, and a person is asked.
	 */
	passFresh(conversationId: ConversationId, request: PermitRequest, signal: AbortSignal): Promise<boolean>;
	/** A call begins to run: how, if rules let it through. Undefined: a person did, and it runs as ever. */
	take(conversationId: ConversationId, call: { toolCallId: string; command: string }): PassedCall | undefined;
	forget(conversationId: ConversationId): void;
}

export type RuleVerdict = { passes: true } | { passes: false; offer: OfferedRule[] };

/** It has to run in a shell that nobody has changed, in this folder. `rules`: none where its words alone were enough. */
export interface PassedCall {
	cwd: string;
	rules: PermissionRule[];
}

interface Waiting extends PassedCall {
	toolCallId: string | undefined;
	command: string;
	/** Of its turn. */
	signal: AbortSignal;
}

export function createRuleGate(deps: {
	remembered: Pick<RememberedPermissions, "covers" | "offer">;
	/** Where the next command would run, if the shell is as it began; undefined otherwise. */
	plainCwd(conversationId: ConversationId): Promise<string | undefined>;
	/** The real path of where the next command would run, whatever was changed in the shell. */
	realCwd(conversationId: ConversationId): Promise<string | undefined>;
	audit?: Pick<AuditLog, "record"> | undefined;
}): RuleGate {
	const passed = new Map<ConversationId, Waiting[]>();

	/** Until it runs; false when too many wait. */
	function keep(conversationId: ConversationId, call: Waiting): boolean {
		const isAgain = (each: Waiting) => each.toolCallId === call.toolCallId && each.command === call.command;
		const waiting = (passed.get(conversationId) ?? []).filter((each) => !each.signal.aborted && !isAgain(each));
		if (waiting.length >= MAX_PASSED_CALLS) return false;
		passed.set(conversationId, [...waiting, call]);
		return true;
	}

	return {
		async check(conversationId, { command, toolCallId }, signal) {
			// In a shell that earlier commands have changed the same words may be something else.
			const cwd = command === undefined ? undefined : await deps.plainCwd(conversationId);
			if (command === undefined || cwd === undefined) return { passes: false, offer: [] };
			const cover = await deps.remembered.covers(command, cwd);
			if (cover === undefined) return { passes: false, offer: await deps.remembered.offer(command, cwd) };
			return keep(conversationId, { ...cover, toolCallId, command, signal }) ? { passes: true } : { passes: false, offer: [] };
		},
		async passFresh(conversationId, { command, toolCallId }, signal) {
			const cwd = command === undefined ? undefined : await deps.realCwd(conversationId);
			if (command === undefined || cwd === undefined) return false;
			return keep(conversationId, { cwd, rules: [], toolCallId, command, signal });
		},
		take(conversationId, { toolCallId, command }) {
			const waiting = (passed.get(conversationId) ?? []).filter((each) => !each.signal.aborted);
			const same = waiting.filter((each) => each.command === command);
			const own = same.find((each) => each.toolCallId === toolCallId);
			// An agent may give another id to the same call: by its words it is still none that a person looked at. Whose it was waits on.
			const call = own ?? same[0];
			const rest = waiting.filter((each) => each !== own);
			if (rest.length === 0) passed.delete(conversationId);
			else passed.set(conversationId, rest);
			if (call === undefined) return undefined;
			const { cwd, rules } = call;
			const by = rules.map(describeRule).join("; ");
			if (rules.length > 0) deps.audit?.record({ kind: "rule-used", source: "agent", detail: `${command} in ${conversationId}, by ${by}` });
			return { cwd, rules };
		},
		forget(conversationId) {
			passed.delete(conversationId);
		},
	};
}

/** Where nothing is remembered. */
export const noRules: RuleGate = {
	check: async () => ({ passes: false, offer: [] }),
	passFresh: async () => true,
	take: () => undefined,
	forget: () => undefined,
};
