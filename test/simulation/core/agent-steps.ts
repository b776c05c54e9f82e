import type { SimulatedTurn } from "../frame/agent.ts";
import type { Step } from "../frame/part.ts";
import { pickBy } from "../frame/plan.ts";
import type { CoreScene } from "./core-part.ts";

type Play = (step: Step) => void | Promise<void>;

/** What models say; the pieces of one secret may come apart. */
const WORDS = [
	"one ",
	"two\n",
	"three",
	"半个字 ",
	"😀",
	"s3cret-",
	"value ",
	"a longer piece of an answer, with several words. ",
] as const;

/** The agent at work, and everything that is wrong with it; and the commands that run in the shell. */
export function agentSteps(scene: CoreScene): Record<string, Play> {
	const { world } = scene;
	const onTurn =
		(act: (turn: SimulatedTurn, step: Step) => void): Play =>
		(step) => {
			const turn = pickBy([...(scene.life()?.agent.turns ?? [])], step.a);
			if (turn !== undefined) act(turn, step);
		};
	const onCommand =
		(act: (command: NonNullable<ReturnType<typeof running>>[number], step: Step) => void): Play =>
		(step) => {
			const command = pickBy(running(scene) ?? [], step.a);
			if (command !== undefined) act(command, step);
		};
	const messageOf = (step: Step) => `m${Math.floor(step.c * 3)}`;
	const toolOf = (step: Step) => `t${Math.floor(step.c * 4)}`;

	return {
		"agent-says": onTurn((turn, step) =>
			turn.emit({ kind: "text-delta", messageId: messageOf(step), content: `${pickBy(WORDS, step.b)}${step.at} ` }),
		),
		"agent-thinks": onTurn((turn, step) =>
			turn.emit({ kind: "reasoning-delta", reasoningId: `r${messageOf(step)}`, content: `hm ${step.at} ` }),
		),
		"agent-takes-back": onTurn((turn, step) => turn.emit({ kind: "message-reset", messageId: messageOf(step) })),
		"agent-begins-tool": onTurn((turn, step) =>
			turn.emit({ kind: "tool-start", toolCallId: toolOf(step), toolName: "Bash", arguments: { command: `ls ${step.at}` } }),
		),
		"agent-ends-tool": onTurn((turn, step) =>
			turn.emit(
				{ kind: "tool-output", toolCallId: toolOf(step), content: `some ${step.at}` },
				{
					kind: "tool-end",
					toolCallId: toolOf(step),
					success: step.b < 0.7,
					...(step.b < 0.7 ? { result: `all ${step.at}` } : { error: "No." }),
				},
			),
		),
		"agent-asks": onTurn((turn, step) => {
			const life = scene.life();
			const question = `Question q${step.at}x?`;
			void turn.options.ask({ question, choices: ["yes", "no"], allowFreeform: true }, turn.signal).then(({ answer, isUnanswered }) => {
				if (isUnanswered !== true && life?.isAlive() === true) scene.heard.set(question, JSON.stringify(answer));
			});
		}),
		"agent-wants": onTurn((turn, step) => {
			const life = scene.life();
			const summary = `Run w${step.at}x`;
			void turn.options.permit({ kind: "shell", summary, toolName: "Bash", toolCallId: toolOf(step) }, turn.signal).then(({ kind }) => {
				if (kind !== "reject" && life?.isAlive() === true) scene.heard.set(summary, '"decision":"approve-');
			});
		}),
		"agent-plans": onTurn((turn, step) =>
			turn.emit(
				{ kind: "plan", entries: [{ content: `Step ${step.at}`, status: "pending" }] },
				{ kind: "usage", model: "model-a", inputTokens: 10, outputTokens: Math.floor(step.b * 9) },
				{ kind: "notice", code: "retrying", message: "Once more." },
			),
		),
		"agent-ends": onTurn((turn) => turn.end("completed")),
		"agent-fails": onTurn((turn) => turn.end("error")),
		"agent-dies": onTurn((turn, step) => turn.die(step.b < 0.5 ? "throws" : "returns")),
		"agent-hears-no-stop": onTurn((turn) => {
			turn.isDeaf = true;
		}),
		"agent-lies": onTurn((turn) => {
			turn.isLiar = true;
			turn.end("completed");
		}),
		"agent-does-not-open": () => scene.life()?.agent.failNextOpen(),
		"agent-opens-late": (step) => scene.life()?.agent.delayNextOpen(Math.floor(step.a * 5_000)),
		"shell-prints": onCommand((command, step) => command.output(`line ${step.at}\n`)),
		"shell-ends": onCommand((command, step) => finish(command, step.b < 0.7 ? 0 : 1)),
		"shell-hears-no-kill": onCommand((command) => {
			command.stubborn = true;
		}),
	};

	function finish(command: NonNullable<ReturnType<typeof running>>[number], exitCode: number): void {
		scene.finished.add(command);
		command.finish({ exitCode });
		world.trace.note(`ended: ${command.request.command}`);
	}
}

/** Commands of this process that have not ended. */
export function running(scene: CoreScene) {
	return scene.life()?.shell.commands.filter((command) => !scene.finished.has(command) && (!command.killed || command.stubborn));
}
