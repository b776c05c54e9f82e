import type { Fault } from "../fault.ts";
import { sendSignal } from "../send-signal.ts";
import { wait } from "../wait.ts";

export const PROCESS_FAULTS: Fault[] = [
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
			sendSignal([world.server.pid], "SIGSTOP");
			await wait(random.between(500, 4_000));
			sendSignal([world.server.pid], "SIGCONT");
		},
	},
	{
		name: "kill-runtime",
		breaks: "the agent runtime is killed",
		inject: (world) => sendSignal(world.pids("runtime"), "SIGKILL"),
	},
	{
		name: "freeze-runtime",
		breaks: "the agent runtime stands still for ever",
		inject: (world) => sendSignal(world.pids("runtime"), "SIGSTOP"),
	},
];
