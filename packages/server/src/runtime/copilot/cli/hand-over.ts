import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { HISTORY } from "../session/history-lines.ts";
import { compareHistories } from "./compare-histories.ts";
import { copyBeside, copyLines } from "./copy-folder.ts";
import { isHeld } from "./look-at-session.ts";
import { isOwnFolder } from "./own-file.ts";

/**
 * Copies a session of ours to where the Copilot CLI finds it. A session that the CLI has under this id gets only what it lacks: one that has something of
 * its own, that another process has open, or that is not this user's stays as it is, and the copy is another session. Gives the id it has there. Rejects
 * with an AppError or what the disk says.
 */
export async function handOverSession(options: { from: string; to: string; sessionId: string; newSessionId: string }): Promise<string> {
	const { from, to, sessionId, newSessionId } = options;
	const [source, target] = [join(from, sessionId), join(to, sessionId)];
	await mkdir(to, { recursive: true, mode: 0o700 });
	switch (await standingOf(source, target)) {
		case "same":
		case "ahead":
			return sessionId;
		case "absent":
			await copyWhole(source, { to, sessionId });
			return sessionId;
		case "behind":
			if (await bringForward(source, target, sessionId)) return sessionId;
			break;
		case "apart":
			break;
	}
	await copyWhole(source, { to, sessionId: newSessionId });
	return newSessionId;
}

async function standingOf(source: string, target: string) {
	const standing = await compareHistories(join(source, HISTORY), join(target, HISTORY)).catch(() => "apart" as const);
	if (standing !== "absent") return (await isOwnFolder(target)) ? standing : "apart";
	// A folder without a history, or a link to nowhere, is somebody else's.
	return (await isOwnFolder(target)) ? "apart" : standing;
}

/** False: another process has it open by now. The history comes last and at once: a copy that is cut off leaves theirs as it was. */
async function bringForward(source: string, target: string, sessionId: string): Promise<boolean> {
	if (await isHeld(target)) return false;
	const history = join(target, HISTORY);
	const next = `${history}.${process.pid}`;
	try {
		await copyLines(join(source, HISTORY), next, sessionId);
		await copyBeside(source, target, sessionId);
		if (await isHeld(target)) return false;
		await rename(next, history);
		return true;
	} finally {
		await rm(next, { force: true });
	}
}

async function copyWhole(source: string, { to, sessionId }: { to: string; sessionId: string }): Promise<void> {
	// The CLI lists no folder whose name begins with a dot.
	const forming = join(to, `.${sessionId}.forming`);
	try {
		await rm(forming, { recursive: true, force: true });
		await mkdir(forming, { recursive: true, mode: 0o700 });
		await copyLines(join(source, HISTORY), join(forming, HISTORY), sessionId);
		await copyBeside(source, forming, sessionId);
		await rename(forming, join(to, sessionId));
	} finally {
		await rm(forming, { recursive: true, force: true });
	}
}
