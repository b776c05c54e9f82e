import type { Fault } from "../fault.ts";
import { sendPrompt } from "../history.ts";
import { until } from "../quiet.ts";
import { sendSignal } from "../send-signal.ts";
import { wait } from "../wait.ts";
import type { World } from "../world.ts";

const LOOP_LIMIT_MS = 45_000;

/** Kills the runtime whenever it is there, until the server gives it a rest; then everything is readable, and a person wakes it. */
export const crashLoop: Fault = {
	name: "runtime-crash-loop",
	breaks: "the agent runtime dies again and again, until it rests and a person wakes it",
	shows: [{ anyOf: ["runtime:resting"] }],
	async inject(world, random, struck) {
		const limit = Date.now() + LOOP_LIMIT_MS;
		let isResting = false;
		while (!isResting && Date.now() < limit) {
			const pids = world.pids("runtime");
			if (pids.length > 0) {
				sendSignal(pids, "SIGKILL");
				struck();
			}
			await wait(30);
			isResting = (await runtimeState(world)) === "resting";
		}
		if (!isResting) throw new Error(`The runtime does not rest after ${LOOP_LIMIT_MS / 1000} s of deaths.`);
		const page = await world.server.api(`/api/conversations/${world.conversationId}/messages`);
		if (page.status !== 200) throw new Error(`History answers ${page.status} while the runtime rests.`);
		const health: { status: string } = await (await world.server.api("/healthz")).json();
		if (health.status !== "degraded") throw new Error(`/healthz says ${health.status} while the runtime rests.`);
		const since = Date.now();
		sendPrompt(world, `resting-${random.between(0, 1e9)}`);
		await until("The refusal of a resting runtime", () =>
			world.signs().some((sign) => sign.at >= since && sign.name === "error:runtime-resting"),
		);
		await world.server.api("/api/runtime/wake", { method: "POST", json: {} });
		await until("The runtime's return", async () => (await runtimeState(world)) === "ready", 30_000);
	},
};

async function runtimeState(world: World): Promise<string> {
	const status: { runtime: { state: string } } = await (await world.server.api("/api/status")).json();
	return status.runtime.state;
}
