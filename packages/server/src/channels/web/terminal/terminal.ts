import type { IPty } from "@lydell/node-pty";
import { cutText, cutTextTail } from "@rightseat/protocol/text";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { isolate } from "../../../core/kernel/isolate.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { MemoryAccount } from "../../../core/kernel/memory-ledger.ts";
import { killSession, type SignalProcess, sessionLeader } from "./kill-session.ts";
import { createScrollback } from "./scrollback.ts";

const FLUSH_MS = 16;
const MAX_FLUSH_CHARS = 64 * 1024;
/** High-water mark: with more than this waiting the program in the terminal has to wait too. */
const PAUSE_CHARS = 256 * 1024;
const KILL_AFTER_MS = 1_000;

/** Someone who looks at a terminal. */
export interface Viewer {
	output(data: string): void;
	exit(exitCode: number | null): void;
}

/** What a viewer gets when it comes: all that is still known of the output, and the size of the window. */
export interface TerminalView {
	scrollback: string;
	cols: number;
	rows: number;
}

/** One shell in a pseudo terminal, with its scrollback and whoever looks at it. */
export interface Terminal {
	readonly conversationId: string | undefined;
	/** Settles when the shell has ended. */
	readonly ended: Promise<void>;
	/** All it has shown; viewers get first what waited for them, so that nothing comes a second time. */
	view(): TerminalView;
	join(viewer: Viewer): void;
	/** False if this one did not look. */
	leave(viewer: Viewer): boolean;
	isWatchedBy(viewer: Viewer): boolean;
	/** When the last viewer left; undefined while somebody looks. */
	unwatchedSince(): number | undefined;
	input(data: string): void;
	resize(cols: number, rows: number): void;
	/** Ends everything in it; settles when nothing of it can be left. Twice is once. */
	kill(): Promise<void>;
}

/** Takes a freshly started pty into care. `onEnd` is called once, after the viewers were told. */
export function createTerminal(deps: {
	pty: IPty;
	conversationId: string | undefined;
	clock: Clock;
	logger: Logger;
	signal: SignalProcess;
	/** Of all terminals together. */
	account: Pick<MemoryAccount, "add">;
	onEnd(): void;
}): Terminal {
	const { pty, clock, logger, signal } = deps;
	const leader = sessionLeader(pty.pid);
	const viewers = new Set<Viewer>();
	const output = createPacedOutput({
		clock,
		pty,
		account: deps.account,
		deliver: (data) => viewers.forEach((viewer) => void viewer.output(data)),
	});
	const ended = new Promise<void>((resolve) => pty.onExit(() => resolve()));
	let unwatchedSince = clock.elapsed();
	let killed: Promise<void> | undefined;

	pty.onData(isolate(logger, "terminal output", output.add));
	pty.onExit(
		isolate(logger, "terminal exit", ({ exitCode }) => {
			output.end();
			for (const viewer of [...viewers]) viewer.exit(exitCode);
			deps.onEnd();
		}),
	);

	/** Also when the shell has ended by then: what ignored the hangup has not. */
	function killSurvivors(): void {
		const pids = killSession(leader, "SIGKILL", signal);
		if (pids.length === 0) return;
		logger.warn({ pids }, "Processes of another user outlive the terminal in which they were started. End them as that user");
	}

	return {
		conversationId: deps.conversationId,
		ended,
		view() {
			output.drain();
			return { scrollback: output.scrollback(), cols: pty.cols, rows: pty.rows };
		},
		join: (viewer) => void viewers.add(viewer),
		leave(viewer) {
			const wasHere = viewers.delete(viewer);
			if (wasHere) unwatchedSince = clock.elapsed();
			return wasHere;
		},
		isWatchedBy: (viewer) => viewers.has(viewer),
		unwatchedSince: () => (viewers.size === 0 ? unwatchedSince : undefined),
		input: (data) => pty.write(data),
		resize: (cols, rows) => pty.resize(cols, rows),
		kill() {
			killSession(leader, "SIGHUP", signal);
			killed ??= new Promise<void>((resolve) => clock.after(KILL_AFTER_MS, resolve)).then(killSurvivors);
			return killed;
		},
	};
}

/** Output in pieces of at most 64 Ki characters, one a frame of the screen; a program that writes faster is paused (backpressure). */
function createPacedOutput(deps: {
	clock: Clock;
	pty: Pick<IPty, "pause" | "resume">;
	account: Pick<MemoryAccount, "add">;
	deliver(data: string): void;
}) {
	const { clock, pty, deliver } = deps;
	const scrollback = createScrollback();
	let pending = "";
	let isPaused = false;
	let cancelFlush: Cancel | undefined;
	let counted = 0;

	function count(chars: number): void {
		deps.account.add(2 * (chars - counted));
		counted = chars;
	}

	function flush(): void {
		const data = cutText(pending, MAX_FLUSH_CHARS);
		pending = pending.slice(data.length);
		cancelFlush = pending === "" ? undefined : clock.after(FLUSH_MS, flush);
		count(scrollback.chars() + pending.length);
		if (data !== "") deliver(data);
		if (isPaused && pending === "") {
			isPaused = false;
			pty.resume();
		}
	}

	return {
		scrollback: () => scrollback.text(),
		add(data: string): void {
			scrollback.add(data);
			pending += data;
			count(scrollback.chars() + pending.length);
			if (pending.length > PAUSE_CHARS && !isPaused) {
				isPaused = true;
				pty.pause();
			}
			cancelFlush ??= clock.after(FLUSH_MS, flush);
		},
		drain(): void {
			while (pending !== "") {
				cancelFlush?.();
				flush();
			}
		},
		/** The shell has ended: the last piece goes out now. */
		end(): void {
			cancelFlush?.();
			if (pending !== "") deliver(cutTextTail(pending, MAX_FLUSH_CHARS));
			pending = "";
			count(0);
		},
	};
}
