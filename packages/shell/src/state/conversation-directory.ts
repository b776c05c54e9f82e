import { createHash } from "node:crypto";
import { join } from "node:path";

/** Where everything of the shell is kept. */
export const shellDirectory = (home: string) => join(home, "shell");
export const conversationsDirectory = (home: string) => join(shellDirectory(home), "conversations");
/** Files of commands that run now; emptied at each start. */
export const runDirectory = (home: string) => join(shellDirectory(home), "run");

/** The folder of one conversation; ids that are no plain names cannot lead elsewhere. */
export function conversationDirectory(home: string, conversation: string): string {
	const plain = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(conversation);
	const name = plain ? conversation : `_${createHash("sha256").update(conversation).digest("hex").slice(0, 40)}`;
	return join(conversationsDirectory(home), name);
}

/** Commands without a conversation share one folder for long output. */
export const NO_CONVERSATION = "_none";
