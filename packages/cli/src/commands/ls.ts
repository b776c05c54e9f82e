import { conversationsAnswer } from "@rightseat/protocol/http/conversations";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { CliError, EXIT } from "../cli-error.ts";
import { type Api, createApi } from "../connection/api.ts";
import { asCliError } from "../connection/say-problem.ts";
import { findServer } from "../find-server/find-server.ts";
import { paintFor } from "../terminal/colour.ts";
import { conversationTable } from "../terminal/conversation-table.ts";
import { jsonLine, writeAll } from "../terminal/output.ts";
import { wordsIn } from "../words.ts";
import type { RunCommand } from "./command.ts";
import { helpOf } from "./help.ts";
import { parseOptions } from "./options.ts";

/** Listed without `--all`. */
const NEWEST = 50;
const PAGE = 200;

/** `rightseat ls`: the conversations, pinned first, then by their newest activity. */
export const ls: RunCommand = async (context) => {
	const { language, stdout } = context;
	const options = parseOptions(context.argv, { json: { type: "boolean" }, all: { type: "boolean", short: "a" } }, language);
	const words = wordsIn(language);
	if (options.has("help")) return await helpOf("ls", context);
	if (options.positionals.length > 0) throw new CliError(words.tooManyArguments);
	const server = findServer(options, context);
	const { conversations, isCut } = await list(createApi(server), options.has("all")).catch(async (error: unknown) => {
		throw await asCliError(error, server.url, language);
	});
	if (options.has("json")) {
		await writeAll(stdout, conversations.map(jsonLine));
		return EXIT.done;
	}
	const columns = stdout.isTTY ? stdout.columns : undefined;
	const paint = paintFor(stdout, context.env);
	const rows = conversationTable(conversations, { words, columns, paint, now: Date.now() });
	await writeAll(stdout, conversations.length === 0 ? [] : rows);
	if (conversations.length === 0) context.stderr.write(`${words.nothingHere}\n`);
	if (isCut) context.stderr.write(`${words.moreConversations(conversations.length)}\n`);
	return EXIT.done;
};

async function list(api: Api, all: boolean): Promise<{ conversations: Conversation[]; isCut: boolean }> {
	if (!all) {
		const page = await api.get(`/api/conversations?archived=false&limit=${NEWEST}`, conversationsAnswer);
		return { conversations: page.conversations, isCut: page.nextCursor !== undefined };
	}
	const conversations: Conversation[] = [];
	let cursor: string | undefined;
	do {
		const from = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
		const page = await api.get(`/api/conversations?limit=${PAGE}${from}`, conversationsAnswer);
		conversations.push(...page.conversations);
		cursor = page.nextCursor;
	} while (cursor !== undefined);
	return { conversations, isCut: false };
}
