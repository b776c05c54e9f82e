import { createReadStream } from "node:fs";
import { cp, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ForkSession } from "../../../core/ports/agent-runtime.ts";
import { DESCRIPTION, HISTORY, isLock, linesOf, MAX_LOOKED_LINE_BYTES, promptMark, READ_BYTES, renameStart } from "./history-lines.ts";

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
		for await (const line of linesOf(createReadStream(from, { highWaterMark: READ_BYTES }))) {
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

/** What the runtime keeps beside the history: its summaries and files. Its locks are its own. */
async function copyRest(from: string, to: string, sessionId: string): Promise<void> {
	const leftOut = (path: string) => {
		const name = basename(path);
		return name === HISTORY || name === DESCRIPTION || isLock(name);
	};
	await cp(from, to, { recursive: true, filter: (path) => !leftOut(path) });
	const description = await readFile(join(from, DESCRIPTION), "utf8").catch(() => undefined);
	if (description !== undefined)
		await writeFile(join(to, DESCRIPTION), description.replace(/^id:.*$/m, `id: ${sessionId}`), { mode: 0o600 });
}
