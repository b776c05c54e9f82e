import type { ClientFrame } from "@rightseat/protocol/client-frames";
import { cut, fail, raw, stall, text } from "../support/scripted-model-steps.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

/** Something that goes wrong, and what puts it right again if it does not pass by itself. */
export interface Fault {
	name: string;
	/** What breaks, for the report. */
	breaks: string;
	inject(world: World, random: Random): Promise<void> | void;
	heal?(world: World): Promise<void> | void;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const signal = (pids: number[], name: NodeJS.Signals) => {
	// A fault that hits nothing proves nothing.
	if (pids.length === 0) throw new Error(`There is no process to send ${name} to.`);
	for (const pid of pids) {
		try {
			process.kill(pid, name);
		} catch (error) {
			// It ended between the look and the signal.
			if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
		}
	}
};

export const FAULTS: Fault[] = [
	{
		name: "kill-server",
		breaks: "the server is killed (SIGKILL) and started again",
		async inject(world) {
			await world.server.kill("SIGKILL");
			await world.revive();
		},
	},
	{
		name: "stop-server",
		breaks: "the server is told to stop (SIGTERM) and started again",
		async inject(world) {
			await world.server.kill("SIGTERM");
			await world.revive();
		},
	},
	{
		name: "freeze-server",
		breaks: "the server stands still for seconds (SIGSTOP)",
		async inject(world, random) {
			signal([world.server.pid], "SIGSTOP");
			await wait(random.between(500, 4_000));
			signal([world.server.pid], "SIGCONT");
		},
	},
	{
		name: "kill-runtime",
		breaks: "the agent runtime is killed",
		inject: (world) => signal(world.pids("runtime"), "SIGKILL"),
	},
	{
		name: "freeze-runtime",
		breaks: "the agent runtime stands still for ever",
		inject: (world) => signal(world.pids("runtime"), "SIGSTOP"),
	},
	{
		name: "kill-shell",
		breaks: "the shell process is killed",
		inject: (world) => signal(world.pids("shell").slice(0, 1), "SIGKILL"),
	},
	{
		name: "cut-network",
		breaks: "one page's connection is reset",
		inject: (world) => world.proxy.cut(),
	},
	{
		name: "freeze-network",
		breaks: "one page's network swallows everything for a while",
		async inject(world, random) {
			world.proxy.freeze();
			await wait(random.between(500, 3_000));
			world.proxy.resume();
		},
	},
	{
		name: "half-open",
		breaks: "one page's connection dies without a word to the server",
		inject: (world) => world.proxy.halfOpen(),
	},
	{
		name: "slow-network",
		breaks: "one page's network is late by 200 ms",
		inject: (world) => world.proxy.delay(200),
		heal: (world) => world.proxy.resume(),
	},
	{
		name: "refused-network",
		breaks: "one page cannot connect at all for a while",
		async inject(world, random) {
			world.proxy.refuse();
			world.proxy.cut();
			await wait(random.between(500, 3_000));
			world.proxy.resume();
		},
	},
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
	{
		name: "flood",
		breaks: "a command floods its output",
		inject(world, random) {
			const command = "timeout 1 yes flooding";
			const clientMessageId = `flood-${random.between(0, 1e9)}`;
			world.clients[1]?.send({ type: "bash:exec", data: { conversationId: world.conversationId, command, clientMessageId } });
		},
	},
	{
		name: "telegram-409",
		breaks: "another process polls the bot",
		inject: (world) =>
			world.telegram.fault("getUpdates", { code: 409, description: "Conflict: terminated by other getUpdates request", times: 1 }),
	},
	{
		name: "telegram-429",
		breaks: "Telegram asks to wait",
		inject: (world) => world.telegram.fault("sendMessage", { code: 429, retryAfter: 1, times: 1 }),
	},
	{
		name: "telegram-lost-response",
		breaks: "Telegram sends a message and its answer is lost",
		inject: (world) => world.telegram.fault("sendMessage", { dropAfter: true, times: 1 }),
	},
	{ name: "telegram-500", breaks: "Telegram answers 502", inject: (world) => world.telegram.fault("sendMessage", { code: 502, times: 1 }) },
];
