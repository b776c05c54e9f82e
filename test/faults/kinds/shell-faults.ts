import type { Fault } from "../fault.ts";
import { sendSignal } from "../send-signal.ts";

export const SHELL_FAULTS: Fault[] = [
	{
		name: "kill-shell",
		breaks: "the shell process is killed",
		inject: (world) => sendSignal(world.pids("shell").slice(0, 1), "SIGKILL"),
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
];
