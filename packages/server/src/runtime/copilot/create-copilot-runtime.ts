import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { CopilotClient, ProviderConfig } from "@github/copilot-sdk";
import type { Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import { createMemoryLedger, type MemoryLedger } from "../../core/kernel/memory-ledger.ts";
import { createRedactor } from "../../core/kernel/redact.ts";
import { withTimeout } from "../../core/kernel/with-timeout.ts";
import type { AgentRuntime, ModelList, RuntimeHealth } from "../../core/ports/agent-runtime.ts";
import type { Folders } from "../../core/ports/folders.ts";
import { type DemoModel, startDemoModel } from "../demo/start-demo-model.ts";
import type { Markers } from "../markers.ts";
import { createOpenSessions, isSessionId } from "../open-sessions.ts";
import { agentDirectories, runtimeProcess, watchExit, watchOutput } from "./process/client-options.ts";
import { healthMessage } from "./process/health-message.ts";
import { createMarkedClient } from "./process/marked-client.ts";
import { readVitals } from "./process/process-vitals.ts";
import { createSupervisor } from "./process/supervisor.ts";
import type { MemoryLimits } from "./process/watch-memory.ts";
import { createCopilotSession, type OpenedSession } from "./session/copilot-session.ts";
import { memoizeTtl } from "./session/memoize-ttl.ts";
import { DEMO_MODEL, listCopilotModels, listProviderModels, type ProviderSettings } from "./session/models.ts";
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
	/** What its processes are found by. */
	markers: Markers;
	clock: Clock;
	logger: Logger;
	env: Record<string, string | undefined>;
	/** Takes keys and tokens out of errors that people or logs will see. */
	redact?(text: string): string;
}

export interface CopilotRuntime extends AgentRuntime {
	/** The one client of this server, started; the same one until the runtime had to be restarted. */
	getClient(): Promise<CopilotClient>;
	/** Starts at boot. Rejects with `runtime-start-failed` or `runtime-token-refused`. */
	start(): Promise<void>;
}

/** Every new session asks for the models; the provider is asked at most this often. */
const MODELS_KEPT_MS = 30_000;
/** A list that failed is asked for again soon, but not for every session that opens: each would wait until the provider's limit. */
const NO_MODELS_KEPT_MS = 3_000;
const ALL_CAPABILITIES = { resume: true, steer: true, models: true, images: true, sharedShell: true };
const AUTH_LIMIT_MS = 15_000;

/** The agent behind the conversations: one Copilot runtime process for the whole server. */
export function createCopilotRuntime(deps: CopilotRuntimeDeps): CopilotRuntime {
	const { clock, logger } = deps;
	const kind = providerKind(deps);
	const account = (deps.ledger ?? createMemoryLedger()).account("agent");
	const directories = agentDirectories(deps.home);
	const redact = deps.redact ?? createRedactor([deps.githubToken, deps.provider?.key]).line;
	const gitHubToken = kind === "copilot" ? deps.githubToken : undefined;
	const sessions = createOpenSessions<OpenedSession>();
	let demo: Promise<DemoModel> | undefined;

	const supervisor = createSupervisor<CopilotClient>({
		provider: kind,
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

	async function provider(): Promise<ProviderConfig | undefined> {
		if (kind === "demo") {
			demo ??= startDemoModel();
			const { url, key } = await demo;
			return { type: "openai", baseUrl: url, apiKey: key };
		}
		if (deps.provider === undefined) return undefined;
		const { type, url, key } = deps.provider;
		return { type, baseUrl: url, ...(key === undefined ? {} : { apiKey: key }) };
	}

	const getClient = async () => (await supervisor.lease()).client;

	async function listModels(): Promise<ModelList> {
		if (kind === "demo") return { state: "listed", models: [DEMO_MODEL], default: DEMO_MODEL.id };
		if (deps.provider !== undefined) return listProviderModels(deps.provider, deps.defaultModel);
		const { client } = await supervisor.lease();
		const listed = listCopilotModels(client, { gitHubToken, defaultModel: deps.defaultModel });
		return withTimeout(listed, { clock, ms: AUTH_LIMIT_MS, late: modelsLate });
	}

	return {
		getClient,
		capabilities: () => ALL_CAPABILITIES,
		async start() {
			const client = await getClient().catch((error: unknown) => {
				if (!(error instanceof AppError) || error.code !== "runtime-start-failed") throw error;
				const { cause } = error;
				const because = cause instanceof Error ? cause.message : String(cause);
				throw new AppError("runtime-start-failed", healthMessage.neverStarted(because), { cause, params: { reason: "at-boot", because } });
			});
			if (gitHubToken === undefined) return;
			const late = () =>
				new AppError("runtime-start-failed", "GitHub did not say within 15 s whether it accepts the token. Check the network.", {
					params: { reason: "github-silent" },
				});
			// The quota is asked for with this very token; the runtime's own login state knows nothing of it.
			await withTimeout(client.rpc.account.getQuota({ gitHubToken }), { clock, ms: AUTH_LIMIT_MS, late }).catch((error: unknown) => {
				if (error instanceof AppError) throw error;
				const because = refusalOf(redact(error instanceof Error ? error.message : String(error)));
				throw new AppError("runtime-token-refused", tokenRefused(because), { params: { because } });
			});
		},
		listModels: memoizeTtl((list) => (list.state === "listed" ? MODELS_KEPT_MS : NO_MODELS_KEPT_MS), clock, listModels),
		openSession(options) {
			return sessions.open(options.sessionId, (onClosed) =>
				createCopilotSession({
					options,
					...{ clock, logger, account },
					provider,
					lease: () => supervisor.lease(),
					folders: deps.folders,
					spills: directories.spills,
					...(deps.systemPrompt === undefined ? {} : { systemPrompt: deps.systemPrompt }),
					...(gitHubToken === undefined ? {} : { gitHubToken }),
					describe: (error) => toTurnError(error, { kind, redact }),
					onClosed,
				}),
			);
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
			await rm(join(directories.sessions, sessionId), { recursive: true, force: true });
		},
		health: () => supervisor.health(),
		onHealth: (listener) => supervisor.onHealth(listener),
		wake: () => supervisor.reset(),
		async close() {
			await supervisor.close(sessions.closeAll);
			if (demo !== undefined) await (await demo).close();
		},
	};
}

function providerKind(deps: CopilotRuntimeDeps): Exclude<RuntimeHealth["provider"], "acp"> {
	if (deps.demo) return "demo";
	if (deps.provider !== undefined) return "byok";
	return deps.githubToken === undefined ? "demo" : "copilot";
}

const modelsLate = () =>
	new AppError("provider-unreachable", "GitHub Copilot did not list its models in time. Check the network and try again.", {
		retryable: true,
	});

function refusalOf(answer: string): string {
	return answer.replace(/^.*failed with message: /s, "").slice(0, 200);
}

function tokenRefused(because: string): string {
	return `GitHub did not accept GITHUB_TOKEN (${because}). Check the token, that the account has Copilot, and the network.`;
}
