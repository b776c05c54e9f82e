import { toolCall } from "../../support/scripted-model-steps.ts";
import type { Fault } from "../fault.ts";
import { sendCommand, sendPrompt } from "../history.ts";
import { allProcesses } from "../processes.ts";
import { quiet, until } from "../quiet.ts";
import { sendSignal } from "../send-signal.ts";
import type { World } from "../world.ts";

/** The shell process dies, commands flood, and background processes live when the server does not. */
export const SHELL_FAULTS: Fault[] = [
	{
		name: "kill-shell",
		breaks: "the shell process is killed",
		inject: (world) => sendSignal(world.pids("shell").slice(0, 1), "SIGKILL"),
	},
	{
		name: "kill-shell-busy",
		breaks: "the shell process is killed while a command runs",
		shows: [{ anyOf: ["done:lost", "done:137", "done:1", "done:-1"] }],
		async inject(world, random, struck) {
			const id = `busy-${random.between(0, 1e9)}`;
			sendCommand(world, id, "sleep 60");
			await until("The command", () => world.ran().has(id));
			struck();
			sendSignal(world.pids("shell").slice(0, 1), "SIGKILL");
		},
	},
	flood("flood", "a command floods its output", "timeout 1 yes flooding"),
	flood("flood-line", "a command writes 200 MB as one line", "head -c 200000000 /dev/zero | tr '\\0' x"),
	flood("flood-binary", "a command writes 50 MB of bytes that are no text", "head -c 50000000 /dev/urandom"),
	restartWith("background-kill", "the server is killed while background processes run", "SIGKILL"),
	restartWith("background-stop", "the server is told to stop while background processes run", "SIGTERM"),
];

function flood(name: string, breaks: string, command: string): Fault {
	return {
		name,
		breaks,
		inject(world, random) {
			const clientMessageId = `flood-${random.between(0, 1e9)}`;
			world.clients[1]?.send({ type: "bash:exec", data: { conversationId: world.conversationId, command, clientMessageId } });
		},
	};
}

/** One left running by a person's command, one started by the agent as a background job; after the server has ended neither may live on unknown. */
function restartWith(name: string, breaks: string, signal: NodeJS.Signals): Fault {
	return {
		name,
		breaks,
		restarts: true,
		shows: [{ anyOf: ["lost"] }],
		async inject(world, random, struck) {
			await quiet(world);
			const id = random.between(100_000, 899_999);
			sendCommand(world, `left-${id}`, `sleep ${id} &`);
			world.model.reply(toolCall("Bash", { command: `echo job-${id} >> ran.log; sleep ${id + 1}`, run_in_background: true }));
			sendPrompt(world, `background-${id}`);
			await until("Both background processes", () => alive(id) && alive(id + 1));
			await quiet(world);
			struck();
			await world.server.kill(signal);
			await until("The end of the background processes", () => !alive(id) && !alive(id + 1), 10_000);
			await world.revive();
			await jobsAreKnown(world);
		},
	};
}

const alive = (seconds: number) => allProcesses().some(({ args }) => args === `sleep ${seconds}`);

async function jobsAreKnown(world: World): Promise<void> {
	const client = await world.server.ws();
	const answer = client.next("bash:jobs");
	client.send({ type: "bash:jobs", data: { conversationId: world.conversationId } });
	const { jobs } = (await answer).data;
	client.terminate();
	const running = jobs.filter((job) => job.status === "running");
	if (running.length > 0) throw new Error(`The server calls ${running.length} ended jobs running.`);
}
