import { AppError } from "../../../packages/server/src/core/kernel/errors.ts";
import type {
	AgentRuntime,
	AgentSession,
	OpenSession,
	TurnEvent,
	TurnInput,
} from "../../../packages/server/src/core/ports/agent-runtime.ts";

/** One turn of the agent, under the plan's control. */
export interface SimulatedTurn {
	readonly sessionId: string;
	readonly input: TurnInput;
	readonly signal: AbortSignal;
	readonly options: OpenSession;
	/** Hears no stop. */
	isDeaf: boolean;
	/** Goes on after its end: says so again, and more. */
	isLiar: boolean;
	emit(...events: TurnEvent[]): void;
	end(outcome: "completed" | "error"): void;
	/** Its program dies: what is being read from it ends, with an error or without a word. */
	die(how: "throws" | "returns"): void;
}

export interface SimulatedAgent extends AgentRuntime {
	/** Turns that run. */
	readonly turns: ReadonlySet<SimulatedTurn>;
	/** The next session cannot be opened. */
	failNextOpen(): void;
	/** The next session opens so much later. */
	delayNextOpen(ms: number): void;
	/** What comes of the next wish to copy a session, and when. */
	nextFork(what: "forks" | "cannot" | "fails", afterMs: number): void;
	/** Copies of sessions that it has. */
	readonly forked: ReadonlySet<string>;
}

/** What an agent keeps on its own disk: it outlives every process. */
export interface AgentMemory {
	readonly sessions: Set<string>;
	/** Those among them that are copies. */
	readonly forked: Set<string>;
}

/** An agent behind the port that does what the plan says. It is a child of the server and dies with it. */
export function createSimulatedAgent(deps: {
	memory: AgentMemory;
	isAlive(): boolean;
	after(ms: number, run: () => void): void;
	/** The agent has this prompt: from here on it acts on it. */
	onPrompt(prompt: string): void;
}): SimulatedAgent {
	const turns = new Set<SimulatedTurn>();
	let failsNext = false;
	let delayMs = 0;
	let nextFork: { what: "forks" | "cannot" | "fails"; afterMs: number } = { what: "forks", afterMs: 0 };

	function session(options: OpenSession, sessionId: string, opened: AgentSession["opened"]): AgentSession {
		let running: SimulatedTurn | undefined;
		return {
			sessionId,
			opened,
			async *run(input, signal, taken) {
				if (signal.aborted) {
					yield { kind: "turn-end", outcome: "aborted" };
					return;
				}
				deps.memory.sessions.add(sessionId);
				deps.onPrompt(input.prompt);
				taken?.(`mark of ${turns.size}`);
				const { turn, events } = createTurn({ sessionId, input, signal, options });
				running = turn;
				turns.add(turn);
				signal.addEventListener("abort", () => {
					if (!turn.isDeaf) turn.emit({ kind: "turn-end", outcome: "aborted" });
				});
				try {
					yield* events;
				} finally {
					turns.delete(turn);
					running = undefined;
				}
			},
			async steer(input) {
				if (running === undefined) throw new AppError("not-running", "No turn runs.");
				deps.onPrompt(input.prompt);
			},
			compacts: () => true,
			setModel: async () => undefined,
			apply: async () => undefined,
			async close() {
				running?.emit({ kind: "turn-end", outcome: "aborted" });
			},
		};
	}

	return {
		turns,
		failNextOpen() {
			failsNext = true;
		},
		delayNextOpen(ms) {
			delayMs = ms;
		},
		nextFork(what, afterMs) {
			nextFork = { what, afterMs };
		},
		forked: deps.memory.forked,
		async forkSession({ sessionId, newSessionId }) {
			const { what, afterMs } = nextFork;
			nextFork = { what: "forks", afterMs: 0 };
			if (afterMs > 0) await new Promise<void>((resolve) => deps.after(afterMs, resolve));
			if (what === "fails") throw new AppError("runtime-died", "The agent died.");
			if (!deps.isAlive() || what === "cannot" || !deps.memory.sessions.has(sessionId)) return undefined;
			for (const sessions of [deps.memory.sessions, deps.memory.forked]) sessions.add(newSessionId);
			return newSessionId;
		},
		capabilities: () => ({ resume: true, steer: true, models: true, images: true, sharedShell: true }),
		choices: () => ({ modes: [], efforts: [] }),
		listModels: async () => ({ state: "listed", models: [{ id: "model-a", name: "Model A" }], default: "model-a" }),
		async openSession(options) {
			const [fails, wait] = [failsNext, delayMs];
			failsNext = false;
			delayMs = 0;
			if (wait > 0) await new Promise<void>((resolve) => deps.after(wait, resolve));
			if (fails) throw new AppError("runtime-start-failed", "The agent did not start.");
			const { previous } = options;
			if (previous !== null && deps.memory.sessions.has(previous)) return session(options, previous, "resumed");
			return session(options, options.sessionId, previous === null ? "new" : "lost");
		},
		async deleteSession(sessionId) {
			if (deps.isAlive()) for (const sessions of [deps.memory.sessions, deps.memory.forked]) sessions.delete(sessionId);
		},
		health: () => ({ state: "ready", provider: "byok" }),
		onHealth: () => () => undefined,
		wake: () => undefined,
		close: async () => undefined,
	};
}

function createTurn(given: Pick<SimulatedTurn, "sessionId" | "input" | "signal" | "options">): {
	turn: SimulatedTurn;
	events: AsyncGenerator<TurnEvent>;
} {
	const queue: TurnEvent[] = [];
	let wake: () => void = () => undefined;
	let death: "throws" | "returns" | undefined;
	const turn: SimulatedTurn = {
		...given,
		isDeaf: false,
		isLiar: false,
		emit(...events) {
			queue.push(...events);
			wake();
		},
		end: (outcome) =>
			turn.emit({
				kind: "turn-end",
				outcome,
				...(outcome === "error" ? { error: { code: "provider-error", message: "The model failed." } } : {}),
			}),
		die(how) {
			death = how;
			wake();
		},
	};
	async function* read(): AsyncGenerator<TurnEvent> {
		for (;;) {
			const event = queue.shift();
			if (event !== undefined) {
				yield event;
				if (event.kind === "turn-end" && !turn.isLiar) return;
				if (event.kind === "turn-end")
					queue.push({ kind: "text-delta", messageId: "late", content: "after the end" }, { kind: "turn-end", outcome: "error" });
				continue;
			}
			if (death === "throws") throw new AppError("runtime-died", "The agent died.");
			if (death === "returns") return;
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		}
	}
	return { turn, events: read() };
}
