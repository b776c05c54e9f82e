import type { CommandEnd, EndCause, FromShelld, RunRequest, ToShelld } from "@rightseat/shell/daemon/shelld-protocol";

/** Commands that run in the shell process, each with those who want to hear of it. */
export interface Runner {
	run(request: Omit<RunRequest, "key">, listener: CommandListener): string;
	kill(key: string, cause: Exclude<EndCause, "exited">): void;
	/** Nobody will ask for the output of this ended command any more. */
	drop(key: string): void;
	receive(message: FromShelld): void;
	/** The shell process is gone: every command hears so once. */
	loseAll(reason: string): void;
	/** Commands that somebody waits for, of a conversation or of all. */
	running(conversation?: string): number;
}

/** After `end` without leftovers, `gone` or `lost` nothing more comes. */
export interface CommandListener {
	started?(pid: number): void;
	live?(text: string): void;
	promoted?(output: string, durationMs: number): void;
	end(end: CommandEnd): void;
	/** `survivors` could not be ended. */
	gone?(cause: EndCause, survivors?: number[]): void;
	watch?(seen: { ports: number[]; tail: string }): void;
	lost(reason: string): void;
}

export function createRunner(send: (message: ToShelld) => boolean): Runner {
	const commands = new Map<string, { request: RunRequest; listener: CommandListener; waited: boolean }>();
	let keys = 0;

	const onEnd = (key: string, end: CommandEnd) => {
		const command = commands.get(key);
		if (command === undefined) return;
		if (end.leftovers.length === 0) commands.delete(key);
		else command.waited = false;
		command.listener.end(end);
	};

	const lose = (key: string, reason: string) => {
		const command = commands.get(key);
		commands.delete(key);
		command?.listener.lost(reason);
	};

	return {
		run(request, listener) {
			const key = String(++keys);
			commands.set(key, { request: { ...request, key }, listener, waited: !request.background });
			// Heard of later, as with every other end: the caller does not have the key yet.
			if (!send({ kind: "run", ...request, key })) queueMicrotask(() => lose(key, "the shell does not take commands now"));
			return key;
		},
		kill(key, cause) {
			if (commands.has(key)) send({ kind: "kill", key, cause });
		},
		drop(key) {
			send({ kind: "drop", key });
		},
		receive(message) {
			if (message.kind === "ready" || message.kind === "reply") return;
			const command = commands.get(message.key);
			if (command === undefined) return;
			const { listener } = command;
			switch (message.kind) {
				case "started":
					listener.started?.(message.pid);
					return;
				case "live":
					listener.live?.(message.text);
					return;
				case "promoted":
					command.waited = false;
					listener.promoted?.(message.output, message.durationMs);
					return;
				case "end":
					onEnd(message.key, message.end);
					return;
				case "gone":
					commands.delete(message.key);
					listener.gone?.(message.cause, message.survivors);
					return;
				case "watch":
					listener.watch?.(message);
					return;
			}
		},
		loseAll(reason) {
			for (const key of [...commands.keys()]) lose(key, reason);
		},
		running(conversation) {
			const waited = [...commands.values()].filter((command) => command.waited);
			return waited.filter(({ request }) => conversation === undefined || request.conversation === conversation).length;
		},
	};
}
