import { rmSync } from "node:fs";
import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { Fault } from "../fault.ts";
import { sendPrompt } from "../history.ts";
import { allProcesses } from "../processes.ts";
import { until } from "../quiet.ts";
import { sendSignal } from "../send-signal.ts";
import { AGENT, type World } from "../world.ts";
import { answersAgain, playOnAgent, told } from "./agent-turn.ts";

const DIED = [{ anyOf: ["error:agent-died"] }];
const FROZEN = [{ anyOf: ["error:agent-frozen"], withinMs: 30_000 }];
const MAX_DEATHS = 12;

/** An agent over ACP dies, stands still, floods, forgets, or loses its server. */
export const AGENT_FAULTS: Fault[] = [
	inTurn("agent-kill", "an agent is killed in the middle of a turn", DIED, (world) => sendSignal(world.pids("agent"), "SIGKILL")),
	inTurn("agent-freeze", "an agent stands still in the middle of a turn (SIGSTOP)", FROZEN, (world) =>
		sendSignal(world.pids("agent"), "SIGSTOP"),
	),
	inTurn("agent-deaf", "an agent hears no stop; a person stops it", [{ anyOf: ["idle:aborted"] }], (world) => stop(world), "deaf"),
	inTurn(
		"agent-frozen-stop",
		"a person stops a turn whose agent stands still",
		[{ anyOf: ["idle:aborted"] }],
		(world) => {
			sendSignal(world.pids("agent"), "SIGSTOP");
			stop(world);
		},
		"wait",
	),
	played("agent-flood", "an agent says 50,000 pieces at once", "flood 50000"),
	played("agent-noise", "an agent writes what is no message, and no text", "noise", "invalid-utf8", "odd", "stderr-flood 20"),
	played("agent-two-ends", "an agent ends a turn twice and goes on speaking", "twice", "late A late title", "unprompted By the way."),
	{
		name: "agent-big-line",
		pilot: "acp",
		breaks: "an agent sends a message of 40 MB",
		async inject(world, random, struck) {
			const id = `big-${random.between(0, 1e9)}`;
			struck();
			const since = await playOnAgent(world, id, "big-line 40");
			await turnEnded(world, since);
			await answersAgain(world, id);
		},
	},
	{
		name: "agent-kill-server",
		pilot: "acp",
		breaks: "the server is killed while an agent works and a command of its own shell runs",
		restarts: true,
		shows: [{ anyOf: ["lost"] }],
		inject: (world, random, struck) => endServer(world, random.between(100_000, 899_999), "SIGKILL", struck),
	},
	{
		name: "agent-stop-server",
		pilot: "acp",
		breaks: "the server is told to stop while an agent works and a command of its own shell runs",
		restarts: true,
		shows: [{ anyOf: ["close:1012"] }],
		inject: (world, random, struck) => endServer(world, random.between(100_000, 899_999), "SIGTERM", struck),
	},
	{
		name: "agent-forgets",
		pilot: "acp",
		breaks: "an agent is killed, and what it knew of its sessions is gone",
		shows: [...DIED, { anyOf: ["notice:history-lost"], withinMs: 20_000 }],
		async inject(world, random, struck) {
			const id = `forgotten-${random.between(0, 1e9)}`;
			const since = await playOnAgent(world, id, "wait");
			struck();
			sendSignal(world.pids("agent"), "SIGKILL");
			rmSync(world.agentHome, { recursive: true, force: true });
			await turnEnded(world, since);
			await answersAgain(world, id);
		},
	},
	{
		name: "agent-crash-loop",
		pilot: "acp",
		breaks: "an agent dies in every turn, until it rests and a person wakes it",
		// Timed from the last prompt, which waits for peace and a start of the agent before it kills it.
		shows: [{ anyOf: ["agent:resting"], withinMs: 20_000 }],
		inject: (world, random, struck) => crashLoop(world, `loop-${random.between(0, 1e9)}`, struck),
	},
];

/** A prompt sent before this would wait behind a turn that failed, and a queue rests after a failure. */
const turnEnded = (world: World, since: number) =>
	until("The end of the turn", () => world.signs().some((sign) => sign.at >= since && sign.name.startsWith("idle:")), 35_000);

/** Strikes while the agent waits in the middle of a turn, and sees that it works afterwards. */
function inTurn(
	name: string,
	breaks: string,
	shows: NonNullable<Fault["shows"]>,
	strike: (world: World) => void,
	...script: string[]
): Fault {
	return {
		...{ name, breaks, shows, pilot: "acp" },
		async inject(world, random, struck) {
			const id = `${name}-${random.between(0, 1e9)}`;
			const since = await playOnAgent(world, id, ...(script.length > 0 ? script : ["wait"]));
			struck();
			strike(world);
			await turnEnded(world, since);
			await answersAgain(world, id);
		},
	};
}

/** What the agent does by itself, and the turn is over. */
function played(name: string, breaks: string, ...script: string[]): Fault {
	return {
		...{ name, breaks, pilot: "acp", shows: [{ anyOf: ["idle:completed"], withinMs: 30_000 }] },
		async inject(world, random, struck) {
			const id = `${name}-${random.between(0, 1e9)}`;
			struck();
			const since = await playOnAgent(world, id, ...script);
			await told(world, "idle:completed", since);
			await answersAgain(world, id);
		},
	};
}

function stop(world: World): void {
	const abort: ClientFrame = { type: "copilot:abort", data: { conversationId: world.conversationId } };
	world.clients[1]?.send({ ...abort, data: { conversationId: world.conversationId } });
}

/** Neither the agent nor its command may live on when the server has ended and come back. */
async function endServer(world: World, seconds: number, signal: NodeJS.Signals, struck: () => void): Promise<void> {
	await playOnAgent(world, `left-${seconds}`, `stubborn sleep ${seconds}`);
	const command = () => allProcesses().filter(({ args }) => args === `sleep ${seconds}`);
	await until("The agent's command", () => command().length === 1);
	const left = [...world.pids("agent"), ...command().map(({ pid }) => pid)];
	struck();
	const exit = await world.server.kill(signal);
	if (signal === "SIGTERM" && exit !== 0) throw new Error(`SIGTERM ended the server with ${exit}.\n${world.server.output()}`);
	await world.revive();
	await until("The end of the agent", () => !allProcesses().some(({ pid }) => left.includes(pid)), 10_000);
	await answersAgain(world, `left-${seconds}`);
}

async function crashLoop(world: World, id: string, struck: () => void): Promise<void> {
	const began = Date.now();
	let isResting = false;
	for (let death = 0; !isResting && death < MAX_DEATHS; death += 1) {
		struck();
		const since = await playOnAgent(world, `${id}-${death}`, "die");
		await told(world, "error:agent-died", since);
		isResting = (await agentState(world)) === "resting";
	}
	if (!isResting) throw new Error(`The agent does not rest after ${MAX_DEATHS} deaths.`);
	await told(world, "agent:resting", began);
	const page = await world.server.api(`/api/conversations/${world.conversationId}/messages`);
	if (page.status !== 200) throw new Error(`History answers ${page.status} while the agent rests.`);
	const since = Date.now();
	sendPrompt(world, `resting-${id}`);
	await told(world, "error:agent-resting", since);
	await world.server.api(`/api/runtime/wake?agent=${AGENT}`, { method: "POST", json: {} });
	await answersAgain(world, id);
}

async function agentState(world: World): Promise<string | undefined> {
	const { agents }: { agents: { id: string; state: string }[] } = await (await world.server.api("/api/agents")).json();
	return agents.find(({ id }) => id === AGENT)?.state;
}
