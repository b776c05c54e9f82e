/** A session's folder as the runtime and the Copilot CLI keep it: every event a line, and what they say of it beside. */
export const HISTORY = "events.jsonl";
export const DESCRIPTION = "workspace.yaml";
/** How much of a history is read at once. */
export const READ_BYTES = 262_144;
/** A line of a history that is longer holds a file or a long result, and no prompt; it is copied without a look at it. */
export const MAX_LOOKED_LINE_BYTES = 8 * 1_048_576;

/** Locks belong to the process that made them. */
export const isLock = (name: string) => name.startsWith("inuse.") || name.endsWith(".lock");

/** The mark of a person's prompt; undefined: it is something else, or of a sub-agent, or put in by the runtime itself. */
export function promptMark(line: Buffer): string | undefined {
	const event = parseLine(line);
	if (event?.type !== "user.message" || event.agentId !== undefined) return undefined;
	const { data } = event;
	if (typeof data !== "object" || data === null || ("source" in data && data.source !== undefined && data.source !== "user"))
		return undefined;
	return "messageId" in data && typeof data.messageId === "string" ? data.messageId : "";
}

/** The runtime looks for the session's id in the first line. */
export function renameStart(line: Buffer, sessionId: string): Buffer | undefined {
	const event = parseLine(line);
	if (event?.type !== "session.start" || typeof event.data !== "object" || event.data === null) return undefined;
	return Buffer.from(`${JSON.stringify({ ...event, data: { ...event.data, sessionId } })}\n`);
}

export function parseLine(line: Buffer): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(line.toString("utf8"));
		return typeof value === "object" && value !== null ? { ...value } : undefined;
	} catch {
		// The last line of a session that is being written to may be half there.
		return undefined;
	}
}

/** Whole lines with their ends; one that is too long to look at comes in pieces. A last one without an end is not written yet. */
export async function* linesOf(file: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
	let pending: Buffer[] = [];
	let size = 0;
	for await (const read of file) {
		if (!Buffer.isBuffer(read)) continue;
		let chunk: Buffer = read;
		for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10)) {
			yield Buffer.concat([...pending, chunk.subarray(0, end + 1)]);
			pending = [];
			size = 0;
			chunk = chunk.subarray(end + 1);
		}
		pending.push(chunk);
		size += chunk.length;
		if (size <= MAX_LOOKED_LINE_BYTES) continue;
		yield Buffer.concat(pending);
		pending = [];
		size = 0;
	}
}
