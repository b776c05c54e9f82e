import { pause, type Step, stall, text, toolCall } from "../../support/scripted-model-steps.ts";
import type { Fault } from "../fault.ts";
import { sendCommand, sendPrompt } from "../history.ts";
import { quiet, until } from "../quiet.ts";
import { wait } from "../wait.ts";
import type { World } from "../world.ts";

const RESTARTING = [{ anyOf: ["close:1012"] }];
/** What is promised to supervisors and people. */
const STOP_LIMIT_MS = 15_000;

/** The server is told to stop (SIGTERM) in every phase of its work. */
export const STOP_FAULTS: Fault[] = [
	stopIn("stop-server", "in the middle of whatever goes on", () => Promise.resolve()),
	stopIn("stop-before-text", "before the first word of an answer", (world, id) => asked(world, id, [stall()])),
	stopIn("stop-mid-text", "in the middle of an answer", async (world, id) => {
		await asked(world, id, [text("half of "), pause(20_000)]);
		await until("The text", () => world.clients.some((client) => client.view.unfinished.includes("half of")));
	}),
	stopIn("stop-mid-tool", "while a tool runs", async (world, id) => {
		const since = Date.now();
		await asked(world, id, [toolCall("Bash", { command: `echo tool-${id} >> ran.log; sleep 60` })]);
		await seen(world, "tool:Bash", since);
		await until("The tool", () => world.ran().has(`tool-${id}`));
	}),
	stopIn("stop-mid-command", "while a person's command runs", async (world, id) => {
		sendCommand(world, `stopped-${id}`, "echo begun; sleep 60");
		await until("The command", () => world.ran().has(`stopped-${id}`));
	}),
	stopIn("stop-at-question", "while a question waits for its answer", async (world, id) => {
		const since = Date.now();
		await asked(world, id, [toolCall("ask_user", { question: "Which one?", choices: ["this", "that"] })]);
		await seen(world, "question", since);
	}),
	stopIn("stop-idle", "while nothing goes on", quiet),
	{
		name: "stop-twice",
		breaks: "the server is told to stop, and told again while it stops",
		restarts: true,
		shows: RESTARTING,
		inject: (world, random, struck) => interruptStop(world, random.between(0, 1e9), struck, "SIGTERM"),
	},
	{
		name: "kill-while-stopping",
		breaks: "the server is killed (SIGKILL) while it stops",
		restarts: true,
		shows: RESTARTING,
		inject: (world, random, struck) => interruptStop(world, random.between(0, 1e9), struck, "SIGKILL"),
	},
];

function stopIn(name: string, when: string, reach: (world: World, id: number) => Promise<void>): Fault {
	return {
		name,
		breaks: `the server is told to stop (SIGTERM) ${when}`,
		restarts: true,
		shows: RESTARTING,
		async inject(world, random, struck) {
			await reach(world, random.between(0, 1e9));
			struck();
			const began = Date.now();
			const exit = await world.server.kill("SIGTERM");
			const ms = Date.now() - began;
			if (exit !== 0 || ms > STOP_LIMIT_MS)
				throw new Error(`SIGTERM ended the server with ${exit} after ${ms} ms.\n${world.server.output()}`);
			await world.revive();
		},
	};
}

/** Signals closer together than a second count as one, so the second comes later; a held answer keeps the server stopping for so long. */
async function interruptStop(world: World, id: number, struck: () => void, second: NodeJS.Signals): Promise<void> {
	await asked(world, id, [text("held "), pause(20_000)]);
	struck();
	process.kill(world.server.pid, "SIGTERM");
	await wait(1_200);
	await world.server.kill(second);
	await world.revive();
}

/** In peace, so that the scripted answer meets the prompt that it is for. */
async function asked(world: World, id: number, steps: Step[]): Promise<void> {
	await quiet(world);
	const before = world.model.unused;
	world.model.reply(...steps);
	sendPrompt(world, `asked-${id}`);
	await until("The model's request", () => world.model.unused === before);
}

const seen = (world: World, name: string, since: number) =>
	until(name, () => world.signs().some((sign) => sign.name === name && sign.at >= since));
