import type { FormContent, FormField } from "@rightseat/protocol/form/form-field";
import type { PermissionRequest, PlanRequest, Question } from "@rightseat/protocol/model/ask";
import type { BudgetDecision, BudgetRequest } from "@rightseat/protocol/model/budget";
import type { RunningCommand } from "@rightseat/protocol/model/command";
import type { FormAction, FormRequest } from "@rightseat/protocol/model/form";
import type { RunningTurn, TurnError } from "@rightseat/protocol/model/turn";
import type { Origin, TurnOutcome } from "@rightseat/protocol/model/vocabulary";
import type { ConversationId, ExecId, MessageId } from "../kernel/ids.ts";
import type { AgentSession } from "../ports/agent-runtime.ts";
import type { PermissionRule } from "../ports/permission-rules.ts";
import type { FinishedNote } from "../ports/shell.ts";

/** What is running right now, by conversation. All of it can be rebuilt from the store after a crash. */
export interface ActiveConversations {
	/** Made on first use. */
	get(id: ConversationId): ActiveConversation;
	find(id: ConversationId): ActiveConversation | undefined;
	/** Forgets it if nothing is running there. */
	release(id: ConversationId): void;
	/** All of them. */
	ids(): ConversationId[];
	/** Those with a running turn. */
	withTurn(): ActiveConversation[];
	/** Those where a question, a form, a permission request or a plan waits. */
	asking(): ActiveConversation[];
}

/** What is running in one conversation. */
export interface ActiveConversation {
	readonly id: ConversationId;
	turn?: ActiveTurn;
	readonly questions: Map<string, PendingQuestion>;
	readonly permissions: Map<string, PendingPermission>;
	/** At most one. */
	readonly plans: Map<string, PendingPlan>;
	/** At most one. */
	readonly budgets: Map<string, PendingBudget>;
	readonly forms: Map<string, PendingForm>;
	readonly commands: Map<ExecId, ActiveCommand>;
	/** Of a process that died, while the disk does not take its end. */
	left?: LeftOpen;
}

/**
 * What is open on disk and runs no more. Readers are shown it as the log has it, still open, because its end is the next thing that they will be told:
 * folded into anything else, that end would stand alone.
 */
export interface LeftOpen {
	turn?: { readonly messageId: MessageId; shown(): RunningTurn };
	readonly commands: Map<ExecId, RunningCommand>;
}

/** The turn that readers are shown as running: the one that runs, else one that was left open. */
export const shownTurn = (active: ActiveConversation | undefined): RunningTurn | undefined =>
	active?.turn?.shown ?? active?.left?.turn?.shown();

/** A turn from the moment its prompt is taken up until its end is stored. */
export interface ActiveTurn {
	readonly messageId: MessageId;
	readonly userMessageId: MessageId;
	/** What was said and done so far: every committed event folded in. */
	shown: RunningTurn;
	/** What its prompt carried; a steered prompt adds to it. */
	readonly carried: Carried;
	/** Prompts that are to join it and that its agent was not given yet. Each call queues one instead, inside the commit that ends the turn. */
	readonly unheard: Map<MessageId, () => void>;
	/** A person let it go on to its end, whatever it uses. */
	isPastBudget?: true;
	/** Aborts when the turn is stopped. */
	readonly signal: AbortSignal;
	/** The session that a prompt can be steered into: none while it opens, and none from the moment the turn is being stopped. */
	steerable(): AgentSession | undefined;
	/** Ends the turn, recorded like this whatever the runtime says about it. The first reason wins; twice is fine. */
	stop(end: TurnEnd): void;
	/** Resolves when the end is stored and the turn has made room for the next. Never rejects. */
	readonly done: Promise<TurnEnd>;
}

/** How a turn ended; `error` is for people. */
export interface TurnEnd {
	outcome: TurnOutcome;
	error?: TurnError;
}

/** What a prompt carries that the model has not heard yet. A turn that fails before the model said anything gives it back. */
export interface Carried {
	/** Results of `!cmd`. */
	readonly contextIds: MessageId[];
	/** Ends of background jobs; they count as told when the turn is stored. */
	readonly notes: FinishedNote[];
	/** What people undid, by the id of the undo; likewise. */
	readonly undone: readonly string[];
}

/** A question that waits for a person; `settle` ends it once, later calls do nothing. */
export interface PendingQuestion extends Question {
	settle(end: { outcome: "answered" | "expired" | "aborted"; answer?: string; wasFreeform?: boolean; by?: Origin }): void;
}

/** A permission request that waits for a person; `settle` ends it once, later calls do nothing. */
export interface PendingPermission extends PermissionRequest {
	/** What it offers to remember, as it would be kept. */
	readonly offer: readonly Omit<PermissionRule, "id" | "createdAt">[];
	settle(end: {
		outcome: "answered" | "expired" | "aborted";
		decision?: "approve-once" | "approve-for-session" | "reject";
		feedback?: string;
		by?: Origin;
		remembered?: boolean;
	}): void;
}

/** A plan that waits for a person; `settle` ends it once, later calls do nothing. */
export interface PendingPlan extends PlanRequest {
	/** Milliseconds since 1970. */
	readonly askedAt: number;
	settle(end: {
		outcome: "answered" | "expired" | "aborted";
		approved?: boolean;
		action?: string;
		feedback?: string;
		plan?: string;
		by?: Origin;
	}): void;
}

/** A limit that is reached and waits for a person; `settle` ends it once, later calls do nothing. */
export interface PendingBudget extends BudgetRequest {
	/** Milliseconds since 1970. */
	readonly askedAt: number;
	settle(end: { outcome: "answered" | "expired" | "aborted"; decision?: BudgetDecision; limit?: number; by?: Origin }): void;
}

/** A form that waits for a person; `settle` ends it once, later calls do nothing. What was filled in goes to the asker and nowhere else. */
export interface PendingForm extends FormRequest {
	readonly fields: readonly FormField[];
	/** How much of the room for forms it takes. */
	readonly bytes: number;
	settle(end: { outcome: "answered" | "expired" | "aborted"; action?: FormAction; content?: FormContent; by?: Origin }): void;
}

/** A person's command from its start until its result is stored. */
export interface ActiveCommand extends RunningCommand {
	/** Twice is fine. */
	kill(): void;
	/** Settles when the result is stored. */
	readonly done: Promise<void>;
}

/** Everything that waits for a person there. */
export const waitingIn = ({ questions, permissions, plans, budgets, forms }: ActiveConversation) => [
	...questions.values(),
	...permissions.values(),
	...plans.values(),
	...budgets.values(),
	...forms.values(),
];

/** Empty at the start of a process: recovery settles what ran before, or puts it here as left open. */
export function createActiveConversations(): ActiveConversations {
	const table = new Map<ConversationId, ActiveConversation>();
	return {
		get(id) {
			const known = table.get(id);
			if (known !== undefined) return known;
			const asked = { questions: new Map(), permissions: new Map(), plans: new Map(), budgets: new Map(), forms: new Map() };
			const active = { id, ...asked, commands: new Map() };
			table.set(id, active);
			return active;
		},
		find: (id) => table.get(id),
		ids: () => [...table.keys()],
		release(id) {
			const active = table.get(id);
			if (active?.turn === undefined && active?.commands.size === 0 && active.left === undefined) table.delete(id);
		},
		asking: () =>
			[...table.values()].filter(
				({ questions, permissions, plans, forms }) => questions.size + permissions.size + plans.size + forms.size > 0,
			),
		withTurn: () => [...table.values()].filter((active) => active.turn !== undefined),
	};
}
