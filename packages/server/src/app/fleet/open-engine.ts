import { systemClock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { createSealer, type Sealer } from "../../fleet/crypto/seal.ts";
import { createFleetHome, type FleetHome, type Identity } from "../../fleet/home/fleet-home.ts";
import { cardKey, cardOf, writeCard } from "../../fleet/hosts/entries.ts";
import { createLeaseCodec, putReleased } from "../../fleet/lease/lease-codec.ts";
import { createNatsCourier, type NatsCourier } from "../../fleet/nats/create-nats-courier.ts";
import { openRoster, type Roster } from "../../fleet/roster/roster.ts";
import { buckets } from "../../fleet/subjects.ts";
import type { FleetConfig } from "../config/config.ts";
import { findInstallPaths } from "../home/install-paths.ts";

/** The engine, for as long as one command needs it. Rejects with why it cannot be used. */
export async function withEngine<T>(config: FleetConfig, use: (courier: NatsCourier) => Promise<T>, onFewServers?: () => void): Promise<T> {
	const courier = createNatsCourier(config, { clock: systemClock, name: "command", onFewServers });
	try {
		await courier.ready();
		return await use(courier);
	} finally {
		await courier.close();
	}
}

/** A member, up to date with the engine. */
export interface Member {
	home: FleetHome;
	identity: Identity;
	roster: Roster;
	sealer: Sealer;
	courier: NatsCourier;
}

/** This host as a member of its fleet; undefined: it belongs to none. */
export async function asMember(courier: NatsCourier, homeFolder: string): Promise<Member | undefined> {
	const home = createFleetHome(homeFolder);
	const identity = await home.find();
	if (identity === undefined) return undefined;
	const { history, contentKeys } = home;
	const roster = await openRoster({ ...identity, bus: courier.bus, history, contentKeys, now: systemClock.now });
	await roster.sync();
	if (roster.members.isRemoved(identity.keys.host)) {
		throw new AppError(
			"fleet-refused",
			'This host was removed from the fleet. Run "rightseat fleet leave --here", and join again with a new invitation.',
			{
				params: { reason: "removed" },
			},
		);
	}
	return { home, identity, roster, sealer: createSealer(identity.fleet, roster.held), courier };
}

/** A new host has a name before its server has started, and need not wait until it is certain that nobody else has its identity. */
export async function openPlace(courier: NatsCourier, identity: Identity, roster: Roster): Promise<void> {
	const { fleet, keys, name, since } = identity;
	const sealer = createSealer(fleet, roster.held);
	const lease = `host.${keys.host}`;
	await putReleased(courier.bus.bucket(buckets.leases(fleet)), createLeaseCodec(sealer, fleet, lease, keys.host), lease);
	const card = writeCard({ fleet, keys, sealer }, cardOf({ host: keys.host, name, since, version: findInstallPaths().version }));
	await courier.bus.bucket(buckets.hosts(fleet)).put(cardKey(keys.host), card, undefined);
}
