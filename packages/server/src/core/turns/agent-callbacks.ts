import type { Usage } from "@rightseat/protocol/model/turn";
import type { ActiveConversations } from "../active/active-conversations.ts";
import type { ConversationChanges } from "../active/conversation-changes.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { Forms } from "../asks/forms.ts";
import type { Asks } from "../asks/pending-requests.ts";
import type { PermissionManager } from "../asks/permission-manager.ts";
import type { TurnChanges } from "../changes/turn-changes.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Redactor } from "../kernel/redact.ts";
import { type OpenSession, OWN_MODE, type PermitDecision, type PermitRequest } from "../ports/agent-runtime.ts";
import type { SessionServer } from "../ports/agent-setup.ts";
import type { AgentTool } from "../ports/agent-tool.ts";
import type { Shell } from "../ports/shell.ts";
import type { ConversationStore } from "../ports/store.ts";
import type { Budgets } from "../usage/budgets.ts";
import type { UsageCounter } from "../usage/count-usage.ts";
import { COMMAND_TOOL, commandOf, type RuledCallDeps, ruledCalls } from "./ruled-calls.ts";
import type { Todos } from "./todos.ts";

/** What the agent may call while it works in a conversation: its tools, and the people it asks. */
export type AgentCallbacks = (
	conversationId: ConversationId,
	cwd: string,
) => Pick<
	OpenSession,
	| "tools"
	| "ask"
	| "askPlan"
	| "permit"
	| "form"
	| "onTodos"
	| "mayGoOn"
	| "settings"
	| "onModeLeft"
	| "onLateUsage"
	| "onContinued"
	| "mcpServers"
>;

/** Nothing that a tool returns or asks reaches the agent unredacted. */
export function createAgentCallbacks(
	deps: {
		shell: Pick<Shell, "tools">;
		/** Tools beside the shell's. */
		extraTools(conversationId: ConversationId): AgentTool[];
		redactor: Redactor;
		asks: Pick<Asks, "question" | "plan">;
		permissions: Pick<PermissionManager, "decide">;
		active: Pick<ActiveConversations, "find">;
		turnChanges: Pick<TurnChanges, "approved" | "around">;
		rows: Pick<ConversationRows, "get">;
		conversations: Pick<ConversationStore, "find" | "update">;
		changes: Pick<ConversationChanges, "updated">;
		budgets: Pick<Budgets, "pass" | "isFree">;
		usage: Pick<UsageCounter, "add">;
		forms: Pick<Forms, "ask">;
		todos: Pick<Todos, "set">;
		/** The MCP servers of a conversation in this folder. */
		mcpServers(conversationId: ConversationId, cwd: string): Promise<SessionServer[]>;
		logger: Logger;
	} & RuledCallDeps,
): AgentCallbacks {
	/** What a tool finds goes to the model's provider: none of our secrets does. */
	function withoutSecrets(tool: AgentTool): AgentTool {
		return { ...tool, run: async (args, call) => deps.redactor.value(await tool.run(args, call)) };
	}
	/** What a command changes in files is recorded: it runs when the state before it is known. */
	function recorded(conversationId: ConversationId, tool: AgentTool): AgentTool {
		if (tool.name !== COMMAND_TOOL) return tool;
		return {
			...tool,
			run: (args, call) =>
				deps.turnChanges.around(conversationId, deps.redactor.text(commandOf(args) ?? COMMAND_TOOL), () => tool.run(args, call)),
		};
	}
	/** With the result of a tool the agent calls its model again, so that is what waits at a limit. */
	function held(conversationId: ConversationId, tool: AgentTool): AgentTool {
		return {
			...tool,
			async run(args, call) {
				const result = await tool.run(args, call);
				await deps.budgets.pass(conversationId, turnSignal(conversationId, call.signal));
				return result;
			},
		};
	}
	async function permit(conversationId: ConversationId, request: PermitRequest, given: AbortSignal): Promise<PermitDecision> {
		const signal = turnSignal(conversationId, given);
		const waiting = deps.budgets.pass(conversationId, signal);
		if (waiting !== undefined) {
			await waiting;
			if (signal.aborted) return { kind: "reject", feedback: "The person stopped this turn." };
		}
		const decision = await deps.permissions.decide(conversationId, request, signal).catch(rejectedByDisk);
		// After the decision: what others change while a person thinks about it is not the agent's.
		if (decision.kind !== "reject") await deps.turnChanges.approved(conversationId, deps.redactor.value(request));
		return decision;
	}
	/** A question ends with its turn, even where the runtime gives no signal of its own. */
	function turnSignal(conversationId: ConversationId, signal: AbortSignal): AbortSignal {
		const turn = deps.active.find(conversationId)?.turn;
		return turn === undefined ? signal : AbortSignal.any([signal, turn.signal]);
	}
	/** With what a person says the agent calls its model again. */
	async function answered<T>(conversationId: ConversationId, given: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const signal = turnSignal(conversationId, given);
		const answer = await ask(signal);
		await deps.budgets.pass(conversationId, signal);
		return answer;
	}
	/** A limit that is reached cannot hold a call that the agent makes by itself: it has to end its turn instead. */
	function mayGoOn(conversationId: ConversationId): boolean {
		try {
			return deps.active.find(conversationId)?.turn?.isPastBudget === true || deps.budgets.isFree(conversationId);
		} catch (error) {
			deps.logger.warn({ err: error, conversationId }, "A limit could not be looked at; the agent ends its turn");
			return false;
		}
	}
	/** What an agent uses after its turn, for instance to summarise what was said, is in no answer; it is counted all the same. */
	function countLate(conversationId: ConversationId, used: Usage): void {
		try {
			deps.usage.add(conversationId, used);
		} catch (error) {
			deps.logger.warn({ err: error, conversationId }, "What an agent used after its turn could not be counted");
		}
	}
	/** Whoever looks at the conversation sees how its agent works now. One that is gone needs no telling. */
	function leaveMode(conversationId: ConversationId, mode = OWN_MODE): void {
		const known = deps.conversations.find(conversationId);
		if (known === undefined || known.mode === mode) return;
		try {
			deps.conversations.update(conversationId, { mode });
			deps.changes.updated(conversationId);
		} catch (error) {
			deps.logger.warn({ err: error, conversationId }, "The mode of a conversation could not be stored");
		}
	}
	return (conversationId, cwd) => ({
		settings() {
			const { mode, effort, agentProfile } = deps.rows.get(conversationId);
			return { mode, effort, ...(agentProfile === "" ? {} : { agentProfile }) };
		},
		mcpServers: () => deps.mcpServers(conversationId, cwd),
		onModeLeft: (mode) => leaveMode(conversationId, mode),
		mayGoOn: () => mayGoOn(conversationId),
		tools: [...deps.shell.tools(conversationId, cwd), ...deps.extraTools(conversationId)].map((tool) =>
			held(conversationId, withoutSecrets(recorded(conversationId, ruledCalls(deps, conversationId, tool)))),
		),
		onLateUsage: (used) => countLate(conversationId, used),
		onContinued: () => goesOnElsewhere(deps, conversationId),
		form: (form, given) => answered(conversationId, given, (signal) => deps.forms.ask(conversationId, form, signal)),
		onTodos: (items) => deps.todos.set(conversationId, items),
		ask: (question, given) => answered(conversationId, given, (signal) => deps.asks.question(conversationId, question, signal)),
		askPlan: (plan, given) => answered(conversationId, given, (signal) => deps.asks.plan(conversationId, plan, signal)),
		permit: (request, signal) => permit(conversationId, request, signal),
	});
}

/** Nobody can be asked in a conversation that the disk has left in doubt. The agent hears why; a promise that nobody expects to fail could end the server. */
function rejectedByDisk(error: unknown): PermitDecision {
	if (error instanceof AppError && error.code === "storage-read-only") return { kind: "reject", feedback: error.message };
	throw error;
}

/** The next turn says that the agent remembers more than is shown. */
function goesOnElsewhere(deps: { conversations: Pick<ConversationStore, "update">; logger: Logger }, conversationId: ConversationId): void {
	try {
		deps.conversations.update(conversationId, { isContinued: true });
	} catch (error) {
		deps.logger.warn({ err: error, conversationId }, "That a session went on elsewhere could not be stored");
	}
}
