import { hostname } from "node:os";
import type { WebChannel } from "../../channels/web/create-web-channel.ts";
import type { Conversations } from "../../core/conversations/conversations.ts";
import type { HostLog } from "../../core/conversations/host-log.ts";
import { readHead } from "../../core/fleet/answer-lines.ts";
import { createEverywhere, type Everywhere } from "../../core/fleet/everywhere.ts";
import { createFleetOwner } from "../../core/fleet/owner.ts";
import type { BringFiles } from "../../core/fleet/remote-calls.ts";
import type { Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { IdSource } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { MemoryLedger } from "../../core/kernel/memory-ledger.ts";
import { createChains } from "../../core/log/chains.ts";
import type { AuditLog } from "../../core/ports/audit.ts";
import type { Fleet } from "../../core/ports/fleet.ts";
import type { FleetStore } from "../../core/ports/fleet-store.ts";
import type { Lifecycle } from "../../core/ports/lifecycle.ts";
import type { Shell } from "../../core/ports/shell.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { createFences } from "../../fleet/commands/fences.ts";
import type { Courier } from "../../fleet/courier.ts";
import { chainLink } from "../../fleet/crypto/chain.ts";
import { withBoot } from "../../fleet/fleet-clock.ts";
import { createFleetHome } from "../../fleet/home/fleet-home.ts";
import { createNatsCourier } from "../../fleet/nats/create-nats-courier.ts";
import { keptDoor } from "../../fleet/nats/kept-files.ts";
import { sharedLogin } from "../../fleet/nats/logins.ts";
import { createFleet } from "../../fleet/runtime/create-fleet.ts";
import type { Attachments } from "../../services/attachments/attachments.ts";
import { bringFiles } from "../../services/attachments/bring-files.ts";
import { createUploadParts } from "../../services/attachments/upload-parts.ts";
import type { Presence } from "../../services/presence/presence.ts";
import { createFleetStore } from "../../store/tables/fleet-store.ts";
import type { FleetConfig } from "../config/config.ts";

interface Shared {
	clock: Clock;
	ids: IdSource;
	logger: Logger;
}

interface AppFleetDeps {
	conversations: Conversations;
	hostLog: HostLog | undefined;
	shell: Shell;
	attachments: Attachments;
	audit: AuditLog;
	memory: MemoryLedger;
	presence: Presence;
	home: string;
	version: string;
	/** It is made after this. */
	web: () => Pick<WebChannel, "serve" | "hostTerminals">;
}

/** The conversations of all hosts, and what runs this one among them. */
export interface AppFleet {
	everywhere: Everywhere;
	fleet: Pick<Fleet, "lease" | "shared" | "hosts" | "status">;
	part: Lifecycle;
}

/** What core needs before it is made, and the rest when it is there. */
export function prepareFleet(config: FleetConfig, { sql, ...shared }: Shared & { sql: SqlDatabase }) {
	const kept = createFleetStore(sql);
	const chains = createChains({ store: kept.chains, link: chainLink, clock: shared.clock });
	return { chains, create: (deps: AppFleetDeps) => createAppFleet(config, kept, { ...deps, ...shared }) };
}

function createAppFleet(config: FleetConfig, kept: FleetStore, deps: AppFleetDeps & Shared): AppFleet {
	const { conversations, hostLog, attachments, memory, clock, ids, logger, web } = deps;
	if (hostLog === undefined) throw new AppError("internal", "A fleet needs chains.");
	let courier: Courier | undefined;
	const maxBytes = () => courier?.maxBytes() ?? Number.POSITIVE_INFINITY;
	const owner = createFleetOwner({
		...{ conversations, jobs: deps.shell, hostLog, created: kept.created, audit: deps.audit, clock, ids, maxBytes, screens: deps.presence },
		nameOf: (host) => fleet.hosts().find(({ id }) => id === host)?.name ?? host,
		http: (request, who) => web().serve(request, who),
		upload: createUploadParts({ attachments, memory }),
		terminals: {
			handle: (frame, from) => web().hostTerminals.handle(frame, from),
			read: (host, terminalId, from) => web().hostTerminals.read(host, terminalId, from),
			endOf: (host) => web().hostTerminals.endOf(host),
		},
	});
	const fleet = createFleet({
		...{ owner, version: deps.version, ids, logger, url: config.url, allow: config.allow, machine: hostname() },
		clock: withBoot(clock),
		home: createFleetHome(deps.home),
		share: () => ({ credentials: sharedLogin(config), door: keptDoor(config.keptIn) }),
		fences: createFences(kept.fences.list(), kept.fences.set),
		connect() {
			courier = createNatsCourier(config, { clock, name: "server" });
			return courier;
		},
	});
	const everywhere = createEverywhere({
		...{ own: conversations, jobs: deps.shell, fleet, outbox: kept.outbox, clock, ids, memory, screens: deps.presence, logger },
		bringFiles: carryFiles(fleet, attachments, maxBytes),
	});
	return {
		...{ everywhere, fleet },
		part: {
			start: fleet.start,
			async close() {
				everywhere.close();
				await fleet.close();
			},
		},
	};
}

const carryFiles =
	(fleet: Pick<Fleet, "command">, attachments: Attachments, maxBytes: () => number): BringFiles =>
	(host, all, { origin, from }) =>
		bringFiles(
			attachments,
			all,
			async (part) => {
				const actor = { origin, ...(from === undefined ? {} : { from: from.slice(0, 200) }) };
				const head = readHead(await fleet.command({ to: host, actor, frame: { type: "fleet:attachment", data: { ...part } } }));
				return head?.type === "fleet:attachment" ? head.data.id : undefined;
			},
			maxBytes,
		);
