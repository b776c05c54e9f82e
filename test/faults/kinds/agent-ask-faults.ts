import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "../fault.ts";
import { sendPrompt } from "../history.ts";
import { quiet, until } from "../quiet.ts";
import { sendSignal } from "../send-signal.ts";
import { wait } from "../wait.ts";
import type { World } from "../world.ts";
import { answersAgain, told } from "./agent-turn.ts";

/** An agent over ACP waits for a person when something dies: nothing is granted, and nobody is asked for what is gone. */
export const AGENT_ASK_FAULTS: Fault[] = [
	whileAsking("agent-permission-kill", "an agent is killed while its permission request waits", {
		shows: [{ anyOf: ["error:agent-died"] }, { anyOf: ["permission:aborted"] }],
		strike: async (world) => sendSignal(world.pids("agent"), "SIGKILL"),
	}),
	whileAsking("agent-permission-kill-server", "the server is killed while an agent's permission request waits", {
		shows: [{ anyOf: ["lost"] }],
		restarts: true,
		async strike(world) {
			await world.server.kill("SIGKILL");
			await world.revive();
		},
	}),
	whileAsking("agent-permission-answered", "an agent is killed in the moment in which its permission request is answered", {
		shows: [{ anyOf: ["error:agent-died", "idle:completed"] }],
		mayBeGranted: true,
		async strike(world) {
			const [request] = world.clients[1]?.view.permissionIds ?? [];
			if (request === undefined) throw new Error("No page shows the request.");
			const data = { conversationId: world.conversationId, requestId: request, decision: "approve-once" as const };
			world.clients[1]?.send({ type: "copilot:permission_response", data });
			sendSignal(world.pids("agent"), "SIGKILL");
		},
	}),
];

interface Strike {
	shows: NonNullable<Fault["shows"]>;
	restarts?: boolean;
	mayBeGranted?: boolean;
	strike(world: World): Promise<void>;
}

function whileAsking(name: string, breaks: string, { strike, mayBeGranted = false, ...rest }: Strike): Fault {
	return {
		...{ name, breaks, pilot: "acp", ...rest },
		async inject(world, random, struck) {
			await quiet(world);
			await setPermissions(world, "ask");
			const id = random.between(0, 1e9);
			const since = Date.now();
			sendPrompt(world, `edit asked-${id}.txt words`);
			await told(world, "permission", since);
			struck();
			await strike(world);
			await setPermissions(world, "auto");
			// A prompt sent before this would wait behind a turn that failed, and a queue rests after a failure.
			await until("The end of the turn", async () => (await statusOf(world)) !== "streaming", 35_000);
			await answersAgain(world, `${name}-${id}`);
			// What was asked for before the end must not be done after it.
			await wait(300);
			if (!mayBeGranted && existsSync(join(world.server.workdir, `asked-${id}.txt`)))
				throw new Error("The file was written although nobody allowed it.");
		},
		heal: (world) => setPermissions(world, "auto"),
	};
}

async function statusOf(world: World): Promise<string> {
	const response = await world.server.api(`/api/conversations/${world.conversationId}`);
	return Object(await response.json()).conversation.status;
}

async function setPermissions(world: World, permissions: "ask" | "auto"): Promise<void> {
	const response = await world.server.api(`/api/conversations/${world.conversationId}`, { method: "PATCH", json: { permissions } });
	if (response.status !== 200) throw new Error(`Changing the permissions answers ${response.status}.`);
}
