import type { Step } from "../frame/part.ts";
import { pickBy } from "../frame/plan.ts";
import { awake, type FleetScene } from "./scene.ts";

/** Agents and shells of all hosts, which go on whatever the fleet does. */
export function workerSteps(scene: FleetScene): Readonly<Record<string, (step: Step) => void>> {
	const { world } = scene;
	const turnBy = (number: number) =>
		pickBy(
			awake(scene).flatMap(({ run }) => [...run.life.agent.turns]),
			number,
		);
	return {
		"agent-says": (step) =>
			turnBy(step.a)?.emit({ kind: "text-delta", messageId: "said", content: step.c < 0.1 ? noise(step.at) : `word ${step.at} ` }),
		"agent-ends": (step) => turnBy(step.a)?.end(step.c < 0.9 ? "completed" : "error"),
		"agent-asks"(step) {
			const turn = turnBy(step.a);
			if (turn === undefined) return;
			world.count("fleet: an agent asked");
			const { signal } = turn;
			if (step.b < 0.5) void turn.options.ask({ question: `What about ${step.at}?`, allowFreeform: true }, signal);
			else void turn.options.permit({ kind: "write", summary: `write ${step.at}` }, signal);
		},
		shell(step) {
			const running = awake(scene).flatMap(({ run }) => run.life.shell.commands.filter((command) => !ended.has(command)));
			const command = pickBy(running, step.a);
			if (command === undefined) return;
			command.output(`line ${step.at}\n`);
			if (step.c < 0.6) end(command);
		},
	};
}

/** Text that does not become short when it is packed, so that small messages carry it in parts. */
const noise = (seed: number) => `${Array.from({ length: 40 }, (_, at) => Math.imul(seed + at + 1, 0x9e3779b1) >>> 0).join(" ")} `;

type Command = ReturnType<typeof awake>[number]["run"]["life"]["shell"]["commands"][number];
const ended = new WeakSet<Command>();

/** It ends, once. */
export function end(command: Command): void {
	if (ended.has(command)) return;
	ended.add(command);
	command.finish();
}

export const isEnded = (command: Command) => ended.has(command);
