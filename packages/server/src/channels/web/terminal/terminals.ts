import type { IPty } from "@lydell/node-pty";
import { cutText, cutTextTail } from "@rightseat/protocol/text";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { isolate } from "../../../core/kernel/isolate.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { killSession, type SessionLeader, type SignalProcess, sessionLeader } from "./kill-session.ts";
import { createScrollback, type Scrollback } from "./scrollback.ts";
import { terminalEnv } from "./terminal-env.ts";

export const MAX_TERMINALS = 8;
const FLUSH_MS = 16;
const MAX_FLUSH_CHARS = 64 * 1024;
/** More than this waiting and the program in the terminal has to wait too. */
const PAUSE_CHARS = 256 * 1024;
const KILL_AFTER_MS = 1_000;
/** A shell that is still there so long after it was killed is another user's; the server does not wait for it. */
const GIVE_UP_MS = 1_000;

/** Someone who looks at a terminal. */
export interface Viewer {
	output(data: string): void;
	exit(exitCode: number | null): void;
}

export interface OpenTerminal {
	terminalId: string;
	/** Where it starts; asked only then, and throws when people may not work there. */
	cwd(): string | Promise<string>;
	/** It ends with this conversation. */
	conversationId?: string;
	cols: number;
	rows: number;
}
export interface TerminalView {
	scrollback: string;
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
	close(): Promise<void>;
}

interface Terminal {
	pty: IPty;
	leader: SessionLeader;
	conversationId: string | undefined;
	scrollback: Scrollback;
	viewers: Set<Viewer>;
	pending: string;
	paused: boolean;
	cancelFlush: Cancel | undefined;
	/** When the last viewer left. */
	unwatchedSince: number;
	ended: Promise<void>;
	/** Settles when nothing of it can be left. */
	killed?: Promise<void>;
}

/** `env` is where the terminals' own environment is picked from; `signal` is `process.kill` unless a test stands in for it. */
export function createTerminals(deps: {
	clock: Clock;
	logger: Logger;
	env: Record<string, string | undefined>;
	signal?: SignalProcess;
}): Terminals {
	const { clock, logger } = deps;
	const signal: SignalProcess = deps.signal ?? ((pid, name) => void process.kill(pid, name));
	const terminals = new Map<string, Terminal>();
	/** Closed ones whose last processes are being ended. */
	const dying = new Set<Promise<void>>();
	const shell = deps.env.SHELL ?? "/bin/bash";

	function get(terminalId: string): Terminal {
		const terminal = terminals.get(terminalId);
		if (terminal === undefined) throw new AppError("terminal-not-found", "This terminal has ended. Open a new one.");
		return terminal;
	}

	async function start(request: OpenTerminal): Promise<Terminal> {
		const cwd = await request.cwd();
		// Loaded at first use: most servers never open a terminal.
		const { spawn } = await import("@lydell/node-pty");
		const raced = terminals.get(request.terminalId);
		if (raced !== undefined) return raced;
		makeRoom();
		const { cols, rows } = request;
		const pty = spawn(shell, [], { name: "xterm-256color", cols, rows, cwd, env: terminalEnv(deps.env) });
		const terminal: Terminal = {
			pty,
			leader: sessionLeader(pty.pid),
			conversationId: request.conversationId,
			scrollback: createScrollback(),
			viewers: new Set(),
			pending: "",
			paused: false,
			cancelFlush: undefined,
			unwatchedSince: clock.elapsed(),
			ended: new Promise((resolve) => pty.onExit(() => resolve())),
		};
		terminals.set(request.terminalId, terminal);
		pty.onData(isolate(logger, "terminal output", (data: string) => take(terminal, data)));
		pty.onExit(isolate(logger, "terminal exit", ({ exitCode }) => ended(request.terminalId, terminal, exitCode)));
		return terminal;
	}

	/** A page that lost its ids must not fill the house with shells nobody can reach. */
	function makeRoom() {
		if (terminals.size < MAX_TERMINALS) return;
		const unwatched = [...terminals].filter(([, terminal]) => terminal.viewers.size === 0);
		unwatched.sort(([, a], [, b]) => a.unwatchedSince - b.unwatchedSince);
		const oldest = unwatched[0];
		if (oldest === undefined) {
			throw new AppError("too-many-terminals", `${MAX_TERMINALS} terminals are open. Close one first.`, { params: { max: MAX_TERMINALS } });
		}
		terminals.delete(oldest[0]);
		kill(oldest[1]);
	}

	function take(terminal: Terminal, data: string) {
		terminal.scrollback.add(data);
		terminal.pending += data;
		if (terminal.pending.length > PAUSE_CHARS && !terminal.paused) {
			terminal.paused = true;
			terminal.pty.pause();
		}
		terminal.cancelFlush ??= clock.after(FLUSH_MS, () => flush(terminal));
	}

	function flush(terminal: Terminal) {
		const data = cutText(terminal.pending, MAX_FLUSH_CHARS);
		terminal.pending = terminal.pending.slice(data.length);
		terminal.cancelFlush = terminal.pending === "" ? undefined : clock.after(FLUSH_MS, () => flush(terminal));
		if (data !== "") for (const viewer of [...terminal.viewers]) viewer.output(data);
		if (terminal.paused && terminal.pending === "") {
			terminal.paused = false;
			terminal.pty.resume();
		}
	}

	/** Before someone gets the whole scrollback: what waits in it must not come a second time. */
	function drain(terminal: Terminal): TerminalView {
		while (terminal.pending !== "") {
			terminal.cancelFlush?.();
			flush(terminal);
		}
		return { scrollback: terminal.scrollback.text(), cols: terminal.pty.cols, rows: terminal.pty.rows };
	}

	function ended(terminalId: string, terminal: Terminal, exitCode: number) {
		terminal.cancelFlush?.();
		for (const viewer of [...terminal.viewers]) {
			if (terminal.pending !== "") viewer.output(cutTextTail(terminal.pending, MAX_FLUSH_CHARS));
			viewer.exit(exitCode);
		}
		if (terminals.get(terminalId) === terminal) terminals.delete(terminalId);
	}

	function kill(terminal: Terminal) {
		killSession(terminal.leader, "SIGHUP", signal);
		if (terminal.killed !== undefined) return;
		// Also when the shell has ended by then: what ignored the hangup has not.
		const killed = new Promise<void>((resolve) => {
			clock.after(KILL_AFTER_MS, () => {
				const survivors = killSession(terminal.leader, "SIGKILL", signal);
				if (survivors.length > 0) {
					const message = "Processes of another user outlive the terminal in which they were started. End them as that user.";
					logger.warn({ pids: survivors }, message);
				}
				resolve();
			});
		});
		terminal.killed = killed;
		dying.add(killed);
		void killed.then(() => dying.delete(killed));
	}

	return {
		async open(request, viewer) {
			const terminal = terminals.get(request.terminalId) ?? (await start(request));
			const view = drain(terminal);
			terminal.viewers.add(viewer);
			return view;
		},
		has: (terminalId) => terminals.has(terminalId),
		isWatchedBy: (terminalId, viewer) => terminals.get(terminalId)?.viewers.has(viewer) ?? false,
		view(terminalId) {
			const terminal = terminals.get(terminalId);
			return terminal === undefined ? undefined : drain(terminal);
		},
		input: (terminalId, data) => get(terminalId).pty.write(data),
		resize: (terminalId, cols, rows) => get(terminalId).pty.resize(cols, rows),
		end: (terminalId) => kill(get(terminalId)),
		endOf(conversationId) {
			for (const terminal of terminals.values()) if (terminal.conversationId === conversationId) kill(terminal);
		},
		leave(viewer) {
			for (const terminal of terminals.values()) {
				if (terminal.viewers.delete(viewer)) terminal.unwatchedSince = clock.elapsed();
			}
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
