import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import type { Conversations } from "../../../packages/server/src/core/conversations/conversations.ts";
import { createEverywhere, type Everywhere } from "../../../packages/server/src/core/fleet/everywhere.ts";
import { createFleetOwner } from "../../../packages/server/src/core/fleet/owner.ts";
import type { HttpAnswer } from "../../../packages/server/src/core/fleet/remote-calls.ts";
import { AppError, toAppError } from "../../../packages/server/src/core/kernel/errors.ts";
import { conversationId, type IdSource } from "../../../packages/server/src/core/kernel/ids.ts";
import type { Fleet, FleetOwner, FleetRequest } from "../../../packages/server/src/core/ports/fleet.ts";
import type { Lifecycle } from "../../../packages/server/src/core/ports/lifecycle.ts";
import { createFences } from "../../../packages/server/src/fleet/commands/fences.ts";
import type { FleetHome } from "../../../packages/server/src/fleet/home/fleet-home.ts";
import { createFleet } from "../../../packages/server/src/fleet/runtime/create-fleet.ts";
import { SimulatedDeath } from "../frame/engine.ts";
import type { Life } from "../frame/life.ts";
import type { Engine, Line } from "./engine.ts";
import type { HostClock } from "./host-clock.ts";

/** What one process of a host is in its fleet. */
export interface FleetRun {
	readonly life: Life;
	readonly line: Line;
	readonly fleet: Fleet & Required<Pick<Lifecycle, "start" | "close">>;
	readonly everywhere: Everywhere;
	/** Of the task that one host does for all. */
	readonly lease: ReturnType<Fleet["lease"]>;
}

/** What is told of a run to whoever examines it. */
export interface Witness {
	/** Somebody here asks another host for this. */
	asked(request: FleetRequest): void;
	/** A command is about to be carried out, and was, or was not. */
	ran(command: FleetCommand, outcome: "begun" | "done" | "failed"): void;
	audited(command: FleetCommand, verdict: string): void;
}

/** The task that one host does for all. */
export const TASK = "telegram.simulated";

/** This process takes part in the fleet, put together as `app-fleet.ts` does it. */
export function startFleet(deps: {
	life: Life;
	host: string;
	name: string;
	home: FleetHome;
	hostClock: HostClock;
	engine: Engine;
	witness: Witness;
	/** Of this host in the fleet. */
	ids: IdSource;
}): FleetRun {
	const { life, hostClock, engine, witness, ids } = deps;
	const { conversations, hostLog, fleetStore, shell, memory, presence, clock, logger } = life;
	if (hostLog === undefined || fleetStore === undefined) throw new Error("This host computes no chains.");
	const line = engine.connect(deps.host, hostClock);
	const owner = createFleetOwner({
		...{ conversations, jobs: shell, hostLog, created: fleetStore.created, clock, ids, screens: presence },
		...{ audit: { record: () => undefined }, nameOf: (host) => host, maxBytes: line.courier.maxBytes },
		http: (request) => Promise.resolve(serve(conversations, request.method, request.path)),
		upload: nothing,
		terminals: { handle: nothing, read: nothing, endOf: () => undefined },
	});
	const fleet = createFleet({
		...{ ids, logger, home: deps.home, owner: witnessed(owner, witness), version: "1.0.0", machine: deps.name },
		clock: { ...clock, sinceBoot: hostClock.clock.sinceBoot },
		...{ url: "nats://simulated", allow: "full", connect: () => line.courier },
		fences: createFences(fleetStore.fences.list(), fleetStore.fences.set),
	});
	const asking: Fleet = {
		...fleet,
		command(request) {
			witness.asked(request);
			return fleet.command(request);
		},
	};
	const everywhere = createEverywhere({
		...{ clock, ids, logger, own: conversations, jobs: shell, fleet: asking, outbox: fleetStore.outbox, memory, screens: presence },
		bringFiles: async (_, all) => [...all],
	});
	fleet.start().catch((error: unknown) => {
		if (!(error instanceof SimulatedDeath)) throw error;
	});
	return { life, line, fleet, everywhere, lease: fleet.lease(TASK) };
}

/** Everything that is carried out and audited is seen. */
const witnessed = (owner: FleetOwner, witness: Witness): FleetOwner => ({
	...owner,
	async run(command) {
		witness.ran(command, "begun");
		try {
			const frames = await owner.run(command);
			witness.ran(command, "done");
			return frames;
		} catch (error) {
			witness.ran(command, "failed");
			throw error;
		}
	},
	audit(command, verdict) {
		witness.audited(command, verdict);
		owner.audit(command, verdict);
	},
});

/** As much of the web channel as people on other hosts use here. */
function serve(conversations: Conversations, method: string, path: string): HttpAnswer {
	const answer = (status: number, body: object): HttpAnswer => ({ status, headers: {}, body: JSON.stringify(body), isBase64: false });
	try {
		const seen = /^\/api\/inbox\/([^/]+)\/seen$/.exec(path)?.[1];
		if (seen !== undefined) conversations.inbox.seen(seen);
		const one = method === "GET" ? /^\/api\/conversations\/([^/]+)$/.exec(path)?.[1] : undefined;
		return answer(200, one === undefined ? {} : { conversation: conversations.get(conversationId(one)) });
	} catch (error) {
		const { code, message } = toAppError(error);
		return answer(404, { error: { code, message } });
	}
}

const nothing = () => Promise.reject(new AppError("internal", "There is no such thing here."));
