import type { CommandEnd, EndCause, FromShelld, KillCause, RunRequest, ToShelld } from "../daemon/shelld-protocol.ts";

/** Commands that run in the shell process: gives each message of it to the command that it is about. */
export interface CommandClient {
	/** Returns the key of the command. */
	run(request: Omit<RunRequest, "key">, events: CommandEvents): string;
	kill(key: string, cause: KillCause): void;
	/** The output of this ended command is no longer needed. */
	drop(key: string): void;
	receive(message: FromShelld): void;
	/** The shell process is gone: every command hears so once. */
	loseAll(reason: string): void;
	/** Commands that somebody waits for, of a conversation or of all. */
	running(conversation?: string): number;
}

/** What happens to one command. After `end` without leftovers, `gone` or `lost` nothing more comes. */
export interface CommandEvents {
	started?(pid: number): void;
	live?: ((text: string) => void) | undefined;
	/** Its time is up and it goes on in the background. */
	promoted?(output: string, durationMs: number): void;
	end(end: CommandEnd): void;
	/** What it left behind has ended, but for the `survivors`, which nothing can end. */
	gone?(cause: EndCause, survivors?: number[]): void;
	watch?(seen: { ports: number[]; tail: string }): void;
	/** The shell process is gone, and the command with it. */
	lost(reason: string): void;
}

/** `send` answers whether the message will get there. */
export function createCommandClient(send: (message: ToShelld) => boolean): CommandClient {
	const commands = new Map<string, { request: RunRequest; events: CommandEvents; waited: boolean }>();
	let keys = 0;

	function onEnd(key: string, end: CommandEnd): void {
		const command = commands.get(key);
		if (command === undefined) return;
		if (end.leftovers.length === 0) commands.delete(key);
		else command.waited = false;
		command.events.end(end);
	}

	function lose(key: string, reason: string): void {
		const command = commands.get(key);
		commands.delete(key);
		command?.events.lost(reason);
	}

	return {
		run(request, events) {
			const key = String(++keys);
			commands.set(key, { request: { ...request, key }, events, waited: !request.background });
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
			const { events } = command;
			switch (message.kind) {
				case "started":
					events.started?.(message.pid);
					return;
				case "live":
					events.live?.(message.text);
					return;
				case "promoted":
					command.waited = false;
					events.promoted?.(message.output, message.durationMs);
					return;
				case "end":
					onEnd(message.key, message.end);
					return;
				case "gone":
					commands.delete(message.key);
					events.gone?.(message.cause, message.survivors);
					return;
				case "watch":
					events.watch?.(message);
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
