import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { conversationDirectory } from "../daemon/state/conversation-directory.ts";

/** What the server itself keeps about a conversation's shell. */
export interface ConversationFile {
	/** Undefined: the conversation's own directory. */
	cwd?: string | undefined;
	/** Number of the next job; never goes back, so an id always means the same job. */
	nextJob: number;
	/** Jobs that run; whoever finds them after a restart knows that they are lost. */
	running: { bashId: string; command: string; startedAt: string }[];
	lost: string[];
	/** Sentences for the agent that were not told yet. */
	notes: { bashId: string; text: string }[];
}

const schema = z.object({
	cwd: z.optional(z.string()),
	nextJob: z.number(),
	running: z.array(z.object({ bashId: z.string(), command: z.string(), startedAt: z.string() })),
	lost: z.array(z.string()),
	notes: z.array(z.object({ bashId: z.string(), text: z.string() })),
});

export function readConversationFile(home: string, conversation: string): ConversationFile {
	try {
		const parsed = schema.safeParse(JSON.parse(readFileSync(pathOf(home, conversation), "utf8")));
		if (parsed.success) return parsed.data;
	} catch (error) {
		// None yet, or half written by a crash: begin anew.
		if (!(error instanceof Error)) throw error;
	}
	return { nextJob: 1, running: [], lost: [], notes: [] };
}

export function writeConversationFile(home: string, conversation: string, file: ConversationFile): void {
	const path = pathOf(home, conversation);
	mkdirSync(conversationDirectory(home, conversation), { recursive: true, mode: 0o700 });
	writeFileSync(`${path}.new`, JSON.stringify(file), { mode: 0o600 });
	renameSync(`${path}.new`, path);
}

const pathOf = (home: string, conversation: string) => join(conversationDirectory(home, conversation), "conversation.json");
