import type { ClientFrame } from "@rightseat/protocol/client-frames";
import { cut, fail, raw, stall, text } from "../../support/scripted-model-steps.ts";
import type { Fault } from "../fault.ts";
import { wait } from "../wait.ts";

export const MODEL_FAULTS: Fault[] = [
	{
		name: "model-cut",
		breaks: "the model's answer is cut off; the runtime tries again",
		inject: (world) => world.model.reply(text("half "), cut()),
	},
	{ name: "model-500", breaks: "the model answers 500 once", inject: (world) => world.model.reply(fail(500)) },
	{ name: "model-400", breaks: "the model refuses the request", inject: (world) => world.model.reply(fail(400)) },
	{ name: "model-429", breaks: "the model asks to wait a second", inject: (world) => world.model.reply(fail(429, { retryAfter: 1 })) },
	{ name: "model-garbage", breaks: "the model answers garbage", inject: (world) => world.model.reply(raw("data: {nonsense\n\n")) },
	{
		name: "model-stall",
		breaks: "the model falls silent; a person stops the turn",
		async inject(world) {
			world.model.reply(text("then nothing "), stall());
			await wait(1_500);
		},
		heal(world) {
			const abort: ClientFrame = { type: "copilot:abort", data: { conversationId: world.conversationId } };
			for (const client of world.clients) client.send({ ...abort, data: { conversationId: world.conversationId } });
		},
	},
];
