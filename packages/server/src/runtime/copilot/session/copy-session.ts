import { createReadStream } from "node:fs";
import { cp, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ForkSession } from "../../../core/ports/agent-runtime.ts";

/** A line of a history that is longer holds a file or a long result, and no prompt; it is copied without a look at it. */
export const MAX_LOOKED_LINE_BYTES = 8 * 1_048_576;

const HISTORY = "events.jsonl";
const DESCRIPTION = "workspace.yaml";

/**
 * Copies the runtime's own record of a session under another id, up to a place. The source is only read: the runtime's own fork writes over a source
 * that is not loaded in it. False: there is no such session, or its history does not name the place.
 */
export async function copySession(sessions: string, fork: ForkSession): Promise<boolean> {
	const { sessionId, newSessionId } = fork;
	const [from, to] = [join(sessions, sessionId), join(sessions, newSessionId)];
	const forming = formingOf(to);
	try {
		await mkdir(forming, { recursive: true, mode: 0o700 });
		if (!(await copyHistory(join(from, HISTORY), join(forming, HISTORY), fork))) return false;
		await copyRest(from, forming, newSessionId);
		await rename(forming, to);
		return true;
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
		throw error;
	} finally {
		await rm(forming, { recursive: true, force: true });
	}
}

/** Where a copy is until it is whole. */
export const formingOf = (session: string): string => `${session}.forming`;

/** False: the place is not in it. */
async function copyHistory(from: string, to: string, { newSessionId, cut, isBusy }: ForkSession): Promise<boolean> {
	const place = createPlace(cut);
	const file = await open(to, "wx", 0o600);
	try {
		let isFirst = true;
		for await (const line of linesOf(from)) {
			if (isFirst) {
				const renamed = renameStart(line, newSessionId);
				if (renamed === undefined) return false;
				await file.write(renamed);
			} else if (place.isHere(line)) {
				await file.sync();
				return true;
			} else await file.write(line);
			isFirst = false;
		}
		await file.sync();
		// The runtime writes a prompt down a moment after it took it, and what was before when that was over.
		return !isFirst && (cut.at === "end" || ((isBusy || cut.mark === null) && place.hasPassed()));
	} finally {
		await file.close();
	}
}

/** Looks for the first line that is left out. */
function createPlace(cut: ForkSession["cut"]) {
	let hasPassed = false;
	return {
		isHere(line: Buffer): boolean {
			if (cut.at === "end" || line.length > MAX_LOOKED_LINE_BYTES || !line.includes('"user.message"')) return false;
			const mark = promptMark(line);
			if (mark === undefined) return false;
			if (cut.mark === null ? hasPassed : mark === cut.mark) return true;
			hasPassed ||= mark === cut.after;
			return false;
		},
		/** The prompt before the place was there. */
		hasPassed: () => hasPassed,
	};
}

/** The mark of a person's prompt; undefined: it is something else, or of a sub-agent, or put in by the runtime itself. */
function promptMark(line: Buffer): string | undefined {
	const event = parse(line);
	if (event?.type !== "user.message" || event.agentId !== undefined) return undefined;
	const { data } = event;
	if (typeof data !== "object" || data === null || ("source" in data && data.source !== undefined && data.source !== "user"))
		return undefined;
	return "messageId" in data && typeof data.messageId === "string" ? data.messageId : "";
}

/** The runtime looks for the session's id in the first line. */
function renameStart(line: Buffer, sessionId: string): Buffer | undefined {
	const event = parse(line);
	if (event?.type !== "session.start" || typeof event.data !== "object" || event.data === null) return undefined;
	return Buffer.from(`${JSON.stringify({ ...event, data: { ...event.data, sessionId } })}\n`);
}

function parse(line: Buffer): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(line.toString("utf8"));
		return typeof value === "object" && value !== null ? { ...value } : undefined;
	} catch {
		// The last line of a session that is being written to may be half there.
		return undefined;
	}
}

/** Whole lines with their ends; one that is too long to look at comes in pieces. A last one without an end is not written yet. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
	let pending: Buffer[] = [];
	let size = 0;
	for await (const read of createReadStream(path, { highWaterMark: 262_144 })) {
		let chunk: Buffer = Buffer.from(read);
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

/** What the runtime keeps beside the history: its summaries and files. Its locks are its own. */
async function copyRest(from: string, to: string, sessionId: string): Promise<void> {
	const leftOut = (path: string) => {
		const name = basename(path);
		return name === HISTORY || name === DESCRIPTION || name.startsWith("inuse.") || name.endsWith(".lock");
	};
	await cp(from, to, { recursive: true, filter: (path) => !leftOut(path) });
	const description = await readFile(join(from, DESCRIPTION), "utf8").catch(() => undefined);
	if (description !== undefined)
		await writeFile(join(to, DESCRIPTION), description.replace(/^id:.*$/m, `id: ${sessionId}`), { mode: 0o600 });
}
