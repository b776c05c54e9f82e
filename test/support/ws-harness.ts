import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClientFrame } from "@rightseat/protocol/frames/client";
import { WebSocket } from "ws";
import { createReachStore } from "../../packages/server/src/app/reach/reach-file.ts";
import { createMcpChannel } from "../../packages/server/src/channels/mcp/create-mcp-channel.ts";
import { createWebChannel, type WebChannel, type WebChannelDeps } from "../../packages/server/src/channels/web/create-web-channel.ts";
import type { WebConfig } from "../../packages/server/src/channels/web/web-config.ts";
import { createRememberedPermissions } from "../../packages/server/src/core/asks/remembered/remembered-permissions.ts";
import type { Conversations } from "../../packages/server/src/core/conversations/conversations.ts";
import { createCore } from "../../packages/server/src/core/conversations/create-conversations.ts";
import { type Clock, systemClock } from "../../packages/server/src/core/kernel/clock.ts";
import { type ConversationId, conversationId, randomIds } from "../../packages/server/src/core/kernel/ids.ts";
import type { Logger } from "../../packages/server/src/core/kernel/logger.ts";
import { createMemoryLedger } from "../../packages/server/src/core/kernel/memory-ledger.ts";
import { createRedactor } from "../../packages/server/src/core/kernel/redact.ts";
import type { AgentRuntime } from "../../packages/server/src/core/ports/agent-runtime.ts";
import type { Agents } from "../../packages/server/src/core/ports/agents.ts";
import { createSchedules } from "../../packages/server/src/core/schedules/schedules.ts";
import { createAttachments } from "../../packages/server/src/services/attachments/attachments.ts";
import { createModelAccount } from "../../packages/server/src/services/model-account/model-account.ts";
import { createPresence } from "../../packages/server/src/services/presence/presence.ts";
import { createSettings } from "../../packages/server/src/services/settings/settings.ts";
import { createCronerTimetable } from "../../packages/server/src/services/timetable/croner-timetable.ts";
import { createWorkRoots } from "../../packages/server/src/services/work-roots/work-roots.ts";
import { createWorktrees } from "../../packages/server/src/services/worktrees/worktrees.ts";
import { type OpenStoreOptions, openStore } from "../../packages/server/src/store/open-store.ts";
import { createAuditLog } from "../../packages/server/src/store/tables/audit-log.ts";
import { agentsOf } from "./agents.ts";
import { createLocalFolders } from "./local-folders.ts";
import { createLocalGit } from "./local-git.ts";
import { createScriptedRuntime, type ScriptedRuntime } from "./scripted-runtime.ts";
import { createScriptedShell, type ScriptedShell } from "./scripted-shell.ts";
import { createScriptedTracker, type ScriptedTracker } from "./scripted-tracker.ts";
import { createSetupParts } from "./setup-parts.ts";
import { writeToken } from "./write-token.ts";

/** The real web channel, core and store on a free port; the agent and the shell do what the test says. */
export interface WebBed {
	channel: WebChannel;
	conversations: Conversations;
	agents: Agents;
	runtime: ScriptedRuntime;
	shell: ScriptedShell;
	tracker: ScriptedTracker;
	home: string;
	url: string;
	port: number;
	token: string;
	/** Every log line: level and message. */
	log: { level: string; fields: object; message: string }[];
	begin(): Promise<ConversationId>;
	/** An authenticated JSON request with the access token. */
	api(path: string, init?: { method?: string; body?: unknown; headers?: Record<string, string> }): Promise<Response>;
	connect(headers?: Record<string, string>): Promise<TestSocket>;
	/** Resolves when no turn runs any more. */
	idle(): Promise<void>;
	/** What is in the database. */
	rows(sql: string): object[];
	close(): Promise<void>;
}

export async function createWebBed(
	options: {
		config?: Partial<WebConfig>;
		clock?: Clock;
		deps?: Partial<WebChannelDeps>;
		/** For the local network; without them this machine is in none. */
		lanCertificates?(home: string): WebChannelDeps["lanCertificates"];
		secrets?: string[];
		/** Agents beside the scripted `copilot`. */
		agents?: Readonly<Record<string, AgentRuntime>>;
		disk?: Pick<OpenStoreOptions, "path" | "syncer">;
	} = {},
): Promise<WebBed> {
	const home = mkdtempSync(join(tmpdir(), "rightseat-web-"));
	writeToken(home);
	const clock = options.clock ?? systemClock;
	const log: WebBed["log"] = [];
	const logger = keepingLogger(log);
	const opened = openStore({ path: ":memory:", ...options.disk, clock, logger, ids: randomIds });
	const runtime = createScriptedRuntime();
	const agents = agentsOf({ copilot: runtime, ...options.agents });
	const redactor = createRedactor(options.secrets ?? []);
	const shell = createScriptedShell();
	const tracker = createScriptedTracker();
	const folders = createLocalFolders(clock);
	const roots = createWorkRoots([home], home, folders);
	const settings = createSettings(opened.store.settings, { permissions: "auto" });
	const audit = createAuditLog({ sql: opened.sql, clock, redact: redactor.line, logger });
	const attachments = createAttachments({ home, store: opened.store.attachments, clock, ids: randomIds });
	const presence = createPresence();
	const parts = createSetupParts({ home, hide: redactor.hide, folders, roots, audit, sql: opened.sql, clock });
	const { conversations, setups } = createCore({
		setups: parts.given,
		store: opened.store,
		agents,
		shell,
		tracker,
		directories: { resolve: (path) => roots.check(path) },
		clock,
		ids: randomIds,
		logger,
		redactor,
		audit,
		isOwnUpload: attachments.isOwn,
		isWatched: presence.watched,
		config: {
			workdir: () => settings.get().workdir || home,
			defaultModel: () => settings.get().defaultModel || undefined,
			permissions: () => settings.get().permissions,
			askTimeoutMs: 120_000,
			maxTurns: 16,
		},
	});
	const loadTimetable = async () => createCronerTimetable();
	const schedules = createSchedules({ store: opened.store, conversations, loadTimetable, redactor, audit, clock, ids: randomIds, logger });
	await schedules.start?.();
	const memory = createMemoryLedger();
	const git = options.deps?.git ?? createLocalGit();
	const mcp = createMcpChannel({ conversations, sql: opened.sql, audit, clock, ids: randomIds, logger, hide: redactor.hide });
	const channel = createWebChannel({
		mcp,
		memory,
		reach: createReachStore(home),
		lanCertificates: options.lanCertificates?.(home) ?? { issue: async () => undefined, forget: () => undefined },
		config: {
			host: "127.0.0.1",
			port: 0,
			behindProxy: false,
			home,
			workdir: home,
			roots: [home],
			webRoot: join(home, "page"),
			version: "0.0.0-test",
			askTimeoutMs: 120_000,
			...options.config,
		},
		...{ conversations, agents, shell, settings, folders, git, schedules, roots, attachments, presence },
		...{ store: opened.store, sql: opened.sql },
		modelAccount: createModelAccount({ home, first: { kind: "demo" }, from: "nothing", accounts: noAccounts, hide: redactor.hide }),
		...parts.access(setups),
		remembered: createRememberedPermissions({
			...{ rules: opened.store.permissionRules, folders, audit, redact: redactor.text, clock, ids: randomIds, logger },
		}),
		worktrees: createWorktrees({ home, git, sql: opened.sql, clock, ids: randomIds, logger }),
		storageHealth: opened.health,
		redactor,
		audit,
		clock,
		logger,
		ids: randomIds,
		env: { PATH: process.env.PATH, HOME: home, SHELL: "/bin/bash" },
		...options.deps,
	});
	await channel.start();
	const [url, port] = [channel.url(), channel.port()];
	const token = readFileSync(join(home, "token"), "utf8").trim();
	const sockets: TestSocket[] = [];
	return {
		channel,
		conversations,
		agents,
		runtime,
		shell,
		tracker,
		home,
		url,
		port,
		token,
		log,
		begin: async () => conversationId((await conversations.create({})).id),
		api: (path, init = {}) =>
			fetch(`${url}${path}`, {
				method: init.method ?? "GET",
				headers: {
					authorization: `Bearer ${token}`,
					...(init.body === undefined ? {} : { "content-type": "application/json" }),
					...init.headers,
				},
				...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
			}),
		async connect(headers = { authorization: `Bearer ${token}` }) {
			const socket = await openSocket(`${url.replace("http", "ws")}/ws`, headers);
			sockets.push(socket);
			return socket;
		},
		idle: () =>
			new Promise((resolve) => {
				const check = () => {
					if (conversations.active().length > 0) return;
					stop();
					resolve();
				};
				const stop = conversations.onChange(check);
				check();
			}),
		rows: (sql) => opened.sql.prepare(sql).all(),
		async close() {
			for (const socket of sockets) socket.ws.terminate();
			await schedules.close();
			await channel.close();
			folders.close();
			await conversations.close(0);
			await opened.close();
			rmSync(home, { recursive: true, force: true });
		},
	};
}

const FRAME_LIMIT_MS = 50_000;

type AnyFrame = { type: string; requestId?: string; data: Record<string, unknown> };

/** A client that keeps what it gets and can wait for a frame. */
export interface TestSocket {
	ws: WebSocket;
	frames: AnyFrame[];
	send(frame: ClientFrame | string): void;
	/** The first frame, past or future, that fits and was not returned before. */
	next(type: string, fits?: (data: AnyFrame["data"]) => boolean): Promise<AnyFrame>;
	closed: Promise<{ code: number; reason: string }>;
}

async function openSocket(url: string, headers: Record<string, string>): Promise<TestSocket> {
	const ws = new WebSocket(url, { headers });
	const frames: AnyFrame[] = [];
	const fresh: AnyFrame[] = [];
	const waiting = new Set<() => void>();
	const timers = new Set<NodeJS.Timeout>();
	// Nobody waits for a frame of a socket that is gone.
	ws.on("close", () => {
		for (const timer of timers) clearTimeout(timer);
	});
	ws.on("message", (data) => {
		const frame: AnyFrame = JSON.parse(String(data));
		frames.push(frame);
		fresh.push(frame);
		for (const check of [...waiting]) check();
	});
	const closed = new Promise<{ code: number; reason: string }>((resolve) =>
		ws.on("close", (code, reason) => resolve({ code, reason: String(reason) })),
	);
	await new Promise<void>((resolve, reject) => {
		ws.once("open", () => resolve());
		ws.once("error", reject);
	});
	return {
		ws,
		frames,
		closed,
		send: (frame) => ws.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
		next: (type, fits = () => true) =>
			new Promise((resolve, reject) => {
				const check = () => {
					const index = fresh.findIndex((frame) => frame.type === type && fits(frame.data));
					const [frame] = index === -1 ? [] : fresh.splice(index, 1);
					if (frame === undefined) return;
					clearTimeout(timer);
					waiting.delete(check);
					resolve(frame);
				};
				// Before the test's own end, which says nothing about what came instead.
				const timer = setTimeout(() => {
					waiting.delete(check);
					reject(new Error(`No ${type} came. The last frames: ${JSON.stringify(frames.slice(-5)).slice(0, 2_000)}`));
				}, FRAME_LIMIT_MS);
				timers.add(timer);
				waiting.add(check);
				check();
			}),
	};
}

/** Enough of everything for any client frame to be well formed. */
export function sampleData(type: string) {
	const common = { conversationId: "none", requestId: "r", messageId: "m", execId: "e", bashId: "b", terminalId: "t" };
	const rest = {
		prompt: "p",
		answer: "a",
		decision: type === "copilot:budget_response" ? "once" : "reject",
		toIndex: 0,
		maxChars: 1,
		command: "true",
		...{ visible: true, approved: false, agentId: "a" },
		action: type === "copilot:form_response" ? "cancel" : "interactive",
	};
	const terminal = { cols: 80, rows: 24, cwd: "/nowhere" };
	const content = type === "terminal:input" ? { data: "x" } : { content: type === "copilot:form_response" ? {} : "c" };
	return { ...common, ...rest, ...terminal, ...content };
}

function keepingLogger(log: WebBed["log"]): Logger {
	const at = (level: string) => (fields: object, message: string) => void log.push({ level, fields, message });
	return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), fatal: at("fatal") };
}

/** Takes every account, and changes nothing. */
const noAccounts = { check: async () => undefined, connect: () => undefined };
