import { type ServerFrame, serverFrameSchema } from "@rightseat/protocol/frames/server";
import type { FolderSetupItem } from "@rightseat/protocol/http/folders";
import type { ConversationSetups } from "../../packages/server/src/core/conversations/conversation-setup.ts";
import type { Conversations } from "../../packages/server/src/core/conversations/conversations.ts";
import type { CoreConfig } from "../../packages/server/src/core/conversations/core-deps.ts";
import { createCore } from "../../packages/server/src/core/conversations/create-conversations.ts";
import type { HostLog } from "../../packages/server/src/core/conversations/host-log.ts";
import { AppError } from "../../packages/server/src/core/kernel/errors.ts";
import { type ConversationId, conversationId, randomIds } from "../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../packages/server/src/core/kernel/logger.ts";
import { createRedactor } from "../../packages/server/src/core/kernel/redact.ts";
import { createChains } from "../../packages/server/src/core/log/chains.ts";
import type { Subscriber, Subscription } from "../../packages/server/src/core/log/stream-hub.ts";
import type { AgentRuntime } from "../../packages/server/src/core/ports/agent-runtime.ts";
import type { OfferedServer } from "../../packages/server/src/core/ports/agent-setup.ts";
import type { FleetStore } from "../../packages/server/src/core/ports/fleet-store.ts";
import type { Store } from "../../packages/server/src/core/ports/store.ts";
import { chainLink } from "../../packages/server/src/fleet/crypto/chain.ts";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import type { Syncer } from "../../packages/server/src/store/sqlite/sync-thread.ts";
import { createFleetStore } from "../../packages/server/src/store/tables/fleet-store.ts";
import { agentsOf } from "./agents.ts";
import { createFakeClock, type FakeClock, mortal } from "./fake-clock.ts";
import { createScriptedRuntime, type ScriptedRuntime } from "./scripted-runtime.ts";
import { createScriptedShell, type ScriptedShell } from "./scripted-shell.ts";
import { createScriptedTracker, type ScriptedTracker } from "./scripted-tracker.ts";

export interface CoreBed {
	conversations: Conversations;
	setups: ConversationSetups;
	/** MCP servers that conversations can have. */
	servers: OfferedServer[];
	/** What every folder brings. */
	found: FolderSetupItem[];
	store: Store;
	runtime: ScriptedRuntime;
	shell: ScriptedShell;
	tracker: ScriptedTracker;
	clock: FakeClock;
	/** As a host of a fleet. */
	hostLog: HostLog | undefined;
	fleetStore: FleetStore | undefined;
	/** Conversations that a page shows. */
	watched: Set<ConversationId>;
	/** A new conversation's id. */
	begin(): Promise<ConversationId>;
	/** Subscribes and keeps every frame. */
	watch(id: ConversationId, position?: { epoch?: string; lastSeq?: number }): Watcher;
	/** A second core on the same store, as after a kill: memory is lost, the store and the tracker are not. Other agents may be configured then. */
	afterCrash(agents?: Readonly<Record<string, AgentRuntime>>): CoreBed;
	close(): Promise<void>;
}

export interface Watcher extends Subscription {
	frames: ServerFrame[];
	/** Types of the frames, in order. */
	types(): string[];
	of<T extends keyof FrameData>(type: T): FrameData[T][];
}

type FrameData = { [F in Exclude<ServerFrame, { type: "pong" | "done" }> as F["type"]]: F["data"] };

const CONFIG: CoreConfig = {
	workdir: () => "/somewhere",
	permissions: () => "auto",
	defaultModel: () => undefined,
	askTimeoutMs: 120_000,
	maxTurns: 16,
};

/** Core on a real store, in memory or on a disk of the test, with an agent and a shell that do what the test says. */
export async function createCoreBed(
	config: Partial<CoreConfig> = {},
	disk: { path: string; syncer?: Syncer } = { path: ":memory:" },
	agents: Readonly<Record<string, AgentRuntime>> = {},
	fleet: { isInFleet?: boolean; clock?: FakeClock } = {},
): Promise<CoreBed> {
	const clock = fleet.clock ?? createFakeClock();
	const opened = await openStore({ ...disk, clock, logger: silentLogger, ids: randomIds });
	const fleetStore = fleet.isInFleet === true ? createFleetStore(opened.sql) : undefined;
	return bedOn(opened.store, clock, { ...CONFIG, ...config }, async () => opened.close(), agents, fleetStore);
}

function bedOn(
	store: Store,
	clock: FakeClock,
	config: CoreConfig,
	closeStore: () => Promise<void>,
	agents: Readonly<Record<string, AgentRuntime>>,
	fleetStore: FleetStore | undefined,
	tracker = createScriptedTracker(),
	servers: OfferedServer[] = [],
): CoreBed {
	const runtime = createScriptedRuntime();
	const shell = createScriptedShell();
	const directories = {
		async resolve(path: string) {
			if (path.includes("missing")) throw new AppError("cwd-missing", `There is no directory ${path}.`);
			return path;
		},
	};
	const watched = new Set<ConversationId>();
	let crashed = false;
	const life = mortal(clock);
	const chains = fleetStore && createChains({ store: fleetStore.chains, link: chainLink, clock: life.clock });
	const found: FolderSetupItem[] = [];
	const { conversations, setups, hostLog } = createCore({
		setups: { servers: async () => servers, look: async () => ({ trusted: true, found }) },
		chains,
		store,
		agents: agentsOf({ copilot: runtime, ...agents }),
		shell,
		tracker,
		directories,
		clock: life.clock,
		ids: randomIds,
		logger: silentLogger,
		config,
		redactor: createRedactor(["s3cret-value"]),
		isWatched: (id) => watched.has(id),
	});
	return {
		conversations,
		setups,
		servers,
		found,
		store,
		runtime,
		shell,
		tracker,
		clock,
		hostLog,
		fleetStore,
		watched,
		begin: async () => conversationId((await conversations.create({})).id),
		watch: (id, position = {}) => watch(conversations, id, position),
		afterCrash(survivors = agents) {
			crashed = true;
			life.die();
			return bedOn(store, clock, config, closeStore, survivors, fleetStore, tracker, servers);
		},
		async close() {
			if (crashed) return closeStore();
			const closing = conversations.close(0);
			await clock.advance(10_000);
			await closing;
			await closeStore();
		},
	};
}

export function watch(conversations: Conversations, id: ConversationId, position: { epoch?: string; lastSeq?: number } = {}): Watcher {
	const frames: ServerFrame[] = [];
	const keep = (text: string) => {
		const parsed = serverFrameSchema.safeParse(JSON.parse(text));
		if (!parsed.success) throw new Error(`Not a frame of the protocol: ${text}`);
		frames.push(parsed.data);
	};
	const subscriber: Subscriber = { event: keep, reply: (frame) => keep(JSON.stringify(frame)) };
	const subscription = conversations.subscribe(id, position, subscriber);
	return {
		frames,
		types: () => frames.map((frame) => frame.type),
		of(type) {
			const untyped: { type: string }[] = frames;
			return untyped.flatMap((frame) => (frame.type === type ? [Reflect.get(frame, "data")] : []));
		},
		close: () => subscription.close(),
	};
}
