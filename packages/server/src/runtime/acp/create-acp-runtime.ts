import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { isolate } from "../../core/kernel/isolate.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import { createMemoryLedger, type MemoryLedger } from "../../core/kernel/memory-ledger.ts";
import type { AgentCapabilities, AgentRuntime, RuntimeHealth } from "../../core/ports/agent-runtime.ts";
import type { Folders } from "../../core/ports/folders.ts";
import type { Markers } from "../markers.ts";
import { createOpenSessions } from "../open-sessions.ts";
import { ACP_LIMITS, type AcpDefinition, type AcpLimits } from "./acp-definition.ts";
import { describeHealth, type HealthInput, NEVER_STARTED, nextHealth, REST_MS, restOf } from "./health-state.ts";
import type { ToolServer } from "./mcp/tool-server.ts";
import { quirksOf } from "./quirks.ts";
import { createAcpSession, type OpenedAcpSession } from "./session/acp-session.ts";
import type { AgentInfo } from "./session/agent-info.ts";
import type { ProcessWatch } from "./session/attachment.ts";
import { borrowConnection } from "./session/borrow-connection.ts";
import type { Connection } from "./session/connection.ts";
import { forkAgentSession } from "./session/fork-session.ts";
import { listSessions } from "./session/list-sessions.ts";
import { choicesOf } from "./session/modes.ts";
import { modelsOf, type Options } from "./session/options.ts";
import { createProcessSlots } from "./session/process-slots.ts";

export interface AcpRuntimeDeps {
	definition: AcpDefinition;
	/** Our tools, for every session of every agent. */
	toolServer: Pick<ToolServer, "open">;
	/** Of the server: its processes are marked, so that the next server of the same home finds what this one left. */
	markers: Pick<Markers, "next">;
	folders?: Pick<Folders, "look">;
	/** The bound over buffers, here over what an agent said and nobody has fetched yet; one of its own without it. */
	ledger?: MemoryLedger;
	clock: Clock;
	logger: Logger;
	/** Takes keys and tokens out of what people or logs will see of an agent's words. */
	redact(text: string): string;
	/** Of the server; what is ours in it does not reach the agent. */
	env: Record<string, string | undefined>;
	limits?: Partial<AcpLimits>;
}

/** One kind of agent that speaks ACP. Nothing is started before a session is opened; each session has a process of its own. */
export function createAcpRuntime(deps: AcpRuntimeDeps): AgentRuntime {
	const { definition, clock, logger, markers } = deps;
	const { name } = definition;
	const limits: AcpLimits = { ...ACP_LIMITS, ...deps.limits };
	const quirks = quirksOf(definition);
	const slots = createProcessSlots(limits.maxProcesses);
	const account = (deps.ledger ?? createMemoryLedger()).account("agent");
	const sessions = createOpenSessions<OpenedAcpSession>();
	const health = createHealth(name, { clock, logger });
	let info: AgentInfo | undefined;
	let options: Options | undefined;

	const watch: ProcessWatch = {
		begin: health.begin,
		started(now) {
			info = now;
			health.change({ kind: "started", version: now.version });
		},
		notStarted: (error) => health.change({ kind: "not-started", error, at: clock.elapsed() }),
		ended: (error) => health.change({ kind: "ended", at: clock.elapsed(), ...(error === undefined ? {} : { error }) }),
	};

	function capabilities(): AgentCapabilities {
		if (info === undefined) return definition.expected ?? UNKNOWN;
		return {
			resume: info.canResume || info.canLoad,
			steer: info.canSteer,
			models: (options?.model?.values.length ?? 0) > 0,
			images: info.hasImages,
			sharedShell: info.hasHttp,
		};
	}

	function borrow<T>(cwd: string, work: (connection: Connection) => Promise<T>): Promise<T> {
		const { redact, env } = deps;
		return borrowConnection({ definition, limits, clock, logger, account, redact, env, slots, watch, cwd, markers }, work);
	}

	const offered = () => (options === undefined ? undefined : { models: options.model?.values, choices: choicesOf(options, quirks) });

	return {
		capabilities,
		async listModels() {
			const models = modelsOf(name, options?.model);
			if (options !== undefined) return { state: "listed", models, default: "" };
			return { state: "unlisted", models, default: "", because: `${name} names its models when it is open for the first time.` };
		},
		choices: () => offered()?.choices,
		openSession: (wanted) =>
			sessions.open(wanted.sessionId, (onClosed) =>
				createAcpSession({
					...{ definition, quirks, limits, clock, logger, redact: deps.redact, env: deps.env, slots, watch, options: wanted },
					...{ markers, folders: deps.folders, toolServer: deps.toolServer, account },
					onOptions(now) {
						const before = JSON.stringify(offered());
						options = now;
						if (JSON.stringify(offered()) !== before) health.tell();
					},
					onPrompt: (error) => health.change(error === undefined ? { kind: "answered" } : { kind: "refused", error }),
					onClosed,
				}),
			),
		async listSessions({ cwd, cursor }) {
			const ask = (connection: Connection) => listSessions(connection, { name, limits, cursor });
			const [live] = sessions.list().flatMap((session) => session.connection() ?? []);
			return live === undefined ? borrow(cwd, ask) : ask(live);
		},
		async forkSession({ sessionId, cwd, cut, isBusy }) {
			// It forks at the end only, and what it makes of a turn that runs nobody has promised.
			if (cut.at !== "end" || isBusy || info?.canFork === false) return undefined;
			return borrow(cwd, (connection) => forkAgentSession(connection, { name, limits, sessionId, cwd }));
		},
		// It is the agent's own, and may have been begun by another program: what it keeps stays with it.
		deleteSession: async () => undefined,
		health: health.now,
		onHealth: health.onChange,
		wake: () => health.change({ kind: "woken" }),
		async close() {
			health.change({ kind: "closed" });
			await sessions.closeAll();
		},
	};
}

const UNKNOWN: AgentCapabilities = { resume: false, steer: false, models: false, images: false, sharedShell: true };

/** The health machine with its listeners and the one timer that ends a rest. */
function createHealth(name: string, { clock, logger }: { clock: Clock; logger: Logger }) {
	const listeners = new Set<(health: RuntimeHealth) => void>();
	let state = NEVER_STARTED;
	let endRest: Cancel = () => undefined;

	const now = () => describeHealth(state, name, clock.elapsed());
	function tell(): void {
		for (const listener of [...listeners]) isolate(logger, "health listener", listener)(now());
	}
	function change(input: HealthInput): void {
		const before = now();
		const wasResting = state.resting;
		state = nextHealth(state, input);
		if (state.resting !== wasResting) {
			endRest();
			endRest = state.resting === undefined ? () => undefined : clock.after(REST_MS, tell);
		}
		if (input.kind === "closed") endRest();
		if (JSON.stringify(now()) !== JSON.stringify(before)) tell();
	}
	return {
		now,
		tell,
		change,
		/** Throws when the agent rests or is closed. */
		begin(): void {
			if (state.isClosed) throw new AppError("shutting-down", "The server is being stopped.");
			const rest = restOf(state, name, clock.elapsed());
			if (rest !== undefined) throw rest;
			change({ kind: "starting" });
		},
		onChange(listener: (health: RuntimeHealth) => void): () => void {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}
