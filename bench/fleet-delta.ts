import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import { hasNats } from "../test/support/nats.ts";
import type { TestServer } from "../test/support/server.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { asRelay, onlineHosts, startMember, until, withFleet } from "./support/fleet/servers.ts";
import { openReader } from "./support/readers.ts";
import { over, type Row, row } from "./support/row.ts";
import { startModel } from "./support/start-model.ts";
import { percentile } from "./support/statistics.ts";

const STREAMS = 4;
const PER_SECOND = 50;
const SECONDS = 5;
const ROUNDS = 7;

/** How much later a word of another host is here than on a page of its own host. Both readers get the same words at the same time, so that a busy moment of the machine meets both. */
export const benchmark: Benchmark = {
	name: "fleet-delta",
	canRun: hasNats,
	longOnly: true,
	run: ({ quick }) =>
		withFleet(["console", "owner"], async ({ nats, places }) => {
			const [consoleHome = "", ownerHome = ""] = places.homes;
			const model = await startModel();
			const count = PER_SECOND * SECONDS;
			await model.script({ tokens: { count, perSecond: PER_SECOND } });
			const env = { RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_PROVIDER_KEY: "bench" };
			const [here, there] = await Promise.all([
				startMember(consoleHome, { url: nats.url }),
				startMember(ownerHome, { url: nats.url, env }),
			]);
			await until(async () => (await onlineHosts(here)) === 2, "the other host");
			const ids = await Promise.all(Array.from({ length: STREAMS }, () => newConversation(there)));
			const ages = { local: [] as number[], remote: [] as number[] };
			for (const id of ids) {
				await openReader(asRelay(there), id, ages.local);
				await openReader(asRelay(here), remoteIdOf(places.hosts[1] ?? "", id), ages.remote);
			}
			const found = { local: [] as number[][], remote: [] as number[][] };
			// The first round opens the agent's sessions.
			for (let round = -1; round < ROUNDS; round += 1) {
				await Promise.all(ids.map((id) => turn(there, id)));
				await until(() => ages.remote.length === ages.local.length, "the words of the other host");
				const [local, remote] = [ages.local.splice(0), ages.remote.splice(0)];
				if (round < 0) continue;
				found.local.push(local);
				found.remote.push(remote);
			}
			await Promise.all([here.close(), there.close()]);
			model.close();
			const at = (side: keyof typeof found, share: number) => found[side].map((each) => percentile(each, share));
			const rows = ([name, share, most]: readonly [string, number, number]): Row =>
				row({
					...{ name: `a delta of another host, ${ids.length} streams × ${PER_SECOND} tokens/s, ${name}: over the same on its own host` },
					...{ unit: "ms", ours: at("remote", share), limit: at("local", share), goal: over(most), quick },
				});
			return { rows: [["p50", 0.5, 5] as const, ["p99", 0.99, 30] as const].map(rows) };
		}),
};

async function newConversation(server: TestServer): Promise<string> {
	const { conversation } = await (await server.api("/api/conversations", { method: "POST", json: {} })).json();
	return conversation.id;
}

async function turn(server: TestServer, id: string): Promise<void> {
	const socket = await server.ws();
	socket.send({ type: "copilot:subscribe", data: { conversationId: id } });
	await socket.waitFor("copilot:snapshot");
	socket.send({ type: "copilot:send", data: { conversationId: id, prompt: "Go" } });
	await socket.waitFor("copilot:idle");
	await socket.close();
}
