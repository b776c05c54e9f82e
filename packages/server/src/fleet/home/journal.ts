import { open, readFile } from "node:fs/promises";
import * as z from "zod/mini";
import { parseJson } from "../crypto/parse-json.ts";

/**
 * Values in a file that only grows, for its owner only. The server and a command may write to one at the same time, and either may be killed: a torn line is
 * passed over, and what stands twice does no harm to who reads it.
 */
export interface Journal {
	/** In the order in which they were written. */
	read(): Promise<unknown[]>;
	/** On the disk when it resolves. */
	append(values: readonly unknown[]): Promise<void>;
}

export function createJournal(path: string): Journal {
	return {
		async read() {
			const text = await readFile(path, "utf8").catch((error: unknown) => {
				if (z.object({ code: z.literal("ENOENT") }).safeParse(error).success) return "";
				throw error;
			});
			return text
				.split("\n")
				.filter((line) => line !== "")
				.flatMap((line) => parseJson(line) ?? []);
		},
		async append(values) {
			const file = await open(path, "a", 0o600);
			try {
				// A line of its own also after one that was torn.
				await file.appendFile(values.map((value) => `\n${JSON.stringify(value)}\n`).join(""));
				await file.sync();
			} finally {
				await file.close();
			}
		},
	};
}
