import type { PollProblem } from "./inbox/poll-state.ts";

export interface TelegramStatus {
	state: "starting" | "ok" | "degraded" | "token-refused" | "stopped";
	botUsername?: string;
	/** For a person: what is wrong and what to do; `problem` is the same as a code, for readers in another language. */
	message?: string;
	problem?: PollProblem | "token-refused" | "elsewhere" | "no-holder" | "disk";
	/** People who wait to be let in, if any. */
	waiting?: number;
}

/** Health of the channel, and its listeners. */
export interface StatusBoard {
	current(): TelegramStatus;
	set(next: Pick<TelegramStatus, "state" | "message" | "problem">): void;
	/** Telegram said who we are; told with the next state. */
	setUsername(username: string): void;
	/** Somebody waits to be let in, or no longer does. */
	refresh(): void;
	onChange(listener: (status: TelegramStatus) => void): () => void;
}

export function createStatusBoard(countWaiting: () => number): StatusBoard {
	const listeners = new Set<(status: TelegramStatus) => void>();
	let status: TelegramStatus = { state: "starting" };
	let botUsername: string | undefined;

	function set({ state, message, problem }: Pick<TelegramStatus, "state" | "message" | "problem">): void {
		// A poll that was open when the token was refused may still end well; that changes nothing.
		if (status.state === "token-refused" && state !== "stopped" && state !== "token-refused") return;
		const waiting = countWaiting();
		const next: TelegramStatus = { state, botUsername, message, problem, waiting: waiting > 0 ? waiting : undefined };
		if (JSON.stringify(next) === JSON.stringify(status)) return;
		status = next;
		for (const listener of [...listeners]) listener(next);
	}

	return {
		current: () => status,
		set,
		setUsername: (username) => {
			botUsername = username;
		},
		refresh: () => set(status),
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}
