import { scriptedAnswers } from "./answers.ts";
import type { Fault } from "./fault.ts";
import { examine, type History } from "./oracle.ts";
import { createRandom } from "./random.ts";
import { ANN, type World } from "./world.ts";

const QUIET_LIMIT_MS = 60_000;
const STREAM_LIMIT_MS = 5_000;

export interface RoundResult {
	seed: number;
	faults: string[];
	prompts: number;
	commands: number;
	findings: string[];
	ms: number;
}

/** Traffic from two pages and a chat, faults in the middle of it, then peace; at the end every promise is checked. */
export async function playRound(world: World, faults: readonly Fault[], seed: number): Promise<RoundResult> {
	const random = createRandom(seed);
	const began = Date.now();
	const history: History = { prompts: [], commands: [], chats: [], chatId: ANN.id };
	scriptedAnswers(world, random.between(20, 60));

	const send = (index: number) => {
		const prompt = `prompt-${seed}-${index}`;
		history.prompts.push(prompt);
		const client = random.pick(world.clients);
		client.send({ type: "copilot:send", data: { conversationId: world.conversationId, prompt, clientMessageId: prompt } });
	};
	const run = (index: number) => {
		const id = `command-${seed}-${index}`;
		history.commands.push(id);
		const command = `echo ${id} >> ran.log; seq 1 2000`;
		random.pick(world.clients).send({ type: "bash:exec", data: { conversationId: world.conversationId, command, clientMessageId: id } });
	};

	send(0);
	run(0);
	const chat = `chat-${seed}`;
	history.chats.push(chat);
	world.telegram.private(ANN).text(chat);
	await wait(random.between(50, 600));
	for (const [index, fault] of faults.entries()) {
		send(2 * index + 1);
		await untilSomethingStreams(world);
		await wait(random.between(0, 200));
		await fault.inject(world, random, () => undefined);
		await wait(random.between(50, 500));
		run(index + 1);
		send(2 * index + 2);
	}
	for (const fault of faults) await fault.heal?.(world);
	await world.revive();
	await quiet(world);
	const findings = await examine(world, history);
	return {
		seed,
		faults: faults.map((fault) => fault.name),
		prompts: history.prompts.length,
		commands: history.commands.length,
		findings,
		ms: Date.now() - began,
	};
}

/** A fault between two answers hits little; most rounds should break something in the middle of a sentence. */
async function untilSomethingStreams(world: World): Promise<void> {
	const limit = Date.now() + STREAM_LIMIT_MS;
	while (Date.now() < limit && world.clients.every((client) => client.view.unfinished === "")) await wait(10);
}

/** Everything sent is acknowledged, nothing runs, and both pages have caught up. */
async function quiet(world: World): Promise<void> {
	const limit = Date.now() + QUIET_LIMIT_MS;
	let state = "";
	while (Date.now() < limit) {
		await wait(150);
		state = await restlessness(world);
		if (state !== "") continue;
		await wait(400);
		state = await restlessness(world);
		if (state === "") return;
	}
	throw new Error(`Peace did not come within ${QUIET_LIMIT_MS / 1000} s: ${state}`);
}

async function restlessness(world: World): Promise<string> {
	const [index, waiting] = [...world.clients.entries()].find(([, client]) => !client.connected || client.unacknowledged > 0) ?? [];
	if (waiting !== undefined)
		return `page ${index} is ${waiting.connected ? `waiting for ${waiting.unacknowledged} acknowledgements` : "not connected"}`;
	const response = await world.server.api("/api/conversations?limit=50");
	const { conversations }: { conversations: { id: string; status: string; headSeq: number }[] } = await response.json();
	if (conversations.some((conversation) => conversation.status === "streaming")) return "a turn runs";
	const head = conversations.find((conversation) => conversation.id === world.conversationId)?.headSeq;
	const behind = world.clients.findIndex((client) => client.view.position.lastSeq !== head);
	return behind === -1 ? "" : `page ${behind} is at ${world.clients[behind]?.view.position.lastSeq} of ${head}`;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
