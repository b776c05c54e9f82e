import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { conversationDirectory } from "@rightseat/shell/state/conversation-directory";
import * as z from "zod/mini";

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

/** What is kept, or a new one when there is none. Throws when that cannot be found out: a disk that fails to read must not begin the ids anew. */
export function readConversationFile(home: string, conversation: string): ConversationFile {
	const text = readIfThere(pathOf(home, conversation));
	return (text === undefined ? undefined : parse(text)) ?? newConversationFile();
}

export const newConversationFile = (): ConversationFile => ({ nextJob: 1, running: [], lost: [], notes: [] });

function readIfThere(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8");
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
		throw error;
	}
}

/** Undefined when a crash left it half written. */
function parse(text: string): ConversationFile | undefined {
	try {
		return schema.safeParse(JSON.parse(text)).data;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

export function writeConversationFile(home: string, conversation: string, file: ConversationFile): void {
	const path = pathOf(home, conversation);
	mkdirSync(conversationDirectory(home, conversation), { recursive: true, mode: 0o700 });
	writeFileSync(`${path}.new`, JSON.stringify(file), { mode: 0o600 });
	renameSync(`${path}.new`, path);
}

const pathOf = (home: string, conversation: string) => join(conversationDirectory(home, conversation), "conversation.json");
