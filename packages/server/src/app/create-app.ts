import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "@rightseat/shell/environment/child-env";
import { createChangeTracker } from "../changes/create-change-tracker.ts";
import { createMcpChannel } from "../channels/mcp/create-mcp-channel.ts";
import { createWebChannel, type WebChannel } from "../channels/web/create-web-channel.ts";
import { createRememberedPermissions } from "../core/asks/remembered/remembered-permissions.ts";
import type { CoreConfig } from "../core/conversations/core-deps.ts";
import { createCore } from "../core/conversations/create-conversations.ts";
import { systemClock } from "../core/kernel/clock.ts";
import { randomIds } from "../core/kernel/ids.ts";
import { isolateTimers } from "../core/kernel/isolate.ts";
import { createMemoryLedger } from "../core/kernel/memory-ledger.ts";
import type { Redactor } from "../core/kernel/redact.ts";
import type { ModelAccount } from "../core/ports/model-account.ts";
import type { Store } from "../core/ports/store.ts";
import { createSchedules } from "../core/schedules/schedules.ts";
import { createAgents } from "../runtime/agents/create-agents.ts";
import { createCopilotRuntime } from "../runtime/copilot/create-copilot-runtime.ts";
import { createMarkers } from "../runtime/markers.ts";
import { removeAttachment } from "../services/attachments/attachment-file.ts";
import { createAttachments } from "../services/attachments/attachments.ts";
import { createFolderTrust } from "../services/folder-setup/folder-trust.ts";
import { forkGitProcess } from "../services/git/fork-git-process.ts";
import { createGitClient } from "../services/git/git-client.ts";
import { createAgentSetups } from "../services/mcp-servers/agent-setups.ts";
import { createPersonServers } from "../services/mcp-servers/person-servers.ts";
import type { GhLogin } from "../services/model-account/gh-login.ts";
import { createModelAccount } from "../services/model-account/model-account.ts";
import { createPresence } from "../services/presence/presence.ts";
import { createSeenAgents } from "../services/settings/seen-agents.ts";
import { createSettings, decideFirstRun } from "../services/settings/settings.ts";
import { createFolderClient } from "../services/work-roots/folder-client.ts";
import { forkFolderProcess } from "../services/work-roots/fork-folder-process.ts";
import { createWorkRoots } from "../services/work-roots/work-roots.ts";
import { createWorktrees, worktreeFolder } from "../services/worktrees/worktrees.ts";
import { createShell } from "../shell/service/create-shell.ts";
import { openStore } from "../store/open-store.ts";
import { createAuditLog } from "../store/tables/audit-log.ts";
import { createTrustedFolders } from "../store/tables/trusted-folder-store.ts";
import { createAcpRuntimes } from "./acp-runtimes.ts";
import { type Config, secretNames } from "./config/config.ts";
import { createFileModes } from "./home/file-modes.ts";
import { findInstallPaths } from "./home/install-paths.ts";
import { ownFiles } from "./home/own-files.ts";
import { createParts } from "./lifecycle.ts";
import type { AppLogger } from "./logging/logger.ts";
import { createLanCertificates } from "./reach/lan-certificates.ts";
import { createReachStore } from "./reach/reach-file.ts";
import { accessTo, attachmentsFor, createTelegram } from "./telegram.ts";
import { createToolRegistry } from "./tool-registry.ts";

/** A running Rightseat. */
export interface App {
	url: string;
	port: number;
	/** A link that logs in once, for ten minutes. */
	loginUrl(onSpent?: () => void): string;
	close(): Promise<void>;
}

/** How long running turns may go on after a shutdown began. */
const CLOSE_GRACE_MS = 3_000;

/** The only place that wires: the parts in the order in which they need each other. They start in this order and end in reverse. */
export async function createApp(
	config: Config,
	{ logger, redactor, tell, gh }: { logger: AppLogger; redactor: Redactor; tell: (sentence: string) => void; gh: GhLogin },
): Promise<App> {
	const shared = { clock: isolateTimers(systemClock, logger), ids: randomIds, logger };
	const { home } = config;
	const paths = findInstallPaths();
	const own = ownFiles(home);
	const parts = createParts(shared);
	const memory = createMemoryLedger(config.memoryMb * 1_048_576);
	try {
		const opened = parts.add("store", openStore({ path: join(home, "rightseat.db"), tell, ...shared }));
		const { store, sql } = opened;
		const folders = parts.add(
			"folders",
			createFolderClient({ ...shared, hidden: own, start: (listener) => forkFolderProcess(paths.foldersEntry, listener) }),
		);
		const markers = createMarkers(home);
		const agentDeps = { ...shared, home, markers, folders, ledger: memory, env: process.env, redact: redactor.line };
		const trusted = createTrustedFolders(sql, shared.clock);
		const runtime = createCopilotRuntime({ ...config, ...agentDeps, trusted });
		// Without a configured token it starts with the first conversation that needs it: what was connected on the page is mended there.
		const mustStart = config.githubToken !== undefined && config.accountFrom === "configuration";
		parts.add("runtime", mustStart ? runtime : { close: runtime.close });
		const acp = parts.add("ACP", createAcpRuntimes(agentDeps));
		const settings = createSettings(store.settings, { permissions: config.permissions, firstRun: firstRunOf(config, store) });
		const agents = parts.add(
			"agents",
			createAgents({
				...{ copilot: runtime, configured: config.agents, programs: folders, path: process.env.PATH ?? "", ...shared },
				wanted: () => settings.get().defaultAgent || config.defaultAgent,
				load: acp.load,
				seen: createSeenAgents(store.settings, logger),
			}),
		);
		const shell = parts.add(
			"shell",
			createShell({ home, logger, secrets: secretNames(), marks: markers.run, shelldPath: paths.shelldEntry }),
		);
		const childEnv = childEnvironment(process.env, secretNames());
		const tracker = parts.add(
			"changes",
			createChangeTracker({ home: join(home, "changes"), excluded: own, entry: paths.trackerdEntry, env: childEnv, ...shared }),
		);
		const git = parts.add("git", createGitClient({ ...shared, start: (listener) => forkGitProcess(paths.gitEntry, childEnv, listener) }));
		const worktrees = parts.add("worktrees", createWorktrees({ home, git, sql, ...shared }));
		// Without roots everything is allowed; with them our own work trees are, too.
		const roots = createWorkRoots(config.roots.length === 0 ? [] : [...config.roots, worktreeFolder(home)], homedir(), folders);
		const attachments = createAttachments({ home, store: store.attachments, ...shared });
		const presence = createPresence();
		const audit = createAuditLog({ sql, ...shared, redact: redactor.line });
		const folderTrust = createFolderTrust({ roots, folders, audit, trusted });
		const remembered = createRememberedPermissions({ rules: store.permissionRules, folders, audit, redact: redactor.text, ...shared });
		const personServers = createPersonServers({ home, configured: config.mcpServers, hide: redactor.hide });
		const agentSetups = createAgentSetups({ person: personServers, folders, trusted });
		const tools = createToolRegistry();
		// Not even loaded without one.
		const fleets = config.fleet && (await import("./fleet/app-fleet.ts")).prepareFleet(config.fleet, { sql, ...shared });
		const { conversations, setups, hostLog } = createCore({
			...{ setups: agentSetups, store, agents, shell, tracker, redactor, audit, memory, remembered, chains: fleets?.chains, ...shared },
			directories: { resolve: (path) => roots.check(path) },
			config: coreConfig(config, settings),
			extraTools: tools.of,
			discardFiles: async (files) => {
				for (const file of files) await removeAttachment(file);
			},
			isOwnUpload: attachments.isOwn,
			isWatched: presence.watched,
			copyAttachment: attachments.copy,
		});
		parts.add("conversations", { drain: () => conversations.close(CLOSE_GRACE_MS), close: () => undefined });
		const schedules = parts.add("schedules", createSchedules({ store, conversations, redactor, audit, ...shared, loadTimetable }));
		parts.add("file modes", createFileModes({ home, conversations, logger }));
		const fleet = fleets?.create({
			...{ conversations, hostLog, shell, attachments, audit, memory, presence, home, version: paths.version, web: () => web },
		});
		const reach = createReachStore(home);
		const telegram = await createTelegram(config, fleet, {
			...{ conversations, schedules, remembered, agents, shell, folders, folderTrust, sql, memory, ...shared },
			agentCommands: setups.commands,
			publicUrl: () => config.publicUrl ?? reach.current()?.url,
			presence: { isLooking: presence.watched },
			attachments: attachmentsFor(attachments, store),
			redact: redactor.text,
		});
		if (telegram !== undefined) tools.add(telegram.tools);
		const mcp = createMcpChannel({ conversations, sql, audit, hide: redactor.hide, ...shared });
		const modelAccount = createModelAccount({
			home,
			first: accountOf(config),
			...{ from: config.accountFrom, login: config.accountLogin, gh },
			accounts: runtime,
			hide: redactor.hide,
		});
		const web: WebChannel = parts.add(
			"web",
			createWebChannel({
				...{ conversations: fleet?.everywhere.conversations ?? conversations, everywhere: fleet?.everywhere },
				...{ agents, shell, store, sql, settings, modelAccount, folders, folderTrust, remembered, git, worktrees, schedules, roots },
				setup: { conversations: setups, personServers, tryServer: runtime.tryServer },
				...{ attachments, presence, redactor, audit, mcp, memory, reach, ...shared },
				lanCertificates: createLanCertificates(home),
				...{ storageHealth: opened.health, onStorageHealth: opened.onHealth },
				config: { ...config, tls: readTls(config.tls), webRoot: paths.pageDir, version: paths.version },
				telegram: telegram && accessTo(telegram),
			}),
		);
		// After the page, whose routes answer other hosts.
		if (fleet !== undefined) parts.add("fleet", fleet.part);
		// After the page: whoever is told something by the bot can open it.
		if (telegram !== undefined) parts.add("telegram", telegram);
		await parts.start();
		return { url: web.url(), port: web.port(), loginUrl: web.loginLink, close: parts.close };
	} catch (error) {
		await parts.close();
		throw error;
	}
}

/** What a person changes while the server runs is asked every time. */
function coreConfig(config: Config, settings: ReturnType<typeof createSettings>): CoreConfig {
	return {
		...{ askTimeoutMs: config.askTimeoutMs, maxTurns: config.maxTurns },
		workdir: () => settings.get().workdir || config.workdir,
		defaultModel: () => settings.get().defaultModel || config.defaultModel,
		permissions: () => settings.get().permissions,
		titles: () => config.titles === "model",
	};
}

/** A demo is a look: it asks for nothing. */
function firstRunOf({ accountFrom }: Config, store: Pick<Store, "settings" | "conversations">) {
	if (accountFrom === "demo-flag") return "done";
	return decideFirstRun(store.settings, { isUsed: store.conversations.list({ limit: 1 }).rows.length > 0 });
}

function accountOf({ provider, githubToken }: Config): ModelAccount {
	if (provider !== undefined) return { kind: "own", ...provider };
	return githubToken === undefined ? { kind: "demo" } : { kind: "copilot", token: githubToken };
}

/** Few have schedules, and every start is waited for. */
const loadTimetable = async () => (await import("../services/timetable/croner-timetable.ts")).createCronerTimetable();

const readTls = (tls: Config["tls"]) => tls && { cert: readFileSync(tls.certFile, "utf8"), key: readFileSync(tls.keyFile, "utf8") };
