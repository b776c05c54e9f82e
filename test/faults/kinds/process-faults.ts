import type { Fault } from "../fault.ts";
import { sendPrompt } from "../history.ts";
import { SILENT_NETWORK_MS } from "../named-state.ts";
import { quiet, until } from "../quiet.ts";
import { sendSignal } from "../send-signal.ts";
import { wait } from "../wait.ts";
import type { World } from "../world.ts";
import { crashLoop } from "./crash-loop.ts";

const LOST = [{ anyOf: ["lost"] }];
const RUNTIME_GONE = [{ anyOf: ["error:runtime-died", "runtime:restarting"] }];

/** The server and the agent runtime are killed, frozen, or their clock jumps. */
export const PROCESS_FAULTS: Fault[] = [
	{
		name: "kill-server",
		breaks: "the server is killed (SIGKILL) and started again",
		restarts: true,
		shows: LOST,
		async inject(world) {
			await world.server.kill("SIGKILL");
			await world.revive();
		},
	},
	{
		name: "kill-after-ack",
		breaks: "the server is killed in the moment in which a prompt is acknowledged",
		restarts: true,
		shows: LOST,
		async inject(world, random, struck) {
			await quiet(world);
			const prompt = `acked-${random.between(0, 1e9)}`;
			sendPrompt(world, prompt);
			await until("The acknowledgement", () => world.clients[1]?.acked.has(prompt) === true);
			struck();
			await world.server.kill("SIGKILL");
			await world.revive();
		},
	},
	{
		name: "freeze-server",
		breaks: "the server stands still for seconds (SIGSTOP)",
		async inject(world, random) {
			sendSignal([world.server.pid], "SIGSTOP");
			await wait(random.between(500, 4_000));
			sendSignal([world.server.pid], "SIGCONT");
		},
	},
	{
		name: "freeze-server-long",
		breaks: "the server stands still for longer than pages wait for an answer",
		shows: [{ anyOf: ["lost"], withinMs: SILENT_NETWORK_MS }],
		async inject(world) {
			sendSignal([world.server.pid], "SIGSTOP");
			await wait(11_000);
			sendSignal([world.server.pid], "SIGCONT");
		},
	},
	{
		name: "kill-runtime",
		breaks: "the agent runtime is killed",
		shows: RUNTIME_GONE,
		inject: (world, _random, struck) => signalRuntime(world, "SIGKILL", struck),
	},
	{
		name: "freeze-runtime",
		breaks: "the agent runtime stands still for ever",
		shows: RUNTIME_GONE,
		inject: (world, _random, struck) => signalRuntime(world, "SIGSTOP", struck),
	},
	crashLoop,
	{
		name: "clock-jump",
		breaks: "the server's clock jumps an hour ahead, and later an hour back",
		async inject(world, random) {
			world.shiftClock(3_600_000);
			await wait(300);
			sendPrompt(world, `ahead-${random.between(0, 1e9)}`);
			await wait(1_500);
			world.shiftClock(0);
			await wait(500);
		},
	},
	{
		name: "clock-jump-back",
		breaks: "the server's clock jumps an hour back, and stays there for a while",
		async inject(world, random) {
			world.shiftClock(-3_600_000);
			await wait(300);
			const prompt = `back-${random.between(0, 1e9)}`;
			sendPrompt(world, prompt);
			await until("An answer after the clock had jumped back", () => world.clients[1]?.view.lines.includes(`user: ${prompt}`) === true);
			await quiet(world);
		},
		heal: (world) => world.shiftClock(0),
	},
];

/** A server that was just started again has no runtime before the first prompt has opened a session. */
async function signalRuntime(world: World, signal: NodeJS.Signals, struck: () => void): Promise<void> {
	await until("A runtime", () => world.pids("runtime").length > 0);
	struck();
	sendSignal(world.pids("runtime"), signal);
}
