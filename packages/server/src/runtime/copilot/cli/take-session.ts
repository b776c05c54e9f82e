import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { formingOf } from "../session/copy-session.ts";
import { HISTORY } from "../session/history-lines.ts";
import { copyBeside, copyLines } from "./copy-folder.ts";

/**
 * Copies a session of the Copilot CLI into ours under the same id, in the place of whatever is there. The CLI's own is only read, also while it is open
 * there: the copy has what was written by then. Rejects with an AppError or what the disk says.
 */
export async function takeSession({ from, to, sessionId }: { from: string; to: string; sessionId: string }): Promise<void> {
	const [source, target] = [join(from, sessionId), join(to, sessionId)];
	const forming = formingOf(target);
	try {
		await rm(forming, { recursive: true, force: true });
		await mkdir(forming, { recursive: true, mode: 0o700 });
		await copyLines(join(source, HISTORY), join(forming, HISTORY), sessionId);
		await copyBeside(source, forming, sessionId);
		await rm(target, { recursive: true, force: true });
		await rename(forming, target);
	} finally {
		await rm(forming, { recursive: true, force: true });
	}
}
