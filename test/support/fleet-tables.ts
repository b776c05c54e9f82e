import type { Position } from "@rightseat/protocol/fleet/position";
import { AppError } from "../../packages/server/src/core/kernel/errors.ts";
import type { Fleet, OwnerAnswer } from "../../packages/server/src/core/ports/fleet.ts";
import type { Bucket, Bus } from "../../packages/server/src/fleet/bus.ts";
import type { CommandClient } from "../../packages/server/src/fleet/commands/command-client.ts";
import type { Fences } from "../../packages/server/src/fleet/commands/fences.ts";
import type { Sealer } from "../../packages/server/src/fleet/crypto/seal.ts";
import { createLease } from "../../packages/server/src/fleet/lease/lease.ts";
import { createLeaseCodec } from "../../packages/server/src/fleet/lease/lease-codec.ts";
import { keepLease } from "../../packages/server/src/fleet/runtime/host-guard.ts";
import { createSharedTable } from "../../packages/server/src/fleet/runtime/shared-table.ts";
import type { FakeClock } from "./fake-clock.ts";

/** The leases and tables of one host of a test, for as long as it has a network. */
export function createFleetTables(deps: {
	bus: Pick<Bus, "bucket">;
	fleet: string;
	host: string;
	holder: string;
	sealer: Sealer;
	fences: Fences;
	clock: FakeClock;
	isOffline: () => boolean;
}): Pick<Fleet, "lease" | "shared"> {
	const { fleet, host, holder, sealer, fences, clock } = deps;
	const cut = () => Promise.reject(new AppError("fleet-not-connected", "NATS cannot be reached."));
	const reachable = (name: string): Bucket => {
		const inner = deps.bus.bucket(name);
		return { get: (key) => (deps.isOffline() ? cut() : inner.get(key)), put: (...args) => (deps.isOffline() ? cut() : inner.put(...args)) };
	};
	return {
		lease(name) {
			const codec = createLeaseCodec(sealer, fleet, name, host);
			return keepLease(createLease({ name, holder, bucket: reachable("LEASE"), codec, clock, fences }), clock);
		},
		shared: (name) => createSharedTable(reachable(name), { fleet, name, host, sealer }),
	};
}

/** Asks the owner of a conversation for what a reader has not. */
export const askOwner =
	(client: CommandClient, host: string, conversationId: string) =>
	async (from: Position | undefined): Promise<OwnerAnswer> => {
		try {
			const frame = { type: "fleet:read", data: from === undefined ? {} : { from } };
			const [line = ""] = await client.send({ to: host, conversationId, actor: { origin: "api" }, frame });
			const answer: OwnerAnswer = JSON.parse(line);
			return answer;
		} catch (error) {
			return { kind: "failed", reason: error instanceof AppError && error.code === "host-offline" ? "no-responders" : "timeout" };
		}
	};
