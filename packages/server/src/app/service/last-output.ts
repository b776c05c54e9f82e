import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { safeText } from "@rightseat/cli/terminal/safe-text";

/** Of a file that may be large, only this much from its end is read. */
export const MAX_TAIL_BYTES = 4 * 1024 * 1024;

/** The last lines of a file, and where its end is; undefined when there is none. */
export function readLastLines(file: string, count: number): { lines: string[]; end: number } | undefined {
	let descriptor: number;
	try {
		descriptor = openSync(file, "r");
	} catch {
		// Nothing was written yet.
		return undefined;
	}
	try {
		const { size } = fstatSync(descriptor);
		const bytes = Buffer.alloc(Math.min(size, MAX_TAIL_BYTES));
		const read = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
		const lines = bytes.subarray(0, read).toString("utf8").split("\n");
		// The first is the rest of one whose beginning was not read.
		if (size > bytes.length) lines.shift();
		const whole = lines.filter((line) => line !== "");
		return { lines: whole.slice(-count), end: size };
	} finally {
		closeSync(descriptor);
	}
}

/** What the service printed last, for the person who wonders why it does not run. */
export const lastSaid = (file: string): string[] => (readLastLines(file, 5)?.lines ?? []).map((line) => `  ${safeText(line)}`);
