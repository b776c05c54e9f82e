import { hasNats } from "../test/support/nats.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { listedConversations, onlineHosts, startMember, until, withFleet } from "./support/fleet/servers.ts";
import { startHosts } from "./support/fleet/simulated-fleet.ts";
import { createPairs } from "./support/pairs.ts";
import { treeRssMb } from "./support/processes.ts";
import { type Goal, row } from "./support/row.ts";

const HOSTS = 50;
const CONVERSATIONS = 20;
const ROUNDS = 3;
const SETTLE_MS = 5_000;

/** What a server holds more when it shows the conversations of fifty other hosts, against the same server in no fleet. */
export const benchmark: Benchmark = {
	name: "fleet-memory",
	canRun: hasNats,
	longOnly: true,
	async run({ quick }) {
		const memory = createPairs();
		for (let round = 0; round < ROUNDS; round += 1)
			await withFleet(["console", ...Array.from({ length: HOSTS }, (_, index) => `host-${index}`)], async ({ nats, places }) => {
				const [home = "", ...others] = places.homes;
				memory.limit.push(await weigh(home));
				const half = Math.ceil(others.length / 2);
				const processes = await Promise.all(
					[others.slice(0, half), others.slice(half)].map((some) => startHosts(nats.url, some, { conversations: CONVERSATIONS })),
				);
				memory.ours.push(await weigh(home, { url: nats.url, hosts: HOSTS, conversations: HOSTS * CONVERSATIONS }));
				await Promise.all(processes.map((each) => each.close()));
			});
		const goal: Goal = { kind: "over", value: 60 };
		const name = `memory of a server with ${HOSTS} other hosts × ${CONVERSATIONS} conversations, against one in no fleet`;
		return { rows: [row({ name, unit: "MB", ...memory, goal, quick })] };
	},
};

/** Of its own process, when the page has loaded its list and everything has settled. */
async function weigh(home: string, fleet?: { url: string; hosts: number; conversations: number }): Promise<number> {
	const server = await startMember(home, fleet === undefined ? {} : { url: fleet.url });
	const page = await server.ws();
	if (fleet !== undefined) {
		await until(async () => (await onlineHosts(server)) === fleet.hosts + 1, "the other hosts");
		await until(async () => (await listedConversations(server)) >= fleet.conversations, "their conversations");
	} else await listedConversations(server);
	await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
	const weight = treeRssMb(server.pid, false) ?? 0;
	await page.close();
	await server.close();
	return weight;
}
