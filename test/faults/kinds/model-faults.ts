import type { ClientFrame } from "@rightseat/protocol/frames/client";
import { createFaultProxy } from "../../support/fault-proxy.ts";
import { cut, fail, pause, raw, type Step, stall, text } from "../../support/scripted-model-steps.ts";
import type { Fault } from "../fault.ts";
import { sendPrompt } from "../history.ts";
import type { Shown } from "../named-state.ts";
import { quiet, until } from "../quiet.ts";
import type { Random } from "../random.ts";
import { wait } from "../wait.ts";
import type { World } from "../world.ts";

const RETRYING: Shown = { anyOf: ["notice:retrying", "reset"] };
/** How long the runtime tries before it gives up, as measured, and some more. */
const GIVES_UP_MS = 45_000;
const MET_LIMIT_MS = 15_000;
/** How long the server remembers a list, and some more. */
const LIST_KEPT_MS = 31_000;

/** The model or the way to it misbehaves. */
export const MODEL_FAULTS: Fault[] = [
	scripted("model-cut", "the model's answer is cut off; the runtime tries again", [RETRYING], [text("half "), cut()]),
	scripted("model-500", "the model answers 500 once", [RETRYING], [fail(500)]),
	scripted("model-400", "the model refuses the request", [{ anyOf: ["error:provider-error"] }], [fail(400)]),
	scripted("model-401", "the model refuses the key", [{ anyOf: ["error:provider-auth"], withinMs: 8_000 }], ...times(3, [fail(401)])),
	scripted("model-429", "the model asks to wait a second", [RETRYING], [fail(429, { retryAfter: 1 })]),
	scripted(
		"model-429-on",
		"the model asks to wait until the runtime gives up",
		[RETRYING, { anyOf: ["error:provider-rate-limit"], withinMs: GIVES_UP_MS }],
		...times(6, [fail(429, { retryAfter: 0 })]),
	),
	scripted(
		"model-500-on",
		"the model answers 500 until the runtime gives up",
		[RETRYING, { anyOf: ["error:provider-error"], withinMs: GIVES_UP_MS }],
		...times(6, [fail(500)]),
	),
	scripted("model-garbage", "the model answers garbage", [], [raw("data: {nonsense\n\n")]),
	scripted("model-slow-headers", "the model takes seconds before it says a word", [], [pause(4_000), text("late ")]),
	scripted(
		"model-drip",
		"the model answers a character at a time, slowly",
		[],
		[..."dripping".split("")].flatMap((letter) => [text(letter), pause(400)]),
	),
	{
		name: "model-stall",
		breaks: "the model falls silent; a person stops the turn",
		shows: [{ anyOf: ["idle:aborted"], withinMs: 8_000 }],
		async inject(world, random, struck) {
			await ask(world, random, struck, [[text("then nothing "), stall()]]);
			await wait(1_500);
			stopTurn(world);
		},
		heal: stopTurn,
	},
	{
		name: "model-down",
		breaks: "nothing listens where the model should be (connection refused)",
		shows: [RETRYING],
		async inject(world, random, struck) {
			const { port } = world.modelProxy;
			struck();
			await world.modelProxy.close();
			await wait(random.between(3_000, 6_000));
			world.modelProxy = await createFaultProxy({ port: Number(new URL(world.model.url).port) }, port);
		},
	},
	{
		name: "model-list-down",
		breaks: "the provider cannot list its models while sessions are opened anew",
		shows: [{ anyOf: ["error:provider-error"] }],
		async inject(world, random, struck) {
			const before = await modelOf(world);
			world.model.listing = "down";
			await wait(LIST_KEPT_MS);
			// A turn that fails lets its session go, so that the next prompt opens one, and the models are asked for.
			await ask(world, random, struck, [[fail(400)]]);
			await quiet(world);
			sendPrompt(world, `listless-${random.between(0, 1e9)}`);
			await quiet(world);
			const after = await modelOf(world);
			if (after !== before) throw new Error(`The conversation's model became ${after} because the list was down.`);
		},
		heal(world) {
			world.model.listing = "up";
		},
	},
	{
		name: "model-network-frozen",
		breaks: "the network to the model swallows everything for a while",
		async inject(world, random) {
			world.modelProxy.freeze();
			await wait(random.between(1_000, 4_000));
			world.modelProxy.resume();
		},
	},
];

/** The next requests get these answers, one each. */
function scripted(name: string, breaks: string, shows: Shown[], ...answers: Step[][]): Fault {
	return {
		name,
		breaks,
		shows,
		inject: (world, random, struck) => ask(world, random, struck, answers),
	};
}

/** In peace, or the chat's turn would get an answer that is meant for the pages. */
async function ask(world: World, random: Random, struck: () => void, answers: Step[][]): Promise<void> {
	await quiet(world);
	for (const steps of answers) world.model.reply(...steps);
	// Before the request: a refusal is told within milliseconds after it.
	struck();
	sendPrompt(world, `model-${random.between(0, 1e9)}`);
	await until("The request for the scripted answer", () => world.model.unused < answers.length, MET_LIMIT_MS);
}

function stopTurn(world: World): void {
	const abort: ClientFrame = { type: "copilot:abort", data: { conversationId: world.conversationId } };
	for (const client of world.clients) client.send({ ...abort, data: { conversationId: world.conversationId } });
}

function times<T>(count: number, item: T): T[] {
	return Array.from({ length: count }, () => item);
}

async function modelOf(world: World): Promise<string> {
	const response = await world.server.api(`/api/conversations/${world.conversationId}`);
	const { conversation }: { conversation: { model: string } } = await response.json();
	return conversation.model;
}
