import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { CopilotClient } from "@github/copilot-sdk";
import type { Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import { createMemoryLedger, type MemoryLedger } from "../../core/kernel/memory-ledger.ts";
import { createRedactor } from "../../core/kernel/redact.ts";
import { withTimeout } from "../../core/kernel/with-timeout.ts";
import type { AgentRuntime, RuntimeHealth } from "../../core/ports/agent-runtime.ts";
import type { TryServer } from "../../core/ports/agent-setup.ts";
import type { Folders } from "../../core/ports/folders.ts";
import type { ModelAccount, ModelAccounts } from "../../core/ports/model-account.ts";
import type { TrustedFolders } from "../../core/ports/trusted-folders.ts";
import type { Markers } from "../markers.ts";
import { createOpenSessions, isSessionId } from "../open-sessions.ts";
import { AUTH_LIMIT_MS, checkAccount, checkGitHubToken } from "./account/check-account.ts";
import { createCurrentAccount } from "./account/current-account.ts";
import { createCliSessions } from "./cli/cli-sessions.ts";
import { createTryServer } from "./mcp/try-server.ts";
import { agentDirectories, runtimeProcess, watchExit, watchOutput } from "./process/client-options.ts";
import { healthMessage } from "./process/health-message.ts";
import { createMarkedClient } from "./process/marked-client.ts";
import { readVitals } from "./process/process-vitals.ts";
import { createSupervisor } from "./process/supervisor.ts";
import type { MemoryLimits } from "./process/watch-memory.ts";
import { commandsWith } from "./session/commands.ts";
import { createCopilotSession, type OpenedSession } from "./session/copilot-session.ts";
import { copySession, formingOf } from "./session/copy-session.ts";
import { listCopilotModels, type ProviderSettings } from "./session/models.ts";
import { listProfiles } from "./session/profiles.ts";
import { choicesOf } from "./session/session-modes.ts";
import { toTurnError } from "./turn/turn-error.ts";

export interface CopilotRuntimeDeps {
	/** Agent state goes to `agent` below it. */
	home: string;
	githubToken?: string;
	provider?: ProviderSettings;
	/** The bundled scripted model; also what answers when there is neither token nor provider. */
	demo?: boolean;
	defaultModel?: string;
	systemPrompt?: string;
	memory?: MemoryLimits;
	/** The bound over buffers, here over events that wait for the reader of their turn; one of its own without it. */
	ledger?: MemoryLedger;
	folders: Pick<Folders, "look">;
	/** Folders whose hooks, servers, skills, agents and commands may run; none without it. */
	trusted?: Pick<TrustedFolders, "isTrusted">;
	/** What its processes are found by. */
	markers: Markers;
	clock: Clock;
	logger: Logger;
	env: Record<string, string | undefined>;
	/** Takes keys and tokens out of errors that people or logs will see. */
	redact?(text: string): string;
}

export interface CopilotRuntime extends AgentRuntime, ModelAccounts {
	tryServer: TryServer;
	/** The one client of this server, started; the same one until the runtime had to be restarted. */
	getClient(): Promise<CopilotClient>;
	/** Starts at boot. Rejects with `runtime-start-failed` or `runtime-token-refused`. */
	start(): Promise<void>;
}

const NONE_TRUSTED = { isTrusted: () => false };
const ALL_CAPABILITIES = { resume: true, steer: true, models: true, images: true, sharedShell: true, asides: true, compacts: true };
/** What the demo pilot says is scripted. */
const DEMO_CAPABILITIES = { ...ALL_CAPABILITIES, asides: false, compacts: false };

/** The agent behind the conversations: one Copilot runtime process for the whole server. */
export function createCopilotRuntime(deps: CopilotRuntimeDeps): CopilotRuntime {
	const { clock, logger } = deps;
	const ledger = (deps.ledger ?? createMemoryLedger()).account("agent");
	const directories = agentDirectories(deps.home);
	const redact = deps.redact ?? createRedactor([deps.githubToken, deps.provider?.key]).line;
	const sessions = createOpenSessions<OpenedSession>();
	const cli = createCliSessions({ sessions: directories.sessions, env: deps.env, logger });
	const listeners = new Set<(health: RuntimeHealth) => void>();
	const account = createCurrentAccount({
		first: firstAccount(deps),
		clock,
		defaultModel: deps.defaultModel,
		async listCopilot(gitHubToken) {
			const { client } = await supervisor.lease();
			const listed = listCopilotModels(client, { gitHubToken, defaultModel: deps.defaultModel });
			return withTimeout(listed, { clock, ms: AUTH_LIMIT_MS, late: modelsLate });
		},
	});

	const supervisor = createSupervisor<CopilotClient>({
		provider: () => account.get().kind,
		clock,
		logger,
		watchExit,
		watchOutput,
		memory: deps.memory ?? { replaceAboveBytes: Number.POSITIVE_INFINITY, endAboveBytes: Number.POSITIVE_INFINITY },
		async vitals(client) {
			const pid = runtimeProcess(client)?.pid;
			return pid === undefined ? undefined : readVitals(pid);
		},
		createClient: () => createMarkedClient({ home: deps.home, env: deps.env }, deps.markers, clock),
	});

	const tryServer = createTryServer({ clock, lease: () => supervisor.lease() });
	const getClient = async () => (await supervisor.lease()).client;

	return {
		getClient,
		tryServer,
		capabilities: () => (account.get().kind === "demo" ? DEMO_CAPABILITIES : ALL_CAPABILITIES),
		async start() {
			const client = await getClient().catch((error: unknown) => {
				if (!(error instanceof AppError) || error.code !== "runtime-start-failed") throw error;
				const { cause } = error;
				const because = cause instanceof Error ? cause.message : String(cause);
				throw new AppError("runtime-start-failed", healthMessage.neverStarted(because), { cause, params: { reason: "at-boot", because } });
			});
			const { gitHubToken } = account.get();
			if (gitHubToken !== undefined) await checkGitHubToken({ client, gitHubToken, clock, redact });
		},
		check: (wanted) => checkAccount(wanted, { getClient, clock, redact }),
		connect(wanted) {
			account.connect(wanted);
			for (const listener of listeners) listener(supervisor.health());
		},
		listModels: () => account.get().listModels(),
		commands: commandsWith,
		profiles: (cwd) => listProfiles(cwd, { getClient, folders: deps.folders, trusted: deps.trusted ?? NONE_TRUSTED }),
		choices: () => choicesOf(account.get().efforts()),
		...cli,
		async openSession(given) {
			const options = await cli.follow(given, sessions.close);
			const { kind, gitHubToken, provider, isReplaced } = account.get();
			return sessions.open(options.sessionId, (onClosed) =>
				createCopilotSession({
					options,
					...{ clock, logger, account: ledger, provider, isReplaced },
					lease: () => supervisor.lease(),
					...{ folders: deps.folders, trusted: deps.trusted ?? NONE_TRUSTED },
					...{ spills: directories.spills, tryServer },
					isDemo: kind === "demo",
					...(deps.systemPrompt === undefined ? {} : { systemPrompt: deps.systemPrompt }),
					...(gitHubToken === undefined ? {} : { gitHubToken }),
					describe: (error) => toTurnError(error, { kind, redact }),
					redact,
					onClosed,
				}),
			);
		},
		async forkSession(fork) {
			if (!isSessionId(fork.sessionId) || !isSessionId(fork.newSessionId)) return undefined;
			return (await copySession(directories.sessions, fork)) ? fork.newSessionId : undefined;
		},
		async deleteSession(sessionId) {
			if (!isSessionId(sessionId)) return;
			await sessions.close(sessionId);
			if (supervisor.health().state === "ready") {
				const late = () => new AppError("session-failed", "no answer");
				await withTimeout((await getClient()).deleteSession(sessionId), { clock, ms: AUTH_LIMIT_MS, late }).catch((error: unknown) =>
					logger.debug({ sessionId, err: String(error) }, "The runtime knew nothing of a session to delete"),
				);
			}
			// A resting runtime must not keep what a person deleted.
			const session = join(directories.sessions, sessionId);
			for (const folder of [session, formingOf(session)]) await rm(folder, { recursive: true, force: true });
		},
		health: () => supervisor.health(),
		onHealth(listener) {
			const off = supervisor.onHealth(listener);
			listeners.add(listener);
			return () => {
				off();
				listeners.delete(listener);
			};
		},
		wake: () => supervisor.reset(),
		async close() {
			await supervisor.close(sessions.closeAll);
			await account.close();
		},
	};
}

function firstAccount({ demo, provider, githubToken }: CopilotRuntimeDeps): ModelAccount {
	if (demo === true) return { kind: "demo" };
	if (provider !== undefined) return { kind: "own", ...provider };
	return githubToken === undefined ? { kind: "demo" } : { kind: "copilot", token: githubToken };
}

const modelsLate = () =>
	new AppError("provider-unreachable", "GitHub Copilot did not list its models in time. Check the network and try again.", {
		retryable: true,
	});
