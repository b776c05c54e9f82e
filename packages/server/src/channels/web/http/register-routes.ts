import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import type { RememberedPermissions } from "../../../core/asks/remembered/remembered-permissions.ts";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import type { OtherHosts } from "../../../core/fleet/everywhere.ts";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { IdSource } from "../../../core/kernel/ids.ts";
import type { MemoryLedger } from "../../../core/kernel/memory-ledger.ts";
import type { Agents } from "../../../core/ports/agents.ts";
import type { AuditLog } from "../../../core/ports/audit.ts";
import type { Folders } from "../../../core/ports/folders.ts";
import type { Schedules } from "../../../core/schedules/schedules.ts";
import type { Attachments } from "../../../services/attachments/attachments.ts";
import type { FolderTrust } from "../../../services/folder-setup/folder-trust.ts";
import type { Git } from "../../../services/git/git-client.ts";
import type { ModelAccountStore } from "../../../services/model-account/model-account.ts";
import type { AppSettingsStore } from "../../../services/settings/settings.ts";
import type { WorkRoots } from "../../../services/work-roots/work-roots.ts";
import type { Worktrees } from "../../../services/worktrees/worktrees.ts";
import type { Addresses } from "../addresses.ts";
import type { Credentials } from "../auth/credentials.ts";
import type { Lock } from "../auth/lock.ts";
import type { FleetCaller } from "../fleet/fleet-caller.ts";
import { relayToHosts } from "../fleet/relay.ts";
import { sourcesOf } from "../fleet/who-asks.ts";
import { registerStaticPage } from "../page/static-page.ts";
import type { PushSubscriptions } from "../push/push-subscriptions.ts";
import type { PushSender } from "../push/web-push-sender.ts";
import type { Reach } from "../reach/reach.ts";
import { createMarkdownLoader } from "../share/load-markdown.ts";
import { registerShareRoutes } from "../share/share-routes.ts";
import type { Shares } from "../share/shares.ts";
import type { WebConfig } from "../web-config.ts";
import type { AppStatus } from "../ws/app-status.ts";
import type { AccessGuard } from "./access-guard.ts";
import type { LimitedServer } from "./http-server.ts";
import { registerAppRoutes } from "./routes/app.ts";
import { registerAttachmentRoutes } from "./routes/attachments.ts";
import { registerChangeRoutes } from "./routes/changes.ts";
import { registerContextRoutes } from "./routes/context.ts";
import { registerConversationRoutes } from "./routes/conversations.ts";
import { registerCredentialRoutes } from "./routes/credentials.ts";
import { registerFileRoutes } from "./routes/files.ts";
import { registerFleetRoutes } from "./routes/fleet.ts";
import { registerFolderRoutes } from "./routes/folders.ts";
import { type GitRoutesDeps, registerGitRoutes } from "./routes/git.ts";
import { registerInboxRoutes } from "./routes/inbox.ts";
import { registerLockRoutes } from "./routes/lock.ts";
import { registerLoginRoutes } from "./routes/login.ts";
import { type McpAccess, registerMcpRoutes } from "./routes/mcp.ts";
import { registerModelAccountRoutes } from "./routes/model-account.ts";
import { registerPermissionRoutes } from "./routes/permissions.ts";
import { registerPushRoutes } from "./routes/push.ts";
import { registerReachRoutes } from "./routes/reach.ts";
import { registerScheduleRoutes } from "./routes/schedules.ts";
import { registerSetupRoutes, type SetupAccess, type SetupRoutesDeps } from "./routes/setup.ts";
import { registerTelegramRoutes, type TelegramAccess } from "./routes/telegram.ts";
import { registerUsageRoutes } from "./routes/usage.ts";
import { registerWorktreeRoutes } from "./routes/worktrees.ts";

/** Every route of the server, a line each; what it needs is named there. */
export function registerRoutes<Credential extends object>(
	app: FastifyInstance,
	deps: {
		config: Pick<WebConfig, "version" | "webRoot" | "publicUrl">;
		/** Of a new conversation. */
		workdir(): string;
		modelAccount: ModelAccountStore;
		addresses: Addresses;
		credentials: Credentials;
		guard: AccessGuard;
		lock: Lock;
		endEverything(except?: string): void;
		hold: LimitedServer["hold"];
		conversations: EveryConversations;
		agents: Pick<Agents, "default" | "list" | "installable" | "find" | "refresh">;
		status: AppStatus;
		settings: AppSettingsStore;
		roots: WorkRoots;
		git: Git;
		worktrees: Worktrees;
		schedules: Schedules;
		problemOf: GitRoutesDeps["problemOf"];
		redactor: GitRoutesDeps["redactor"] & SetupRoutesDeps["redactor"];
		folders: Folders;
		folderTrust: FolderTrust;
		remembered: Pick<RememberedPermissions, "list" | "revoke">;
		setup: SetupAccess;
		attachments: Attachments;
		subscriptions: PushSubscriptions;
		sender: PushSender;
		telegram: TelegramAccess | undefined;
		mcp: McpAccess<Credential>;
		trust: LimitedServer["trust"];
		reach: Reach;
		audit: AuditLog;
		clock: Clock;
		ids: IdSource;
		/** In a fleet. */
		everywhere: OtherHosts | undefined;
		caller: FleetCaller;
		memory: MemoryLedger;
		shares: Shares;
	},
): void {
	const { config, conversations, audit, guard, settings, status, agents, roots, folders, telegram, sender, subscriptions } = deps;
	const { port, linkUrl } = deps.addresses;
	const { addressOf } = guard;
	const { caller, everywhere } = deps;
	const sourceOf = (request: { raw: IncomingMessage }) => caller.current()?.from ?? addressOf(request.raw);
	const login = { ...deps.credentials, audit, port, linkUrl, addressOf, hold: deps.hold, endEverything: deps.endEverything };

	// What another host asks is about this one.
	const askAll = () => (caller.current() === undefined ? everywhere?.askAll : undefined);

	if (everywhere !== undefined) {
		relayToHosts(app, {
			everywhere,
			conversations,
			caller,
			ids: deps.ids,
			whoOf: (request) => ({ origin: "web", from: sourcesOf(sourceOf(request), request.identity).farSource }),
		});
	}
	registerFleetRoutes(app, { everywhere, audit, sourceOf });
	registerLoginRoutes(app, login);
	registerCredentialRoutes(app, login);
	registerLockRoutes(app, { lock: deps.lock, audit, sourceOf });
	registerReachRoutes(app, { reach: deps.reach, configured: config.publicUrl, audit, sourceOf });
	const markdown = createMarkdownLoader();
	registerConversationRoutes(app, {
		markdown,
		attachments: deps.attachments,
		...{ conversations, worktrees: deps.worktrees, roots, workdir: deps.workdir, sourceOf },
		searchHosts: everywhere?.search,
		listHosts: everywhere && ((page) => (caller.current() === undefined ? everywhere.list(page) : everywhere.ownList(page))),
	});
	registerWorktreeRoutes(app, { conversations, worktrees: deps.worktrees, audit, sourceOf });
	registerInboxRoutes(app, conversations);
	registerScheduleRoutes(app, { schedules: deps.schedules, sourceOf, askAll });
	registerChangeRoutes(app, { conversations, sourceOf });
	registerContextRoutes(app, { conversations, sourceOf });
	registerUsageRoutes(app, { conversations, sourceOf, askAll });
	registerAppRoutes(app, { agents, status, settings, roots, audit, version: config.version, prove: deps.reach.trial.prove, sourceOf });
	registerModelAccountRoutes(app, { modelAccount: deps.modelAccount, settings, audit, sourceOf });
	registerFileRoutes(app, { conversations, roots, folders, workdir: deps.workdir });
	registerFolderRoutes(app, { folderTrust: deps.folderTrust, sourceOf });
	registerPermissionRoutes(app, { remembered: deps.remembered, sourceOf });
	registerSetupRoutes(app, { setup: deps.setup, workdir: deps.workdir, redactor: deps.redactor, audit, sourceOf });
	registerGitRoutes(app, {
		conversations,
		folders,
		git: deps.git,
		audit,
		sourceOf,
		problemOf: deps.problemOf,
		redactor: deps.redactor,
	});
	registerAttachmentRoutes(app, { attachments: deps.attachments, memory: deps.memory });
	registerShareRoutes(app, { conversations, shares: deps.shares, audit, markdown, sourceOf });
	registerPushRoutes(app, { sender, subscriptions, audit, sourceOf });
	registerMcpRoutes(app, { mcp: deps.mcp, guard, trust: deps.trust, audit, sourceOf });
	registerTelegramRoutes(app, { telegram, conversations, audit, sourceOf });
	registerStaticPage(app, {
		...{ webRoot: config.webRoot, clock: deps.clock },
		// The cookie alone: an answer that depended on a token would let anybody try tokens without a limit.
		isLoggedIn: ({ cookie, host }) => guard.authenticator.authenticate({ cookie, host }).ok,
	});
}
