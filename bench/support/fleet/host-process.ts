import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { randomIds } from "../../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { createFences } from "../../../packages/server/src/fleet/commands/fences.ts";
import { withBoot } from "../../../packages/server/src/fleet/fleet-clock.ts";
import { createFleetHome } from "../../../packages/server/src/fleet/home/fleet-home.ts";
import { createNatsCourier } from "../../../packages/server/src/fleet/nats/create-nats-courier.ts";
import { createFleet } from "../../../packages/server/src/fleet/runtime/create-fleet.ts";
import { paced, stampMs } from "../relay-protocol.ts";
import type { HostOrder, HostReport } from "./host-protocol.ts";
import { createLightOwner } from "./light-owner.ts";

// Several hosts of a fleet in one process: the real runtime, each with its own connections, keys and files; only their agents and databases are left out.
const [url = "", conversations = "20", keeps = "2000", ...homes] = process.argv.slice(2);
const hosts = homes.map((folder) => {
	const light = createLightOwner(Number(conversations), Number(keeps));
	const home = createFleetHome(folder);
	const fleet = createFleet({
		...{
			home,
			owner: light.owner,
			fences: createFences(new Map(), () => undefined),
			allow: "full",
			version: "0.0.0",
			machine: "simulated",
		},
		...{ clock: withBoot(systemClock), ids: randomIds, logger: silentLogger, url },
		connect: () => createNatsCourier({ url, allowOld: true }, { clock: systemClock, name: "simulated" }),
	});
	return { light, home, fleet };
});
await Promise.all(hosts.map(({ fleet }) => fleet.start()));
await Promise.all(hosts.map(({ fleet }) => served(fleet)));

const names = await Promise.all(
	hosts.map(async ({ home, light }) => ({ host: (await home.find())?.keys.host ?? "", conversationIds: light.ids })),
);
let before = process.cpuUsage();
report(0);

process.on("message", (order: HostOrder) => {
	before = process.cpuUsage();
	carryOut(order).then(report, (error: unknown) => {
		console.error(error);
		process.exit(1);
	});
});
process.on("disconnect", () => process.exit());

/** A host that serves is online in its own eyes. */
function served(fleet: (typeof hosts)[number]["fleet"]): Promise<void> {
	return new Promise((resolve) => {
		const look = () => {
			if (fleet.hosts()[0]?.state === "online") resolve();
		};
		fleet.onChange(look);
		look();
	});
}

async function carryOut(order: HostOrder): Promise<number> {
	const { speaking } = order;
	const say = (stream: number, text: string) => hosts[Math.floor(stream / speaking)]?.light.say(stream % speaking, text);
	const streams = hosts.length * speaking;
	if (order.kind === "speak") return await paced({ streams, perSecond: order.perSecond, seconds: order.seconds }, say);
	for (let sent = 0; sent < order.events; sent += 1) {
		say(sent % streams, `${stampMs().toFixed(3)} `);
		// What is written to a socket goes out between turns of the loop.
		if (sent % 200 === 199) await new Promise((resolve) => setImmediate(resolve));
	}
	return order.events;
}

function report(said: number): void {
	const { user, system } = process.cpuUsage(before);
	const heads = Object.fromEntries(hosts.flatMap(({ light }) => light.ids.map((id, index) => [id, light.headOf(index)])));
	process.send?.({ hosts: names, said, heads, cpuMs: (user + system) / 1_000 } satisfies HostReport);
}
