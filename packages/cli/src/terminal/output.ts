import { once } from "node:events";

/** Writes lines as fast as the reader takes them. */
export async function writeAll(stream: NodeJS.WriteStream, lines: readonly string[]): Promise<void> {
	for (const line of lines) if (!stream.write(line)) await once(stream, "drain");
}

/** One JSON value in one line that is harmless on a terminal: what JSON leaves as it is among the controls is escaped, and means the same. */
export function jsonLine(value: unknown): string {
	return `${safeJson(JSON.stringify(value))}\n`;
}

/** The same for a text that is JSON already. */
export function safeJson(json: string): string {
	return json.replace(
		/[\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}
