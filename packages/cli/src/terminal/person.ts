import { createInterface } from "node:readline";
import type { CommandContext } from "../commands/command.ts";

/** Somebody at a terminal who is asked one thing at a time. */
export interface Person {
	/** Asks, and again until the answer is taken; several are asked one after the other. */
	ask(id: string, lines: readonly string[], take: (typed: string) => boolean): void;
	/** Answered elsewhere. */
	forget(id: string): void;
	close(): void;
}

export interface PersonEvents {
	/** Ctrl-C while one types. */
	onInterrupt(): void;
	/** Ctrl-D: not answered here. What is asked later is asked all the same. */
	onDeclined(): void;
}

interface Asked {
	id: string;
	lines: readonly string[];
	take: (typed: string) => boolean;
}

/** What the terminal holds of what was typed before comes within this. */
export const DROPPED_MS = 50;

/** Words go to standard error: standard output is the answer's. */
export function createPerson({ stdin, stderr }: Pick<CommandContext, "stdin" | "stderr">, events: PersonEvents): Person {
	const waiting: Asked[] = [];
	let open: { id: string; close(): void } | undefined;

	function next(): void {
		const [ask] = waiting;
		if (open !== undefined || ask === undefined) return;
		open = { id: ask.id, close: dropTyped(stdin, () => show(ask)) };
	}

	function show(ask: Asked): void {
		stderr.write(`\n${ask.lines.join("\n")}\n`);
		const line = createInterface({ input: stdin, output: stderr, prompt: "> " });
		line.on("SIGINT", events.onInterrupt);
		line.on("close", () => {
			if (open?.id !== ask.id) return;
			stderr.write("\n");
			events.onDeclined();
			forget(ask.id);
		});
		line.on("line", (typed) => {
			if (ask.take(typed)) forget(ask.id);
			else line.prompt();
		});
		open = { id: ask.id, close: () => line.close() };
		line.prompt();
	}

	function forget(id: string): void {
		const index = waiting.findIndex((ask) => ask.id === id);
		if (index >= 0) waiting.splice(index, 1);
		if (open?.id !== id) return;
		const closing = open;
		open = undefined;
		closing.close();
		stdin.pause();
		next();
	}

	return {
		ask(id, lines, take) {
			if (waiting.some((known) => known.id === id)) return;
			waiting.push({ id, lines, take });
			next();
		},
		forget,
		close() {
			waiting.splice(0);
			const closing = open;
			open = undefined;
			closing?.close();
		},
	};
}

/** What was typed before a question could be read is no answer to it: a `y` would allow what nobody has seen. The result ends it. */
function dropTyped(stdin: CommandContext["stdin"], then: () => void): () => void {
	const drop = () => undefined;
	stdin.on("data", drop);
	const stop = () => {
		clearTimeout(timer);
		stdin.off("data", drop);
		// Left open, it would keep the command from ending.
		stdin.pause();
	};
	const timer = setTimeout(() => {
		stop();
		then();
	}, DROPPED_MS);
	return stop;
}
