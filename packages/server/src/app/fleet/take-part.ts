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
import { chainLink } from "../../fleet/crypto/chain.ts";
import type { Attachments } from "../../services/attachments/attachments.ts";
import { bringFiles } from "../../services/attachments/bring-files.ts";
import { createUploadParts } from "../../services/attachments/upload-parts.ts";
import type { FleetConfig } from "../config/config.ts";
import { buildFleet } from "./build-fleet.ts";

/** What every log of a host of a fleet is linked by. */
export const fleetChains = (store: FleetStore, clock: Clock) => createChains({ store: store.chains, link: chainLink, clock });

interface TakePartDeps {
	home: string;
	version: string;
	own: Conversations;
	hostLog: HostLog;
	store: FleetStore;
	shell: Shell;
	attachments: Attachments;
	audit: AuditLog;
	memory: MemoryLedger;
	clock: Clock;
	ids: IdSource;
	logger: Logger;
}

/** This server as a host of its fleet: it carries out what the others ask, and sees what they have. */
export interface FleetPart {
	readonly everywhere: Everywhere;
	/** Starts when everything that it may be asked for is there. */
	readonly fleet: Fleet & Required<Pick<Lifecycle, "start" | "close">>;
	/** What answers requests over HTTP and has the terminals; before that they are refused. */
	serveBy(web: Pick<WebChannel, "serve" | "hostTerminals">): void;
}

export function takePart(config: FleetConfig, deps: TakePartDeps): FleetPart {
	const { own, hostLog, store, shell, attachments, audit, memory } = deps;
	const shared = { clock: deps.clock, ids: deps.ids, logger: deps.logger };
	let web: Pick<WebChannel, "serve" | "hostTerminals"> | undefined;
	const served = () => {
		if (web === undefined) throw new AppError("shutting-down", "This host is starting. Try again in a moment.", { retryable: true });
		return web;
	};
	const owner = createFleetOwner({
		...{ conversations: own, jobs: shell, hostLog, created: store.created, audit, ...shared },
		nameOf: (host) => fleet.hosts().find(({ id }) => id === host)?.name ?? host,
		http: async (request, who) => served().serve(request, who),
		upload: createUploadParts({ attachments, memory }),
		terminals: {
			handle: async (frame, from) => served().hostTerminals.handle(frame, from),
			read: async (host, terminalId, from) => served().hostTerminals.read(host, terminalId, from),
		},
	});
	const fleet = buildFleet(config, { home: deps.home, owner, fences: store.fences, version: deps.version, ...shared });
	const bring: BringFiles = (host, ids, { origin, from }) =>
		bringFiles(attachments, ids, async (part) => {
			const frame = { type: "fleet:attachment", data: { ...part } };
			const head = readHead(await fleet.command({ to: host, actor: from === undefined ? { origin } : { origin, from }, frame }));
			return head?.type === "fleet:attachment" ? head.data.id : undefined;
		});
	return {
		everywhere: createEverywhere({ own, jobs: shell, fleet, outbox: store.outbox, bringFiles: bring, memory, ...shared }),
		fleet,
		serveBy(next) {
			web = next;
		},
	};
}
