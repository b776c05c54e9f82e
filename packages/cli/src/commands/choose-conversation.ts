import { createInterface } from "node:readline";
import { conversationsAnswer } from "@rightseat/protocol/http/conversations";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { CliError, EXIT } from "../cli-error.ts";
import type { Api } from "../connection/api.ts";
import { paintFor } from "../terminal/colour.ts";
import { conversationTable } from "../terminal/conversation-table.ts";
import { wordsIn } from "../words.ts";
import type { CommandContext } from "./command.ts";

/** Offered at once; `ls` lists the rest. */
const MAX_OFFERED = 20;
/** What stands on the screen beside the rows. */
const OTHER_ROWS = 4;

/** The conversation that a person at a terminal chooses, the one with the newest activity first; where there is only one, that. An exit code: nobody chose. */
export async function chooseConversation(api: Api, context: CommandContext): Promise<Conversation | number> {
	const { stdout, language } = context;
	const words = wordsIn(language);
	const { conversations, nextCursor } = await api.get("/api/conversations?archived=false&limit=100", conversationsAnswer);
	// Pinned ones come first in the list, however old they are.
	const newest = conversations.sort((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
	const [only] = newest;
	if (only === undefined) throw new CliError(words.noConversations);
	if (newest.length === 1) return only;
	const offered = newest.slice(0, Math.max(1, Math.min(MAX_OFFERED, (stdout.rows || 24) - OTHER_ROWS)));
	const paint = paintFor(stdout, context.env);
	const look = { words, columns: stdout.columns || 80, paint, now: Date.now(), numbered: true };
	stdout.write(conversationTable(offered, look).join(""));
	if (offered.length < newest.length || nextCursor !== undefined) stdout.write(`${paint(words.olderConversations, "dim")}\n`);
	const answer = await askNumber(context, offered.length);
	return typeof answer === "number" ? (offered[answer - 1] ?? only) : answer.exit;
}

function askNumber({ stdin, stdout, language }: CommandContext, most: number): Promise<number | { exit: number }> {
	const words = wordsIn(language);
	return new Promise((resolve) => {
		const line = createInterface({ input: stdin, output: stdout, prompt: words.chooseNumber(most), historySize: 0, terminal: true });
		// Ctrl-D.
		let answer: number | { exit: number } = { exit: EXIT.done };
		line.on("SIGINT", () => {
			answer = { exit: EXIT.ctrlC };
			line.close();
		});
		line.on("line", (typed) => {
			const text = typed.trim() === "" ? "1" : typed.trim();
			const number = Number(text);
			if (!/^\d+$/.test(text) || number < 1 || number > most) {
				stdout.write(`${words.notOffered(most)}\n`);
				return line.prompt();
			}
			answer = number;
			line.close();
		});
		line.on("close", () => {
			if (typeof answer !== "number") stdout.write("\n");
			resolve(answer);
		});
		line.prompt();
	});
}
