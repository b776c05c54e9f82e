import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Conversations } from "../../core/conversations/conversations.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import { makePrivate } from "./home-directory.ts";

/**
 * The agent runtime writes its files with the rights of a new project file, because it writes those too.
 * After each turn what it keeps of that conversation is made ours alone. The result ends this.
 */
export function keepPrivate(deps: { home: string; conversations: Conversations; logger: Logger }): () => void {
	const agent = join(deps.home, "agent");
	return deps.conversations.onChange((change) => {
		if (change.kind !== "updated" || change.conversation.status === "streaming" || change.conversation.sdkSessionId === null) return;
		try {
			const sessions = join(agent, "session-state");
			const session = join(sessions, change.conversation.sdkSessionId);
			if (!existsSync(session)) return;
			for (const folder of [agent, sessions, session]) makeFlat(folder);
			makePrivate(session);
		} catch (error) {
			// The runtime may remove a file between our look and our change; the next turn looks again.
			deps.logger.debug({ err: error }, "The agent's files could not be made private");
		}
	});
}

/** Only what lies directly in it: there may be thousands of sessions beside this one. */
function makeFlat(folder: string): void {
	for (const name of ["", ...(folder.endsWith("session-state") ? [] : readdirSync(folder))]) {
		const path = join(folder, name);
		const stat = statSync(path, { throwIfNoEntry: false });
		if (stat === undefined || (stat.mode & 0o077) === 0) continue;
		chmodSync(path, stat.isDirectory() ? 0o700 : 0o600);
	}
}
