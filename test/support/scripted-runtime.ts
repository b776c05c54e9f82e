import type { ContextPicture } from "@rightseat/protocol/http/context";
import { AppError } from "../../packages/server/src/core/kernel/errors.ts";
import type {
	AgentCapabilities,
	AgentRuntime,
	AgentSession,
	OpenSession,
	RuntimeHealth,
	SessionChoices,
	SessionSettings,
	TurnEvent,
	TurnInput,
} from "../../packages/server/src/core/ports/agent-runtime.ts";
import type { OpenSetup } from "../../packages/server/src/core/ports/agent-setup.ts";
import type { ListedSession } from "../../packages/server/src/core/ports/listed-sessions.ts";

/** One turn under the test's control. */
export interface ScriptedTurn {
	readonly sessionId: string;
	readonly input: TurnInput;
	readonly signal: AbortSignal;
	readonly steered: TurnInput[];
	readonly options: OpenSession;
	/** The agent has a mark for the prompt. */
	taken(mark: string): void;
	emit(...events: TurnEvent[]): void;
	/** `turn-end` with this outcome; the shortest way to finish. */
	end(outcome?: "completed" | "aborted" | "error" | "interrupted", error?: { code: string; message: string }): void;
	text(content: string, messageId?: string): void;
}

export interface ScriptedRuntime extends AgentRuntime {
	/** Resolves with the next turn that is started and was not taken yet. */
	nextTurn(): Promise<ScriptedTurn>;
	readonly opened: OpenSession[];
	readonly closed: string[];
	readonly deleted: string[];
	readonly modelChanges: { sessionId: string; model: string }[];
	/** How the provider answers when it is asked for its models. */
	models: "listed" | "unlisted" | "rejects";
	/** What its sessions can do: everything, unless the test says otherwise. */
	able: AgentCapabilities;
	/** Sub-agents that work for whatever turn runs, until they are stopped. */
	readonly subAgents: Set<string>;
	/** What it answers when it is asked apart from the history; undefined: it cannot be asked. */
	aside: ((question: string) => Promise<string | undefined>) | undefined;
	/** What it says of its context; undefined: it says nothing. */
	context: (() => Promise<ContextPicture | undefined>) | undefined;
	/** What its sessions make of `/name`, and which they tell; undefined: they know of none. */
	expand: AgentSession["expand"] | undefined;
	offers: AgentSession["commands"] | undefined;
	/** Whether it summarises its history when it is told to. */
	compacting: boolean;
	/** What its sessions tell of what they were given; undefined: nothing. */
	setup: OpenSetup | undefined;
	/** What its sessions can be set to; undefined: not known yet. */
	offered: SessionChoices | undefined;
	/** The sessions that it keeps, a page each. */
	listed: ListedSession[];
	/** What its open sessions were told to take. */
	readonly applied: SessionSettings[];
	/** Ids that it gives its sessions begin with this; empty: they have the conversation's own. */
	sessionPrefix: string;
	/** The next openSession does not find the history that there was. */
	loseNextHistory(): void;
	/** Changes its health and tells whoever listens. */
	setHealth(health: RuntimeHealth): void;
	/** What its open sessions were opened with holds no more. */
	outdate(): void;
	/** The next openSession rejects with this. */
	failNextOpen(error: Error): void;
	/** The next openSession waits until the result is called. */
	holdNextOpen(): () => void;
}

/** An agent behind the port that does what a test says, for what the real runtime cannot be made to do on cue. */
export function createScriptedRuntime(): ScriptedRuntime {
	const turns: ScriptedTurn[] = [];
	const waiting: ((turn: ScriptedTurn) => void)[] = [];
	const opened: OpenSession[] = [];
	const closed: string[] = [];
	const deleted: string[] = [];
	const modelChanges: { sessionId: string; model: string }[] = [];
	const applied: SessionSettings[] = [];
	/** End what runs when the runtime is closed. */
	const endings = new Set<() => void>();
	const listeners = new Set<(health: RuntimeHealth) => void>();
	let current: RuntimeHealth = { state: "ready", provider: "byok" };
	let losesHistory = false;
	let generation = 0;
	let openFailure: Error | undefined;
	let openGate: Promise<void> | undefined;

	function session(options: OpenSession, sessionId: string, opened: AgentSession["opened"]): AgentSession {
		let running: ScriptedTurn | undefined;
		const ownGeneration = generation;
		return {
			isOutdated: () => generation !== ownGeneration,
			sessionId,
			opened,
			async *run(input, signal, taken) {
				if (signal.aborted) {
					yield { kind: "turn-end", outcome: "aborted" };
					return;
				}
				const queue: TurnEvent[] = [];
				let wake: () => void = () => undefined;
				const interrupt = () => turn.end("interrupted");
				const emit = (...events: TurnEvent[]) => {
					queue.push(...events);
					if (events.some((event) => event.kind === "turn-end")) running = undefined;
					wake();
				};
				const turn: ScriptedTurn = {
					sessionId,
					input,
					signal,
					steered: [],
					options,
					taken: (mark) => taken?.(mark),
					emit,
					end: (outcome = "completed", error) => emit({ kind: "turn-end", outcome, ...(error === undefined ? {} : { error }) }),
					text: (content, messageId = "m1") => emit({ kind: "text-delta", messageId, content }),
				};
				running = turn;
				endings.add(interrupt);
				const taker = waiting.shift();
				if (taker === undefined) turns.push(turn);
				else taker(turn);
				signal.addEventListener("abort", () => turn.end("aborted"), { once: true });
				for (;;) {
					const event = queue.shift();
					if (event === undefined) {
						await new Promise<void>((resolve) => {
							wake = resolve;
						});
						continue;
					}
					yield event;
					if (event.kind === "turn-end") {
						endings.delete(interrupt);
						return;
					}
				}
			},
			async steer(input) {
				if (running === undefined) throw new AppError("not-running", "No turn runs.");
				running.steered.push(input);
			},
			stopAgent: async (agentId) => running !== undefined && runtime.subAgents.delete(agentId),
			...(runtime.aside === undefined ? {} : { askAside: runtime.aside }),
			...(runtime.expand === undefined ? {} : { expand: runtime.expand }),
			...(runtime.offers === undefined ? {} : { commands: runtime.offers }),
			...(runtime.context === undefined ? {} : { lookAtContext: runtime.context }),
			compacts: () => runtime.compacting,
			...(runtime.setup === undefined ? {} : { setup: runtime.setup }),
			async setModel(model) {
				modelChanges.push({ sessionId, model });
			},
			async apply(settings) {
				applied.push(settings);
			},
			async close() {
				closed.push(sessionId);
				running?.end("aborted");
			},
		};
	}

	const runtime: ScriptedRuntime = {
		opened,
		closed,
		deleted,
		modelChanges,
		outdate() {
			generation += 1;
		},
		failNextOpen(error) {
			openFailure = error;
		},
		holdNextOpen() {
			let open: () => void = () => undefined;
			openGate = new Promise((resolve) => {
				open = resolve;
			});
			return () => open();
		},
		nextTurn() {
			const turn = turns.shift();
			return turn === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(turn);
		},
		subAgents: new Set(),
		able: { resume: true, steer: true, models: true, images: true, sharedShell: true },
		capabilities: () => runtime.able,
		aside: undefined,
		context: undefined,
		expand: undefined,
		offers: undefined,
		compacting: true,
		setup: undefined,
		offered: { modes: [], efforts: [] },
		choices: () => runtime.offered,
		applied,
		sessionPrefix: "",
		loseNextHistory() {
			losesHistory = true;
		},
		setHealth(health) {
			current = health;
			for (const listener of listeners) listener(health);
		},
		models: "listed",
		async listModels() {
			if (runtime.models === "rejects") throw new Error("no network");
			if (runtime.models === "unlisted")
				return { state: "unlisted", models: [{ id: "default", name: "A stand-in" }], default: "default", because: "HTTP 500" };
			return {
				state: "listed",
				models: [
					{ id: "model-a", name: "Model A" },
					{ id: "model-b", name: "Model B" },
				],
				default: "model-a",
			};
		},
		async openSession(options) {
			const failure = openFailure;
			openFailure = undefined;
			if (failure !== undefined) throw failure;
			opened.push(options);
			const gate = openGate;
			openGate = undefined;
			await gate;
			const isLost = losesHistory && options.previous !== null;
			losesHistory = false;
			if (options.previous !== null && !isLost) return session(options, options.previous, "resumed");
			const sessionId = runtime.sessionPrefix === "" ? options.sessionId : `${runtime.sessionPrefix}${opened.length}`;
			return session(options, sessionId, isLost ? "lost" : "new");
		},
		listed: [],
		async listSessions({ cursor }) {
			const at = Number(cursor ?? 0);
			return { sessions: runtime.listed.slice(at, at + 1), ...(at + 1 < runtime.listed.length ? { nextCursor: String(at + 1) } : {}) };
		},
		async deleteSession(sessionId) {
			deleted.push(sessionId);
		},
		health: () => current,
		onHealth(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		wake: () => undefined,
		async close() {
			for (const end of endings) end();
		},
	};
	return runtime;
}
