import type { SessionConfigBase } from "@github/copilot-sdk";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { PlanDecision } from "../../../core/ports/agent-asks.ts";
import type { OpenSession } from "../../../core/ports/agent-runtime.ts";
import type { Turn } from "../turn/turn.ts";
import { toRuntimeMode } from "./session-modes.ts";

export interface PlanApprovalDeps {
	options: Pick<OpenSession, "askPlan" | "settings">;
	logger: Logger;
	/** The running turn, if one runs. */
	turn(): Pick<Turn, "signal" | "waitWhile" | "steer"> | undefined;
	/** The session that the turn runs on. */
	session(): PlannedSession | undefined;
}
interface PlannedSession {
	rpc: {
		plan: { update(plan: { content: string }): Promise<unknown> };
		mode: { set(mode: { mode: ReturnType<typeof toRuntimeMode> }): Promise<unknown> };
	};
}

/** What the runtime calls when the model wants to leave plan mode: without it the model has no tool for that. */
export function planApproval(deps: PlanApprovalDeps): NonNullable<SessionConfigBase["onExitPlanModeRequest"]> {
	return async ({ summary, planContent = "", actions }) => {
		const running = deps.turn();
		if (running === undefined) return { approved: false, feedback: "The turn that asked for this is over." };
		try {
			const asked = { summary: summary.toWellFormed(), plan: planContent.toWellFormed(), actions };
			const decision = await running.waitWhile(deps.options.askPlan(asked, running.signal));
			if (!decision.approved) return { approved: false, feedback: (decision.feedback ?? NO_WORDS).toWellFormed() };
			await handOver(deps, running, decision);
			return { approved: true, ...(decision.action === undefined ? {} : { selectedAction: decision.action }) };
		} catch (error) {
			deps.logger.error({ err: String(error) }, "Asking about a plan failed");
			return { approved: false, feedback: "The plan could not be shown to the person. Change nothing and end your answer here." };
		}
	};
}

const NO_WORDS = "The person sent this plan back without a word. Ask what to change.";

/**
 * The runtime tells the model only that its plan was taken: a changed plan and the words that came with it are steered in. The mode is left before, or they
 * would reach the model as something to plan.
 */
async function handOver(deps: PlanApprovalDeps, running: Pick<Turn, "steer">, { plan, feedback }: PlanDecision): Promise<void> {
	const session = deps.session();
	if (session === undefined || (plan === undefined && feedback === undefined)) return;
	if (plan !== undefined) await session.rpc.plan.update({ content: plan.toWellFormed() });
	await session.rpc.mode.set({ mode: toRuntimeMode(deps.options.settings().mode) });
	const changed = plan === undefined ? [] : [`I changed the plan before I took it. Carry out this one instead of yours:\n\n${plan}`];
	const words = [...changed, ...(feedback === undefined ? [] : [feedback])].join("\n\n");
	await running.steer({ prompt: words, displayPrompt: words });
}
