import { createInterface } from "node:readline/promises";

/** Asks whoever sits before the terminal; the answer without blanks around it. */
export type AskPerson = (question: string) => Promise<string>;

/** Undefined where nobody sits before a terminal. */
export function findPerson(): AskPerson | undefined {
	if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return undefined;
	return async (question) => {
		const terminal = createInterface({ input: process.stdin, output: process.stdout });
		try {
			return (await terminal.question(question)).trim();
		} finally {
			terminal.close();
		}
	};
}

/** A yes has to be typed. */
export const isYes = (answer: string): boolean => /^(?:y|yes|是|好)$/i.test(answer);
