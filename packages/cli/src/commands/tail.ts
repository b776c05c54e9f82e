import type { Snapshot } from "@rightseat/protocol/fold/conversation";
import { messagesAnswer } from "@rightseat/protocol/http/conversations";
import type { Message } from "@rightseat/protocol/model/message";
import { CliError, EXIT } from "../cli-error.ts";
import { type Api, createApi } from "../connection/api.ts";
import { getConversation } from "../connection/get-conversation.ts";
import { asCliError } from "../connection/say-problem.ts";
import { openSession, type Session } from "../connection/session.ts";
import { type FoundServer, findServer } from "../find-server/find-server.ts";
import { paintFor } from "../terminal/colour.ts";
import type { Look } from "../terminal/look.ts";
import { messageRows } from "../terminal/message-rows.ts";
import { jsonLine, safeJson, writeAll } from "../terminal/output.ts";
import { toolLine } from "../terminal/tool-line.ts";
import { createTranscript } from "../terminal/transcript.ts";
import { wordsIn } from "../words.ts";
import type { CommandContext, RunCommand } from "./command.ts";
import { helpOf } from "./help.ts";
import { parseOptions } from "./options.ts";

const DEFAULT_MESSAGES = 10;
const MAX_MESSAGES = 10_000;
const PAGE = 100;

/** `rightseat tail`: the end of a conversation, and with `--follow` what comes after it. */
export const tail: RunCommand = async (context) => {
	const { language, stdout } = context;
	const words = wordsIn(language);
	const flags = { json: { type: "boolean" }, follow: { type: "boolean", short: "f" }, count: { type: "string", short: "n" } } as const;
	const options = parseOptions(context.argv, flags, language);
	if (options.has("help")) return await helpOf("tail", context);
	const [id, ...more] = options.positionals;
	if (id === undefined || more.length > 0) throw new CliError(id === undefined ? words.needsConversation : words.tooManyArguments);
	const count = Math.min(MAX_MESSAGES, options.number("count", 0) ?? DEFAULT_MESSAGES);
	const server = findServer(options, context);
	const columns = stdout.isTTY ? stdout.columns : 100;
	const look: Look = { words, paint: paintFor(stdout, context.env), columns: () => columns };
	try {
		const api = createApi(server);
		const path = `/api/conversations/${encodeURIComponent(id)}`;
		// Also says whether there is such a conversation, before anything is written.
		const conversation = await getConversation(api, id);
		if (options.has("follow"))
			return await follow({ ...{ server, api, context, look, count, path }, conversationId: conversation.id, isJson: options.has("json") });
		const messages = await listMessages(api, path, count);
		await writeAll(
			stdout,
			messages.flatMap((message) => (options.has("json") ? jsonLine(message) : rowsOf(message, look))),
		);
		return EXIT.done;
	} catch (error) {
		throw await asCliError(error, server.url, language);
	}
};

const rowsOf = (message: Message, look: Look) =>
	messageRows(message, look, (tool) => toolLine(tool, { paint: look.paint, columns: look.columns() - 1 })).map((row) => `${row}\n`);

/** The newest messages, oldest first. */
async function listMessages(api: Api, path: string, count: number, before?: string): Promise<Message[]> {
	let [found, cursor]: [Message[], string | undefined] = [[], before];
	while (found.length < count) {
		const from = cursor === undefined ? "" : `&before=${encodeURIComponent(cursor)}`;
		const page = await api.get(`${path}/messages?limit=${Math.min(PAGE, count - found.length)}${from}`, messagesAnswer);
		found = [...page.messages, ...found];
		cursor = page.nextCursor;
		if (cursor === undefined) break;
	}
	return found;
}

interface FollowDeps {
	server: FoundServer;
	api: Api;
	context: CommandContext;
	look: Look;
	conversationId: string;
	path: string;
	count: number;
	isJson: boolean;
}

function follow({ server, api, context, look, conversationId, path, count, isJson }: FollowDeps): Promise<number> {
	const { stdout } = context;
	return new Promise((resolve, reject) => {
		let isFirst = true;
		function write(text: string): void {
			if (text === "" || stdout.write(text)) return;
			session.pause();
			stdout.once("drain", session.resume);
		}
		const transcript = createTranscript(look, (rows) => write(rows.map((row) => `${row}\n`).join("")));
		function end(act: () => void): void {
			release();
			session.close();
			act();
		}
		/** Older ones than the snapshot carries come first; until they are here nothing else is written. */
		async function begin(snapshot: Snapshot): Promise<void> {
			const missing = count - snapshot.messages.length;
			const older = missing > 0 && snapshot.nextCursor !== undefined ? await listMessages(api, path, missing, snapshot.nextCursor) : [];
			for (const message of older) write(isJson ? jsonLine(message) : rowsOf(message, look).join(""));
			if (isJson && count > 0) for (const message of snapshot.messages.slice(-count)) write(jsonLine(message));
		}
		const waiting: (() => void)[] = [];
		let isBeginning = false;
		const step = (act: () => void) => (isBeginning ? void waiting.push(act) : act());
		const release = context.onInterrupt(() => end(() => resolve(EXIT.ctrlC)));
		const session: Session = openSession(
			server,
			{ conversationId },
			{
				onEvent: (frame, text) => step(() => (isJson ? write(`${safeJson(text)}\n`) : transcript.event(frame))),
				onUnknown: (text) => step(() => (isJson ? write(`${safeJson(text)}\n`) : undefined)),
				onSnapshot(snapshot, text) {
					if (!isFirst)
						return void step(() => (isJson ? write(`${safeJson(text)}\n`) : transcript.snapshot(snapshot, snapshot.messages.length)));
					isFirst = false;
					isBeginning = true;
					session.pause();
					void begin(snapshot)
						.then(() => {
							if (!isJson) transcript.snapshot(snapshot, count);
							isBeginning = false;
							session.resume();
							for (const act of waiting.splice(0)) act();
						})
						.catch((error: unknown) => end(() => reject(error)));
				},
				onReply(frame) {
					if (frame.type === "error" && frame.data.code === "conversation-not-found")
						end(() => reject(new CliError(frame.data.message, EXIT.failed)));
				},
				onBack: () => void context.stderr.write(`${look.words.back}\n`),
				onLost: () => void context.stderr.write(`${look.words.lost}\n`),
				onFailed: (error) => end(() => reject(error)),
			},
		);
	});
}
