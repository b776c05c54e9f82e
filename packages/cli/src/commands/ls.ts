import { conversationsAnswer } from "@rightseat/protocol/http/conversations";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { CliError, EXIT } from "../cli-error.ts";
import { type Api, createApi } from "../connection/api.ts";
import { asCliError } from "../connection/say-problem.ts";
import { findServer } from "../find-server/find-server.ts";
import { type Paint, paintFor } from "../terminal/colour.ts";
import { jsonLine, writeAll } from "../terminal/output.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { fit, pad, widthOf } from "../terminal/width.ts";
import { type Words, wordsIn } from "../words.ts";
import type { RunCommand } from "./command.ts";
import { helpOf } from "./help.ts";
import { parseOptions } from "./options.ts";

/** Listed without `--all`. */
const NEWEST = 50;
const PAGE = 200;
/** Of a folder, of which the end says most. */
const FOLDER_COLUMNS = 30;

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
	await writeAll(stdout, conversations.length === 0 ? [] : table(conversations, { words, columns, paint, now: Date.now() }));
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

interface Look {
	words: Words;
	/** Of the terminal; undefined: nothing is cut. */
	columns: number | undefined;
	paint: Paint;
	now: number;
}

function table(conversations: readonly Conversation[], { words, columns, paint, now }: Look): string[] {
	const head = words.columns;
	const rows = conversations.map((row) => ({
		id: row.id,
		state: row.asking ? words.states.asking : words.states[row.status],
		agent: safeLine(row.agent),
		age: ageOf(now - Date.parse(row.updatedAt)),
		folder: columns === undefined ? safeLine(row.cwd) : endOf(safeLine(row.cwd), FOLDER_COLUMNS),
		title: safeLine(row.title),
		isBusy: row.asking || row.status === "streaming",
		isBad: row.status === "error",
	}));
	const names = ["id", "state", "agent", "age", "folder"] as const;
	const widths = names.map((name) => Math.max(widthOf(head[name]), ...rows.map((row) => widthOf(row[name]))));
	const before = widths.reduce((sum, width) => sum + width + 2, 0);
	const titleColumns = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(10, columns - before - 1);
	const line = (row: Record<(typeof names)[number] | "title", string>, looks: (name: string, text: string) => string) =>
		[...names.map((name, at) => looks(name, pad(row[name], widths[at] ?? 0))), fit(row.title, titleColumns)].join("  ").trimEnd();
	return [
		line(head, (_, text) => paint(text, "dim")),
		...rows.map((row) =>
			line(row, (name, text) => {
				if (name === "state" && (row.isBusy || row.isBad)) return paint(text, row.isBusy ? "yellow" : "red");
				return name === "title" ? text : paint(text, ...(name === "id" ? (["cyan"] as const) : (["dim"] as const)));
			}),
		),
	].map((text) => `${text}\n`);
}

/** 5s, 12m, 3h, 4d. */
function ageOf(ms: number): string {
	const seconds = Math.max(0, Math.round(ms / 1_000));
	if (seconds < 60) return `${seconds}s`;
	if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
	return seconds < 86_400 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

function endOf(text: string, columns: number): string {
	let kept = text;
	while (widthOf(kept) > columns - 1) kept = kept.slice(1);
	return kept === text ? text : `…${kept}`;
}
