import type { ConversationSetups } from "../../../packages/server/src/core/conversations/conversation-setup.ts";
import type { Conversations } from "../../../packages/server/src/core/conversations/conversations.ts";
import { createCore } from "../../../packages/server/src/core/conversations/create-conversations.ts";
import type { HostLog } from "../../../packages/server/src/core/conversations/host-log.ts";
import type { Clock } from "../../../packages/server/src/core/kernel/clock.ts";
import { AppError } from "../../../packages/server/src/core/kernel/errors.ts";
import type { IdSource } from "../../../packages/server/src/core/kernel/ids.ts";
import type { Logger } from "../../../packages/server/src/core/kernel/logger.ts";
import { createMemoryLedger, type MemoryLedger } from "../../../packages/server/src/core/kernel/memory-ledger.ts";
import { createRedactor, type Redactor } from "../../../packages/server/src/core/kernel/redact.ts";
import { createChains } from "../../../packages/server/src/core/log/chains.ts";
import type { FleetStore } from "../../../packages/server/src/core/ports/fleet-store.ts";
import type { Shell } from "../../../packages/server/src/core/ports/shell.ts";
import { chainLink } from "../../../packages/server/src/fleet/crypto/chain.ts";
import { createPresence, type Presence } from "../../../packages/server/src/services/presence/presence.ts";
import type { OpenedStore } from "../../../packages/server/src/store/open-store.ts";
import { sqlFault } from "../../../packages/server/src/store/sqlite/sql-errors.ts";
import { createAuditLog } from "../../../packages/server/src/store/tables/audit-log.ts";
import { createFleetStore } from "../../../packages/server/src/store/tables/fleet-store.ts";
import { agentsOf } from "../../support/agents.ts";
import { createScriptedShell, type ScriptedShell } from "../../support/scripted-shell.ts";
import { createScriptedTracker } from "../../support/scripted-tracker.ts";
import { type AgentMemory, createSimulatedAgent, type SimulatedAgent } from "./agent.ts";
import type { LifeDisk } from "./disk.ts";
import { SimulatedDeath } from "./engine.ts";
import type { World } from "./part.ts";

/** One process of a server, from its start to its death. */
export interface Life {
	readonly number: number;
	isAlive(): boolean;
	readonly conversations: Conversations;
	readonly setups: ConversationSetups;
	readonly hostLog: HostLog | undefined;
	readonly fleetStore: FleetStore | undefined;
	readonly opened: OpenedStore;
	readonly agent: SimulatedAgent;
	readonly shell: ScriptedShell;
	readonly memory: MemoryLedger;
	readonly presence: Presence;
	readonly redactor: Redactor;
	/** Stops with the process. */
	readonly clock: Clock;
	readonly ids: IdSource;
	readonly logger: Logger;
	readonly disk: LifeDisk;
}

/** How long a question of the agent waits. */
export const ASK_TIMEOUT_MS = 120_000;
/** Few, so that turns wait for each other. */
export const MAX_TURNS = 2;

/** Core, as the server wires it, on an opened store, with an agent and a shell of the plan. Recovery is over when it returns. */
export function createLife(deps: {
	world: World;
	number: number;
	opened: OpenedStore;
	disk: LifeDisk;
	logger: Logger;
	agentMemory: AgentMemory;
	isInFleet: boolean;
	clock: Clock;
	isAlive(): boolean;
}): Life {
	const { world, opened, clock, isAlive, logger } = deps;
	const { ids, ledger } = world;
	const agent = createSimulatedAgent({
		...{ memory: deps.agentMemory, isAlive },
		after: (ms, run) => void clock.after(ms, run),
		onPrompt(prompt) {
			const marker = lastMarker(prompt);
			// One that has none of its own may be told of commands that ran before it; those do not run again.
			if (isAlive() && !marker.startsWith("c")) ledger.ran(marker);
		},
	});
	const shell = watchedShell(createScriptedShell(), (command) => {
		if (!isAlive()) throw new SimulatedDeath("This process has died.");
		ledger.ran(lastMarker(command));
	});
	const fleetStore = deps.isInFleet ? createFleetStore(opened.sql) : undefined;
	const chains = fleetStore && createChains({ store: fleetStore.chains, link: chainLink, clock });
	const [memory, presence, redactor] = [createMemoryLedger(), createPresence(), createRedactor(["s3cret-value"])];
	// Everything that was said is compared with the log; where the date is set forward by a day, the sweep would rightly have removed it.
	const store = { ...opened.store, events: { ...opened.store.events, quietSince: async () => [] } };
	const audit = createAuditLog({ sql: opened.sql, clock, logger, redact: redactor.line });
	const core = createCore({
		...{ store, clock, ids, logger, redactor, memory, shell, chains, audit },
		agents: agentsOf({ copilot: agent }),
		tracker: createScriptedTracker(),
		directories: {
			async resolve(path: string) {
				if (path.includes("missing")) throw new AppError("cwd-missing", `There is no directory ${path}.`);
				return path;
			},
		},
		isWatched: presence.watched,
		config: {
			...{ workdir: () => "/somewhere", permissions: () => "ask" as const, defaultModel: () => undefined },
			...{ askTimeoutMs: ASK_TIMEOUT_MS, maxTurns: MAX_TURNS },
		},
	});
	return {
		...{ number: deps.number, isAlive, opened, agent, shell, memory, presence, redactor, clock, ids, logger, disk: deps.disk, fleetStore },
		...core,
	};
}

/** The shell tells of a command in the moment in which it begins. */
function watchedShell(shell: ScriptedShell, onExec: (command: string) => void): ScriptedShell {
	const exec: Shell["exec"] = (request) => {
		onExec(request.command);
		return shell.exec(request);
	};
	return Object.defineProperties(
		{ ...shell, exec },
		{ notes: { get: () => shell.notes, set: (notes: string[]) => (shell.notes = notes) } },
	);
}

/** What a person wrote comes last; what stands before it quotes earlier things. */
export function lastMarker(text: string): string {
	return text.match(/\b[pcsf]\d+x\b/g)?.at(-1) ?? "";
}

/** Says to the world what no plan asks for: an error that is neither of the product's own kind nor the death of the process. */
export function createLogger(world: World, isAlive: () => boolean): Logger {
	const nothing = () => undefined;
	const told = (fields: object, message: string) => {
		if (!isAlive()) return;
		const error: unknown = "err" in fields ? fields.err : undefined;
		world.trace.note(`log: ${message}${error instanceof Error ? ` (${error.message})` : ""}`);
		if (error === undefined || error instanceof AppError || error instanceof SimulatedDeath || isOfDisk(error)) return;
		world.violate("no-surprise", `${message}: ${error instanceof Error ? error.stack : String(error)}`);
	};
	return { debug: nothing, info: nothing, warn: told, error: told, fatal: told };
}

const isOfDisk = (error: unknown) =>
	(error instanceof Error && error.message.startsWith("EIO")) || ["busy", "full", "read-only", "disk"].includes(sqlFault(error));
