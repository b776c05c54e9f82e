import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { MemoryLedger } from "../../../core/kernel/memory-ledger.ts";
import type { SignalProcess } from "./kill-session.ts";
import { createTerminal, type Terminal, type TerminalView, type Viewer } from "./terminal.ts";
import { terminalEnv } from "./terminal-env.ts";

/** Terminals of the whole server; when all are taken the longest unwatched one gives way. */
export const MAX_TERMINALS = 8;
/** A shell that is still there so long after it was killed is another user's; the server does not wait for it. */
const GIVE_UP_MS = 1_000;

/** A terminal that somebody wants to look at. */
export interface OpenTerminal {
	terminalId: string;
	/** Where it starts; asked only then, and throws when people may not work there. */
	cwd(): string | Promise<string>;
	/** It ends with this conversation. */
	conversationId?: string;
	cols: number;
	rows: number;
}

/** Terminals that live on when nobody looks, for whoever comes back. */
export interface Terminals {
	/** Attaches to the terminal with this id, or starts it. */
	open(request: OpenTerminal, viewer: Viewer): Promise<TerminalView>;
	has(terminalId: string): boolean;
	/** Does this viewer look at it? */
	isWatchedBy(terminalId: string, viewer: Viewer): boolean;
	/** All it has shown; undefined once it has ended. */
	view(terminalId: string): TerminalView | undefined;
	/** These throw `terminal-not-found`. */
	input(terminalId: string, data: string): void;
	resize(terminalId: string, cols: number, rows: number): void;
	end(terminalId: string): void;
	/** Ends every terminal that was opened for this conversation. */
	endOf(conversationId: string): void;
	leave(viewer: Viewer): void;
	/** Ends all of them, and waits until nothing of them can be left. */
	close(): Promise<void>;
}

/** `env` is where the terminals' own environment is picked from; `signal` is `process.kill` unless a test stands in for it. */
export function createTerminals(deps: {
	clock: Clock;
	logger: Logger;
	env: Record<string, string | undefined>;
	memory: MemoryLedger;
	signal?: SignalProcess;
}): Terminals {
	const { clock, logger } = deps;
	const signal: SignalProcess = deps.signal ?? ((pid, name) => void process.kill(pid, name));
	const account = deps.memory.account("terminals");
	const terminals = new Map<string, Terminal>();
	/** Closed ones whose last processes are being ended. */
	const dying = new Set<Promise<void>>();

	function get(terminalId: string): Terminal {
		const terminal = terminals.get(terminalId);
		if (terminal === undefined) throw new AppError("terminal-not-found", "This terminal has ended. Open a new one.");
		return terminal;
	}

	async function start({ terminalId, conversationId, cols, rows, ...request }: OpenTerminal): Promise<Terminal> {
		const cwd = await request.cwd();
		// Loaded at first use: most servers never open a terminal.
		const { spawn } = await import("@lydell/node-pty");
		const raced = terminals.get(terminalId);
		if (raced !== undefined) return raced;
		makeRoom();
		const shell = deps.env.SHELL ?? "/bin/bash";
		const pty = spawn(shell, [], { name: "xterm-256color", cols, rows, cwd, env: terminalEnv(deps.env) });
		const terminal: Terminal = createTerminal({
			pty,
			conversationId,
			clock,
			logger,
			signal,
			account,
			onEnd: () => forget(terminalId, terminal),
		});
		terminals.set(terminalId, terminal);
		return terminal;
	}

	/** Its id may belong to a newer one by now. */
	function forget(terminalId: string, terminal: Terminal): void {
		if (terminals.get(terminalId) === terminal) terminals.delete(terminalId);
	}

	/** A page that lost its ids must not leave shells behind that nobody can reach. */
	function makeRoom(): void {
		if (terminals.size < MAX_TERMINALS) return;
		const unwatched = [...terminals].flatMap(([id, terminal]) => {
			const since = terminal.unwatchedSince();
			return since === undefined ? [] : [{ id, terminal, since }];
		});
		const oldest = unwatched.toSorted((a, b) => a.since - b.since)[0];
		if (oldest === undefined) {
			throw new AppError("too-many-terminals", `${MAX_TERMINALS} terminals are open. Close one first.`, { params: { max: MAX_TERMINALS } });
		}
		close(oldest.id, oldest.terminal);
	}

	/** Gone at once for whoever types; who looks is told when its shell has ended. */
	function close(terminalId: string, terminal: Terminal): void {
		terminals.delete(terminalId);
		kill(terminal);
	}

	function kill(terminal: Terminal): void {
		const killed = terminal.kill();
		dying.add(killed);
		void killed.then(() => dying.delete(killed));
	}

	return {
		async open(request, viewer) {
			const terminal = terminals.get(request.terminalId) ?? (await start(request));
			const view = terminal.view();
			terminal.join(viewer);
			return view;
		},
		has: (terminalId) => terminals.has(terminalId),
		isWatchedBy: (terminalId, viewer) => terminals.get(terminalId)?.isWatchedBy(viewer) ?? false,
		view: (terminalId) => terminals.get(terminalId)?.view(),
		input: (terminalId, data) => get(terminalId).input(data),
		resize: (terminalId, cols, rows) => get(terminalId).resize(cols, rows),
		end(terminalId) {
			close(terminalId, get(terminalId));
		},
		endOf(conversationId) {
			for (const [id, terminal] of [...terminals]) if (terminal.conversationId === conversationId) close(id, terminal);
		},
		leave(viewer) {
			for (const terminal of terminals.values()) terminal.leave(viewer);
		},
		async close() {
			const open = [...terminals.values()];
			for (const terminal of open) kill(terminal);
			await Promise.all(dying);
			await Promise.race([
				Promise.all(open.map((terminal) => terminal.ended)),
				new Promise<void>((resolve) => clock.after(GIVE_UP_MS, resolve)),
			]);
		},
	};
}
