import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { SimulatedTurn } from "../frame/agent.ts";
import type { Life } from "../frame/life.ts";
import type { Step } from "../frame/part.ts";
import { pickBy } from "../frame/plan.ts";
import type { CoreScene } from "./core-part.ts";
import { tried } from "./people-steps.ts";

type Play = (step: Step) => void | Promise<void>;

/** How a plan may be taken; the second changes the mode of the conversation to another one. */
const ACTIONS = ["interactive", "autopilot"];
const SCHEMA = {
	type: "object",
	properties: { name: { type: "string" }, count: { type: "integer", minimum: 1 } },
	required: ["name"],
};

/** Plans and forms of the agent, and people who decide on them. Where none waits, an agent that works brings one now. */
export function planSteps(scene: CoreScene): Record<string, Play> {
	const { world } = scene;

	function onTurn(step: Step, act: (turn: SimulatedTurn, life: Life) => void): void {
		const life = scene.life();
		const turn = life && pickBy([...life.agent.turns], step.a);
		if (life !== undefined && turn !== undefined) act(turn, life);
	}
	function propose(step: Step): void {
		const summary = `Plan n${step.at}x`;
		onTurn(step, (turn, life) => {
			void turn.options.askPlan({ summary, plan: `First ${step.at}.`, actions: ACTIONS }, turn.signal).then(({ approved }) => {
				if (approved && life.isAlive()) scene.heard.set(summary, '"approved":true');
			});
		});
	}
	function giveForm(step: Step): void {
		const message = `Form f${step.at}x`;
		onTurn(step, (turn, life) => {
			void turn.options.form({ message, schema: SCHEMA, source: "a server" }, turn.signal).then(({ action }) => {
				if (action === "accept" && life.isAlive()) scene.heard.set(message, '"action":"accept"');
			});
		});
	}
	function waiting(what: "plans" | "forms") {
		const life = scene.life();
		return scene.conversations.flatMap((given) => {
			const id = conversationId(given);
			if (life?.conversations.find(id) === undefined) return [];
			return life.conversations.pending(id)[what].map(({ requestId }) => ({ conversationId: id, requestId, by: "api" as const }));
		});
	}
	async function waitingNow(what: "plans" | "forms", step: Step) {
		if (waiting(what).length === 0) (what === "plans" ? propose : giveForm)(step);
		await world.settle();
		return pickBy(waiting(what), step.a);
	}

	return {
		"agent-proposes": propose,
		"agent-gives-form": giveForm,
		async "decide-plan"(step) {
			const request = await waitingNow("plans", step);
			const life = scene.life();
			if (life === undefined || request === undefined) return;
			world.count("a plan was decided");
			const approved = step.b < 0.7;
			const how = approved ? { action: pickBy(ACTIONS, step.c), plan: `Changed ${step.at}.` } : { feedback: `Not so ${step.at}.` };
			tried(scene, () => life.conversations.decidePlan({ ...request, approved, ...how }));
			if (step.c < 0.2) tried(scene, () => life.conversations.decidePlan({ ...request, approved: !approved }));
		},
		async "fill-form"(step) {
			const request = await waitingNow("forms", step);
			const life = scene.life();
			if (life === undefined || request === undefined) return;
			world.count("a form was filled in");
			// One that does not fit is refused, and the form waits on.
			if (step.c < 0.3) tried(scene, () => life.conversations.fillIn({ ...request, action: "accept", content: { count: 0 } }));
			const content = { name: `n ${step.at}` };
			tried(scene, () =>
				life.conversations.fillIn({ ...request, ...(step.b < 0.7 ? { action: "accept", content } : { action: "decline" }) }),
			);
		},
	};
}
