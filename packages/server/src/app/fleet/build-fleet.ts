import { hostname } from "node:os";
import type { Clock } from "../../core/kernel/clock.ts";
import type { IdSource } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { FleetOwner } from "../../core/ports/fleet.ts";
import type { FleetStore } from "../../core/ports/fleet-store.ts";
import { createFences } from "../../fleet/commands/fences.ts";
import { createFleetHome } from "../../fleet/home/fleet-home.ts";
import { createNatsCourier } from "../../fleet/nats/create-nats-courier.ts";
import { createFleet } from "../../fleet/runtime/create-fleet.ts";
import type { FleetConfig } from "../config/config.ts";

/** The fleet of a server over NATS. Loaded only where one is configured: the client costs ten megabytes. */
export function buildFleet(
	config: FleetConfig,
	deps: { home: string; owner: FleetOwner; fences: FleetStore["fences"]; version: string; clock: Clock; ids: IdSource; logger: Logger },
) {
	const { clock, fences, ...rest } = deps;
	return createFleet({
		...rest,
		...{ clock, url: config.url, allow: config.allow, machine: hostname() },
		home: createFleetHome(deps.home),
		fences: createFences(fences.list(), fences.set),
		connect: () => createNatsCourier(config, { clock, name: "server" }),
	});
}
