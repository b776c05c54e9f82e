import { createInterface } from "node:readline/promises";

/** Asks whoever sits before the terminal; the answer without blanks around it, empty when there is none. */
export type AskPerson = (question: string) => Promise<string>;

/** Undefined where nobody sits before a terminal. */
export function findPerson(): AskPerson | undefined {
	if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return undefined;
	return async (question) => {
		const terminal = createInterface({ input: process.stdin, output: process.stdout });
		// Ctrl-C belongs to the whole command, and Ctrl-D is no answer; a question alone would wait for ever after either.
		const ended = new Promise<string>((resolve) => {
			terminal.once("SIGINT", () => {
				process.emit("SIGINT");
				resolve("");
			});
			terminal.once("close", () => resolve(""));
		});
		try {
			return (await Promise.race([terminal.question(question), ended])).trim();
		} finally {
			terminal.close();
		}
	};
}

/** A yes has to be typed. */
export const isYes = (answer: string): boolean => /^(?:y|yes|是|好)$/i.test(answer);
