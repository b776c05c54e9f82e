import type { FormContent } from "@rightseat/protocol/form/form-field";

/** What an agent in plan mode wants to do next. */
export interface AskPlan {
	summary: string;
	/** Markdown; may be empty. */
	plan: string;
	/** How it may go on, as the agent names it. */
	actions: string[];
}
/** What a person says to it. */
export interface PlanDecision {
	approved: boolean;
	/** One of those; absent: as usual. */
	action?: string;
	feedback?: string;
	/** The plan as the person changed it. */
	plan?: string;
	/** Nobody decided, and `feedback` is nobody's words. */
	isUnanswered?: true;
}
/** A form of a program behind the agent, as it came. */
export interface AskForm {
	message: string;
	schema: unknown;
	/** Who asks. */
	source: string;
	/** The person shall open this page instead of filling in fields. */
	url?: string;
}
/** What goes back to whoever asked. */
export type FormAnswer = { action: "accept"; content: FormContent } | { action: "decline" | "cancel" };
