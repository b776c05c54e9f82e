import type { IncomingMessage } from "node:http";
import { homedir } from "node:os";
import type { Duplex } from "node:stream";
import { CLOSE_CODES } from "@rightseat/protocol/close-codes";
import { PROTOCOL_VERSION } from "@rightseat/protocol/version";
import type { FastifyInstance } from "fastify";
import type { ConversationChange } from "../../core/active/conversation-changes.ts";
import type { Conversations } from "../../core/conversations/conversations.ts";
import type { Clock } from "../../core/kernel/clock.ts";
import type { IdSource } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import { createRedactor, type Redactor } from "../../core/kernel/redact.ts";
import type { AgentRuntime } from "../../core/ports/agent-runtime.ts";
import type { AuditLog } from "../../core/ports/audit.ts";
import type { Folders } from "../../core/ports/folders.ts";
import type { Shell } from "../../core/ports/shell.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import type { Store } from "../../core/ports/store.ts";
import { createAttachments } from "../../services/attachments/attachments.ts";
import { createPresence, type Presence } from "../../services/presence/presence.ts";
import type { AppSettingsStore } from "../../services/settings/settings.ts";
import { createWorkRoots } from "../../services/work-roots/work-roots.ts";
import { createAccessToken } from "./auth/access-token.ts";
import { clientAddress } from "./auth/client-address.ts";
import { createAuthenticator } from "./auth/identity.ts";
import { createLock } from "./auth/lock.ts";
import { createLoginCodes } from "./auth/login-codes.ts";
import { createLoginLimiter } from "./auth/login-limiter.ts";
import { createPasskeys } from "./auth/passkeys.ts";
import { createPassword } from "./auth/password.ts";
import { createWebSessions } from "./auth/web-sessions.ts";
import { createGate, OWN_NAME } from "./http/gate.ts";
import { admit, createHttpApp, type Door } from "./http/http-app.ts";
import { createHttpServer } from "./http/http-server.ts";
import { namesAreOurs } from "./http/listen-on-loopback.ts";
import { registerAppRoutes } from "./http/routes/app.ts";
import { registerAttachmentRoutes } from "./http/routes/attachments.ts";
import { registerConversationRoutes } from "./http/routes/conversations.ts";
import { registerCredentialRoutes } from "./http/routes/credentials.ts";
import { registerFileRoutes } from "./http/routes/files.ts";
import { registerLockRoutes } from "./http/routes/lock.ts";
import { registerLoginRoutes } from "./http/routes/login.ts";
import { registerPushRoutes } from "./http/routes/push.ts";
import { registerTelegramRoutes, type TelegramAccess } from "./http/routes/telegram.ts";
import { machineName } from "./machine-name.ts";
import { registerStaticPage } from "./page/static-page.ts";
import { createPushNotifier } from "./push/push-notifier.ts";
import { createPushSubscriptions } from "./push/push-subscriptions.ts";
import { createWebPushSender, type PushSender } from "./push/web-push-sender.ts";
import { createTerminals } from "./terminal/terminals.ts";
import type { WebConfig } from "./web-config.ts";
import { createAppStatus, type StorageHealth } from "./ws/app-status.ts";
import { createConnections, MAX_CONNECTIONS } from "./ws/connections.ts";
import { connectionRouters } from "./ws/create-connection-router.ts";
import type { OutFrame } from "./ws/frames.ts";
import { refuseUpgrade } from "./ws/refuse-upgrade.ts";

export interface WebChannelDeps {
	config: WebConfig;
	conversations: Conversations;
	runtime: Pick<AgentRuntime, "listModels" | "health" | "onHealth" | "wake">;
	shell: Shell;
	store: Pick<Store, "attachments" | "settings">;
	sql: SqlDatabase;
	/** From `createSettings`; core asks it for the default permission mode. */
	settings: AppSettingsStore;
	folders: Folders;
	storageHealth(): StorageHealth;
	audit: AuditLog;
	telegram?: TelegramAccess;
	/** Shared with whoever must not buzz about what is on a screen. */
	presence?: Presence;
	/** Learns every access token there is, and takes it out of frames and errors. */
	redactor?: Redactor;
	/** What terminals pick their environment from; default: ours. */
	env?: Record<string, string | undefined>;
	/** Another way to push services, for tests. */
	pushSender?: PushSender;
	clock: Clock;
	logger: Logger;
	ids: IdSource;
}

/** HTTP, WebSocket and the page. */
export interface WebChannel {
	listen(): Promise<{ url: string; port: number }>;
	/** A login link, single use, ten minutes. */
	loginLink(onSpent?: () => void): string;
	broadcast(frame: OutFrame): void;
	/** Tells every page how the parts are; call it when the storage or Telegram changed. */
	statusChanged(): void;
	readonly audit: AuditLog;
	/** The routes, for tests that must not forget one. */
	readonly http: Pick<FastifyInstance, "printRoutes" | "hasRoute">;
	/** Says `restart` to every socket, ends the terminals and stops listening. */
	close(): Promise<void>;
}

export function createWebChannel(deps: WebChannelDeps): WebChannel {
	const { config, conversations, clock, logger, sql, ids, settings, audit } = deps;
	const redactor = deps.redactor ?? createRedactor([]);
	const limited = createHttpServer(config.tls);
	let port = config.port;
	const scheme = config.tls === undefined ? "http" : "https";
	const baseUrl = () => config.publicUrl?.replace(/\/+$/, "") ?? `${scheme}://${urlHost(config.host)}:${port}`;
	// A name that no other server is opened under: the cookie goes to every port of its host.
	const ownName = config.publicUrl === undefined && config.tls === undefined && namesAreOurs(config.host);
	const linkUrl = () => (ownName ? `http://${OWN_NAME}:${port}` : baseUrl());
	const addressOf = (request: IncomingMessage) => clientAddress(request, config.behindProxy);
	const sourceOf = (request: { raw: IncomingMessage }) => addressOf(request.raw);

	const token = createAccessToken({ home: config.home, clock, logger, hide: redactor.hide });
	const codes = createLoginCodes(clock);
	const limiter = createLoginLimiter(clock);
	const sessions = createWebSessions({ sql, clock, ids, logger, tokenFingerprint: () => token.fingerprint() });
	const status = createAppStatus({
		config,
		runtime: deps.runtime,
		storageHealth: deps.storageHealth,
		telegramStatus: () => deps.telegram?.status(),
		settings,
	});
	const roots = createWorkRoots(config.roots, homedir(), deps.folders);
	const presence = deps.presence ?? createPresence();
	const terminals = createTerminals({ clock, logger, env: deps.env ?? process.env });
	const subscriptions = createPushSubscriptions({ sql, clock, ids });
	const sender = deps.pushSender ?? createWebPushSender(config.home);
	const notifier = createPushNotifier({ conversations, presence, subscriptions, sender, settings: () => settings.get(), logger });
	const publicOrigins = config.publicUrl === undefined ? [] : [config.publicUrl];
	const door: Door = {
		gate: createGate({ behindProxy: config.behindProxy, publicOrigins }),
		authenticator: createAuthenticator({ token, sessions, port: () => port }),
		limiter,
		audit,
		addressOf,
	};
	const connections = createConnections({
		hello: { type: "hello", data: { protocol: PROTOCOL_VERSION, server: config.version, host: machineName() } },
		maxConnections: config.maxSockets ?? MAX_CONNECTIONS,
		clock,
		logger,
		sessions,
		redactor,
		afterCommit: sql.afterCommit,
		sourceOf: addressOf,
		createRouter: connectionRouters({
			conversations,
			shell: deps.shell,
			terminals,
			presence,
			roots,
			folders: deps.folders,
			workdir: config.workdir,
			audit,
			redactor,
			clock,
			logger,
			ids,
		}),
	});
	/** Every login, socket and open code, except those of one session. */
	const endEverything = (except?: string) => {
		// First what needs no disk: one that takes no writes must keep nobody inside.
		codes.clear();
		connections.endUnauthorized((identity) => except === undefined || identity.kind !== "session" || identity.session.id !== except);
		sessions.revokeAll(except);
		subscriptions.removeAll(except);
	};

	const app = createHttpApp({ door, limited, logger, redact: redactor.line, durable: sql.durable });
	const password = createPassword(deps.store.settings);
	const login = {
		token,
		codes,
		password,
		sessions,
		limiter,
		audit,
		port: () => port,
		linkUrl,
		addressOf,
		hold: limited.hold,
		endEverything,
	};
	registerLoginRoutes(app, login);
	const passkeys = createPasskeys({ sql, clock, port: () => port, publicOrigins });
	registerCredentialRoutes(app, { ...login, passkeys });
	const lock = createLock({ ...login, passkeys, subscriptions, telegram: deps.telegram });
	registerLockRoutes(app, { lock, audit, sourceOf });
	registerConversationRoutes(app, { conversations, sourceOf });
	registerAppRoutes(app, { runtime: deps.runtime, status, settings, audit, version: config.version, sourceOf });
	registerFileRoutes(app, { conversations, roots, folders: deps.folders, workdir: config.workdir });
	const attachments = createAttachments({ home: config.home, store: deps.store.attachments, clock, ids });
	registerAttachmentRoutes(app, attachments);
	registerPushRoutes(app, { sender, subscriptions, audit, sourceOf });
	registerTelegramRoutes(app, { telegram: deps.telegram, conversations, audit, sourceOf });
	registerStaticPage(app, {
		...{ webRoot: config.webRoot, clock },
		// The cookie alone: an answer that depended on a token would let anybody try tokens without a limit.
		isLoggedIn: ({ cookie, host }) => door.authenticator.authenticate({ cookie, host }).ok,
	});

	const upgrade = (request: IncomingMessage, raw: Duplex, head: Buffer) => {
		const admission = admit(door, request, { open: false, page: false, upgrade: true });
		if (!admission.ok || admission.identity === null) return refuseUpgrade(raw, admission);
		if (request.url?.split("?", 1)[0] !== "/ws") return refuseUpgrade(raw, 404);
		limited.vouch(request.socket);
		if (!connections.accept(request, raw, head, admission.identity)) refuseUpgrade(raw, 503);
	};
	limited.server.on("upgrade", (request: IncomingMessage, raw: Duplex, head: Buffer) => {
		raw.on("error", () => raw.destroy());
		try {
			upgrade(request, raw, head);
		} catch (error) {
			// The store could not be read: this one is told so, and the server goes on.
			logger.error({ err: error }, "An upgrade failed");
			refuseUpgrade(raw, 503);
		}
	});

	const statusChanged = () => connections.broadcast(status.frame());
	const stops = [
		token.onChange(() => endEverything(lock.keeping())),
		sessions.onEnd((id) => {
			subscriptions.removeOfSession(id);
			codes.removeOf(id);
			connections.endUnauthorized((identity) => identity.kind === "session" && identity.session.id === id);
		}),
		deps.runtime.onHealth(statusChanged),
		deps.telegram?.onStatus?.(statusChanged),
		conversations.onChange((change) => {
			connections.broadcast(conversationFrame(change));
			if (change.kind === "deleted") terminals.endOf(change.id);
			notifier.onChange(change);
		}),
	];

	return {
		async listen() {
			await app.ready();
			port = await limited.listen(config);
			return { url: baseUrl(), port };
		},
		loginLink: (onSpent) => `${linkUrl()}/#code=${codes.create({ onSpent }).code}`,
		broadcast: (frame) => connections.broadcast(frame),
		statusChanged,
		audit,
		http: app,
		async close() {
			for (const stop of stops) stop?.();
			connections.endAll(CLOSE_CODES.restart, "The server restarts.");
			connections.close();
			token.close();
			codes.clear();
			await Promise.all([limited.close(), app.close(), terminals.close()]);
		},
	};
}

/** The conversation whole, and its fields beside it for clients that read the frame's data as the conversation. */
function conversationFrame(change: ConversationChange): OutFrame {
	if (change.kind === "deleted") return { type: "conversation:deleted", data: { conversationId: change.id, id: change.id } };
	const { conversation } = change;
	return { type: `conversation:${change.kind}`, data: { conversationId: conversation.id, conversation, ...conversation } };
}

/** Nobody can open 0.0.0.0; the machine itself can be reached under its loopback address then. */
function urlHost(host: string): string {
	if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
	return host.includes(":") ? `[${host}]` : host;
}
