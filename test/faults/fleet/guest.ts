import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { randomIds } from "../../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { createFences } from "../../../packages/server/src/fleet/commands/fences.ts";
import { withBoot } from "../../../packages/server/src/fleet/fleet-clock.ts";
import { createFleetHome } from "../../../packages/server/src/fleet/home/fleet-home.ts";
import { createNatsCourier } from "../../../packages/server/src/fleet/nats/create-nats-courier.ts";
import { createFleet } from "../../../packages/server/src/fleet/runtime/create-fleet.ts";
import { createFakeOwner } from "../../../packages/server/src/fleet/runtime/fake-owner-harness.ts";
import type { FleetWorld } from "./world.ts";

/** A member of a fleet in this process, which asks for what a page would not offer. */
export async function startGuest(world: FleetWorld, home: string) {
	const fake = createFakeOwner();
	const config = { url: world.directUrl, credsFile: world.credsFile, allowOld: false };
	const fleet = createFleet({
		...{ home: createFleetHome(home), owner: fake.owner, fences: createFences(new Map(), () => undefined), allow: "full", version: "1" },
		...{ machine: "guest", clock: withBoot(systemClock), ids: randomIds, logger: silentLogger, url: world.directUrl },
		connect: () => createNatsCourier(config, { clock: systemClock, name: "guest" }),
	});
	await fleet.start();
	return { fleet, fake };
}
