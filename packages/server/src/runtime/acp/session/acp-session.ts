import { randomUUID } from "node:crypto";
import { AppError } from "../../../core/kernel/errors.ts";
import type { AgentSession, TurnEvent, TurnInput } from "../../../core/ports/agent-runtime.ts";
import type { PeerFault } from "../../../mcp/message.ts";
import { acpErrors } from "../acp-errors.ts";
import { createApprovals } from "../asks/permissions.ts";
import { notRunning } from "../turn/prompt-sender.ts";
import { createTurn, type Turn } from "../turn/turn.ts";
import type { SessionUsage, TurnRules } from "../turn/turn-state.ts";
import { type AgentLinkDeps, createAgentLink } from "./agent-link.ts";
import type { Connection } from "./connection.ts";
import { LOGIN_NEEDED } from "./open-session.ts";

export interface AcpSessionDeps extends Omit<AgentLinkDeps, "approvals" | "running" | "model"> {
	/** A prompt was refused because nobody is logged in, or answered. */
	onPrompt(error: AppError | undefined): void;
	onClosed(): void;
}

export interface OpenedAcpSession extends AgentSession {
	/** Starts the agent now instead of at the first turn. */
	open(): Promise<void>;
	reopen(): Promise<void>;
	/** Its process, while it has one. */
	connection(): Connection | undefined;
}

/** What many agents have as a command of their own. */
const COMPACT = "compact";
const COMPACT_PROMPT = { prompt: `/${COMPACT}`, displayPrompt: `/${COMPACT}` };

/** One conversation's session. Survives the death of its process: the next turn resumes it in a new one. */
export function createAcpSession(deps: AcpSessionDeps): OpenedAcpSession {
	const { definition, quirks, limits, clock, options: wanted } = deps;
	const { name } = definition;
	const ourTools = wanted.tools.map((tool) => tool.name);
	const approvals = createApprovals();
	let turn: Turn | undefined;
	let leaveTurn: () => Promise<void> = async () => undefined;
	let usage: SessionUsage | undefined;
	let model = wanted.model;
	let isClosed = false;
	const running = () => (turn === undefined || turn.ended ? undefined : turn);
	const link = createAgentLink({ ...deps, approvals, running, model: () => model });

	/** Nothing is started for a session that is closed, and what was being started is let go with it. */
	async function whileOpen<T>(work: () => Promise<T>): Promise<T> {
		if (isClosed) throw acpErrors.closed();
		const done = await work();
		if (isClosed) throw acpErrors.closed();
		return done;
	}

	function describe({ code, message }: PeerFault): AppError {
		const login = definition.loginCommand ?? link.current?.connection.info.loginCommand;
		if (code !== LOGIN_NEEDED) return acpErrors.said(name, deps.redact(message || `error ${code}`));
		const error = acpErrors.login(name, login);
		deps.onPrompt(error);
		return error;
	}

	async function* run(input: TurnInput, signal: AbortSignal): AsyncGenerator<TurnEvent, void, undefined> {
		if (running() !== undefined) throw new AppError("internal", "A turn is running on this session already.");
		usage ??= link.opened === "resumed" ? {} : { isNew: true };
		const rules: Omit<TurnRules, "model"> = { name, quirks, ourTools, prefix: randomUUID(), earlier: usage };
		const current = createTurn({
			...{ clock, account: deps.account, limits, drop: link.drop, describe, redact: deps.redact },
			attach: () => whileOpen(link.attachForTurn),
			rules: () => ({ ...rules, model: link.known.model ?? model }),
		});
		turn = current;
		const left = new AbortController();
		leaveTurn = () => {
			left.abort();
			return current.over;
		};
		void current.over.then(() => {
			usage = current.usage;
			approvals.endTurn();
			deps.slots.idle();
		});
		current.start(input.task === "compact" ? COMPACT_PROMPT : input, AbortSignal.any([signal, left.signal]));
		try {
			for await (const event of current.events()) {
				if (event.kind === "turn-end" && event.outcome === "completed") deps.onPrompt(undefined);
				yield event;
			}
		} finally {
			left.abort();
		}
	}

	async function close(): Promise<void> {
		isClosed = true;
		await leaveTurn();
		await link.leave();
		deps.onClosed();
	}

	return {
		get sessionId() {
			return link.sessionId ?? wanted.sessionId;
		},
		get opened() {
			return link.opened;
		},
		open: () => whileOpen(link.attach),
		reopen: () => whileOpen(link.attach),
		run,
		async steer(input) {
			if (running() === undefined) throw notRunning();
			await turn?.steer(input);
		},
		async setModel(next) {
			model = next;
			await link.known.setModel(next);
		},
		connection: () => link.current?.connection,
		apply: link.known.apply,
		commands: async () => link.known.commands.map((name) => ({ name, description: "", kind: "agent" })),
		compacts: () => link.known.commands.includes(COMPACT),
		close,
	};
}
