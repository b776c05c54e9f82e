import type { IncomingMessage } from "node:http";
import { CLOSE_CODES } from "@rightseat/protocol/close-codes";
import { PROTOCOL_VERSION } from "@rightseat/protocol/version";
import type { FastifyInstance } from "fastify";
import type { RememberedPermissions } from "../../core/asks/remembered/remembered-permissions.ts";
import type { EveryConversations } from "../../core/conversations/conversations.ts";
import type { OtherHosts } from "../../core/fleet/everywhere.ts";
import type { FleetOwnerDeps } from "../../core/fleet/owner.ts";
import type { Clock } from "../../core/kernel/clock.ts";
import type { IdSource } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { MemoryLedger } from "../../core/kernel/memory-ledger.ts";
import type { Redactor } from "../../core/kernel/redact.ts";
import type { Agents } from "../../core/ports/agents.ts";
import type { AuditLog } from "../../core/ports/audit.ts";
import type { Folders } from "../../core/ports/folders.ts";
import type { Lifecycle } from "../../core/ports/lifecycle.ts";
import type { Shell } from "../../core/ports/shell.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import type { Store } from "../../core/ports/store.ts";
import type { Schedules } from "../../core/schedules/schedules.ts";
import type { Attachments } from "../../services/attachments/attachments.ts";
import type { FolderTrust } from "../../services/folder-setup/folder-trust.ts";
import type { Git } from "../../services/git/git-client.ts";
import type { ModelAccountStore } from "../../services/model-account/model-account.ts";
import type { Presence } from "../../services/presence/presence.ts";
import type { AppSettingsStore } from "../../services/settings/settings.ts";
import type { WorkRoots } from "../../services/work-roots/work-roots.ts";
import type { Worktrees } from "../../services/worktrees/worktrees.ts";
import { createAddresses } from "./addresses.ts";
import { clientAddress, isFromOwnProxy } from "./auth/client-address.ts";
import { createCredentials } from "./auth/credentials.ts";
import { createAuthenticator } from "./auth/identity.ts";
import { createLock } from "./auth/lock.ts";
import { createFleetCaller, type FleetCaller } from "./fleet/fleet-caller.ts";
import { serveFleet } from "./fleet/serve-fleet.ts";
import { fleetFrames, tellFleet } from "./fleet/tell-fleet.ts";
import { isOfDevice } from "./fleet/who-asks.ts";
import type { AccessGuard } from "./http/access-guard.ts";
import { createGate } from "./http/gate.ts";
import { countHeldAnswers } from "./http/held-answers.ts";
import { createHttpApp } from "./http/http-app.ts";
import { problemOf } from "./http/http-errors.ts";
import { createHttpServer } from "./http/http-server.ts";
import { registerRoutes } from "./http/register-routes.ts";
import type { McpAccess } from "./http/routes/mcp.ts";
import type { SetupAccess } from "./http/routes/setup.ts";
import type { TelegramAccess } from "./http/routes/telegram.ts";
import { machineName } from "./machine-name.ts";
import { createPushNotices } from "./push/push-notices.ts";
import { createPushNotifier } from "./push/push-notifier.ts";
import { createPushSubscriptions } from "./push/push-subscriptions.ts";
import { createWebPushSender, type PushSender } from "./push/web-push-sender.ts";
import { createLan, type LanCertificates } from "./reach/lan.ts";
import { createReach, type ReachStore } from "./reach/reach.ts";
import { createShares } from "./share/shares.ts";
import { createHostTerminals } from "./terminal/host-terminals.ts";
import { terminalFolders } from "./terminal/terminal-folders.ts";
import { createTerminals, type Terminals } from "./terminal/terminals.ts";
import type { WebConfig } from "./web-config.ts";
import { createAppStatus, type StorageHealth } from "./ws/app-status.ts";
import { createConnections, MAX_CONNECTIONS } from "./ws/connections.ts";
import { conversationFrame } from "./ws/conversation-frame.ts";
import { connectionRouters } from "./ws/create-connection-router.ts";
import type { OutFrame } from "./ws/frames.ts";
import { acceptUpgrades } from "./ws/upgrades.ts";

/** What the channel is given; each of it belongs to somebody else, who closes it. */
export interface WebChannelDeps<Credential extends object = object> {
	config: WebConfig;
	conversations: EveryConversations;
	agents: Agents;
	shell: Shell;
	store: Pick<Store, "settings">;
	sql: SqlDatabase;
	/** From `createSettings`; core asks it for the default permission mode. */
	settings: AppSettingsStore;
	/** Whose model answers, as people see and change it. */
	modelAccount: ModelAccountStore;
	folders: Folders;
	/** What folders bring for agents, and what people say about that. */
	folderTrust: FolderTrust;
	/** What people allowed for good. */
	remembered: Pick<RememberedPermissions, "list" | "revoke">;
	/** MCP servers and what else agents are given. */
	setup: SetupAccess;
	git: Git;
	worktrees: Worktrees;
	/** Prompts that are sent at a time. */
	schedules: Schedules;
	/** Where people may work. */
	roots: WorkRoots;
	attachments: Attachments;
	storageHealth(): StorageHealth;
	/** Called on every change of it; the result unsubscribes. */
	onStorageHealth?(listener: () => void): () => void;
	audit: AuditLog;
	telegram?: TelegramAccess | undefined;
	/** Answers `/mcp`; closed with this channel. */
	mcp: McpAccess<Credential>;
	/** Under which address phones reach us, kept. */
	reach: ReachStore;
	/** For phones in the local network. */
	lanCertificates: LanCertificates;
	/** In a fleet, of which `conversations` are all. */
	everywhere?: OtherHosts | undefined;
	/** Which conversations visible pages show, for those who send notifications. */
	presence: Presence;
	/** Learns every access token there is, and takes it out of frames and errors. */
	redactor: Redactor;
	/** What terminals pick their environment from; default: ours. */
	env?: Record<string, string | undefined>;
	/** Another way to push services, for tests. */
	pushSender?: PushSender;
	/** The bound over sockets, terminals and uploads, shared with core. */
	memory: MemoryLedger;
	clock: Clock;
	logger: Logger;
	ids: IdSource;
}

/** HTTP, WebSocket and the page. */
export interface WebChannel extends Lifecycle {
	/** Listens; `url()` and `port()` are true from then on. */
	start(): Promise<void>;
	/** Accepts no new connection and closes every socket with `restart`. */
	drain(): Promise<void>;
	/** Drains, and ends the terminals. */
	close(): Promise<void>;
	url(): string;
	port(): number;
	/** A login link for whoever sits at this machine, single use, ten minutes. */
	loginLink(onSpent?: () => void): string;
	broadcast(frame: OutFrame): void;
	/** Tells every page how the parts are; call it when Telegram or the storage changed. */
	statusChanged(): void;
	readonly audit: AuditLog;
	/** Carries out a request of another host, whose command was checked. */
	serve: ReturnType<typeof serveFleet>;
	/** Terminals here for people on other hosts. */
	readonly hostTerminals: FleetOwnerDeps["terminals"];
	/** The routes, for tests that must not forget one. */
	readonly http: Pick<FastifyInstance, "printRoutes" | "hasRoute">;
}

/** Builds the channel; nothing listens before `start`. */
export function createWebChannel<Credential extends object>(deps: WebChannelDeps<Credential>): WebChannel {
	const { config, conversations, clock, logger, sql, ids, settings, audit, redactor } = deps;
	const { agents, telegram, memory, schedules, everywhere } = deps;
	const http = createHttpServer(config.tls);
	const lan = createLan({ certificates: deps.lanCertificates, deliver: http.deliver, clock, logger });
	const reach = createReach({ store: deps.reach, lan, clock, logger });
	const addresses = createAddresses(config, reach.origins);
	const addressOf = (request: IncomingMessage) =>
		clientAddress(request, config.behindProxy || isFromOwnProxy(request, reach.current()?.way === "tailscale" ? reach.origins() : []));
	const credentials = createCredentials({
		...{ home: config.home, sql, settings: deps.store.settings, addresses, clock, ids, logger },
		hide: redactor.hide,
	});
	const { token, codes, sessions, limiter } = credentials;
	const guard: AccessGuard = {
		gate: gateOf(config, reach),
		authenticator: createAuthenticator({ token, sessions, port: addresses.port }),
		...{ limiter, audit, addressOf },
	};
	const workdir = () => settings.get().workdir || config.workdir;
	const status = createAppStatus({
		...{ config, workdir, agents, settings, storageHealth: deps.storageHealth, memory },
		telegramStatus: () => telegram?.status(),
	});
	const terminals = createTerminals({ clock, logger, env: deps.env ?? process.env, memory });
	const subscriptions = createPushSubscriptions({ sql, clock, ids });
	const sender = deps.pushSender ?? createWebPushSender(config.home);
	const notifier = createPushNotifier({
		...{ inbox: conversations.inbox, presence: deps.presence, notices: createPushNotices(sql), subscriptions, sender, clock, logger },
		settings: () => settings.get(),
		isRung: (id) => telegram?.rings?.(id) ?? false,
	});
	const connections = createConnections({
		hello: { type: "hello", data: { protocol: PROTOCOL_VERSION, server: config.version, host: machineName() } },
		greeting: () => (everywhere === undefined ? [] : fleetFrames(everywhere)),
		maxConnections: config.maxSockets ?? MAX_CONNECTIONS,
		...{ clock, logger, sessions, redactor, memory, afterCommit: sql.afterCommit, sourceOf: addressOf },
		createRouter: connectionRouters({ ...deps, jobs: everywhere?.jobs ?? deps.shell, calls: everywhere?.calls, terminals, workdir }),
	});

	/** Every login, socket and open code, except those of one session. */
	function endEverything(except?: string): void {
		// First what needs no disk: one that takes no writes must keep nobody inside.
		codes.clear();
		connections.endUnauthorized((identity) => except === undefined || identity.kind !== "session" || identity.session.id !== except);
		sessions.revokeAll(except);
		subscriptions.removeAll(except);
		deps.mcp.tokens.endTemporary();
		shares.revokeAll();
	}
	const shares = createShares({ sql, clock, ids, exists: (id) => conversations.find(id) !== undefined });
	const lock = createLock({ ...credentials, subscriptions, telegram, mcpTokens: deps.mcp.tokens, endEverything });
	const caller = createFleetCaller();
	const app = createHttpApp({ guard, caller, limited: http, clock, logger, redact: redactor.line, stored: sql });
	countHeldAnswers(app, memory);
	registerRoutes(app, {
		...deps,
		...{ config, addresses, credentials, guard, lock, endEverything, hold: http.hold, subscriptions, sender, status, telegram },
		...{ trust: http.trust, workdir, reach, shares, caller, everywhere },
		problemOf: (error) => problemOf(error, { logger, redact: redactor.line }),
	});
	acceptUpgrades({ http, guard, connections, logger });

	const statusChanged = () => connections.broadcast(status.frame());
	const stops = [
		notifier.close,
		token.onChange(() => endEverything(lock.keeping())),
		sessions.onEnd((id, { isRevoked }) => {
			if (isRevoked) everywhere?.outbox.ask(isOfDevice(id));
			for (const forget of [subscriptions.removeOfSession, codes.removeOf]) forget(id);
			connections.endUnauthorized((identity) => identity.kind === "session" && identity.session.id === id);
		}),
		agents.onChange(statusChanged),
		telegram?.onStatus?.(statusChanged),
		deps.onStorageHealth?.(statusChanged),
		everywhere && tellFleet(everywhere, connections.broadcast),
		conversations.onChange((change) => {
			connections.broadcast(conversationFrame(change));
			if (change.kind === "deleted") terminals.endOf(change.id);
		}),
		deps.presence.onChange((id, isShown) => (isShown ? conversations.inbox.looked(id) : conversations.inbox.refresh())),
		schedules.onChange(() => connections.broadcast({ type: "schedules:changed", data: { count: schedules.count() } })),
		conversations.inbox.onChange(({ items }) => connections.broadcast({ type: "inbox:changed", data: { count: items.length } })),
	];
	let drained: Promise<void> | undefined;
	function drain(): Promise<void> {
		drained ??= end();
		return drained;
	}
	async function end(): Promise<void> {
		for (const stop of stops) stop?.();
		deps.mcp.close();
		connections.endAll(CLOSE_CODES.restart, "The server restarts.");
		connections.close();
		token.close();
		codes.clear();
		await reach.close();
		await Promise.all([http.close(), app.close()]);
	}

	return {
		async start() {
			await app.ready();
			addresses.setPort(await http.listen(config));
			await reach.start();
			notifier.start();
		},
		drain,
		close: async () => void (await Promise.all([drain(), terminals.close()])),
		url: addresses.baseUrl,
		port: addresses.port,
		loginLink: (onSpent) => `${addresses.localLinkUrl()}/#code=${codes.create({ onSpent }).code}`,
		broadcast: (frame) => connections.broadcast(frame),
		statusChanged,
		audit,
		...forOtherHosts({ ...deps, app, caller, terminals, workdir }),
		http: app,
	};
}

const gateOf = ({ behindProxy, publicUrl }: WebConfig, reach: ReturnType<typeof createReach>) =>
	createGate({
		...{ behindProxy, publicOrigins: publicUrl === undefined ? [] : [publicUrl] },
		...{ pairedOrigins: reach.origins, trialOrigin: reach.trial.origin },
	});

/** What other hosts of the fleet may ask of this channel. */
function forOtherHosts(
	deps: Pick<WebChannelDeps, "conversations" | "shell" | "roots" | "folders" | "audit" | "clock"> & {
		app: FastifyInstance;
		caller: FleetCaller;
		terminals: Terminals;
		workdir(): string;
	},
): Pick<WebChannel, "serve" | "hostTerminals"> {
	const { terminals, audit, clock } = deps;
	return {
		serve: serveFleet(deps.app, deps.caller),
		hostTerminals: createHostTerminals({ terminals, cwdFor: terminalFolders(deps), audit, clock }),
	};
}
