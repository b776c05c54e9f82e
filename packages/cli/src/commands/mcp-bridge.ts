import { newMcpTokenAnswer } from "@rightseat/protocol/http/mcp";
import { CONVERSATION_HEADER, CONVERSATION_VARIABLE } from "@rightseat/protocol/mcp-caller";
import * as z from "zod/mini";
import { EXIT } from "../cli-error.ts";
import { createApi } from "../connection/api.ts";
import { postMcp } from "../connection/mcp-post.ts";
import { asCliError } from "../connection/say-problem.ts";
import type { FoundServer } from "../find-server/find-server.ts";
import type { CommandContext } from "./command.ts";

/** Of one line of the client; the server takes no more either. */
const MAX_LINE_CHARS = 1024 * 1024;
/** Of the server's own bound. */
const MAX_OPEN = 32;

const messageSchema = z.object({ id: z.optional(z.union([z.string(), z.number()])) });

/** What a temporary token may do. */
export interface Wanted {
	permissions: string;
	reach: string;
}

/** MCP over standard input and output: a message a line, each handed to `/mcp` of the server and its answer handed back. Ends with the input. */
export async function runBridge(context: CommandContext, server: FoundServer, wanted: Wanted): Promise<number> {
	const { stdout, env } = context;
	const api = createApi(server);
	const fetchToken = () =>
		api.post("/api/mcp-tokens", { name: "rightseat mcp", temporary: true, ...wanted }, newMcpTokenAnswer).catch(async (error: unknown) => {
			throw await asCliError(error, server.url, context.language);
		});
	let token = await fetchToken();
	let session: string | undefined;
	const inside = env[CONVERSATION_VARIABLE];
	const end = new AbortController();
	const open = new Set<Promise<void>>();

	const write = (json: string) => void stdout.write(`${json.replaceAll("\n", " ")}\n`);
	const fail = (id: string | number | null, message: string) =>
		write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message } }));

	async function post(body: string): Promise<number> {
		const headers = {
			authorization: `Bearer ${token.secret}`,
			...(session === undefined ? {} : { "mcp-session-id": session }),
			...(inside === undefined || inside === "" ? {} : { [CONVERSATION_HEADER]: inside }),
		};
		const answer = await postMcp({ server, headers, body, onMessage: write, signal: end.signal });
		session = answer.session ?? session;
		return answer.status;
	}
	/** A server that was started anew knows no temporary token of before. */
	async function pass(body: string): Promise<number> {
		const status = await post(body);
		if (status !== 401) return status;
		token = await fetchToken();
		return await post(body);
	}
	async function handle(line: string): Promise<void> {
		const id = idOf(line);
		if (open.size > MAX_OPEN && id !== undefined) return fail(id, "Too many calls run at once. Wait for one to end.");
		try {
			const status = await pass(line);
			if (status >= 400) fail(id ?? null, `The server refused this with HTTP ${status}.`);
		} catch (error) {
			if (end.signal.aborted) return;
			const message = error instanceof Error ? error.message : String(error);
			if (id !== undefined) fail(id, `No Rightseat server answers at ${server.url}: ${message}`);
		}
	}

	for await (const line of linesOf(context.stdin)) {
		if (line === undefined) {
			fail(null, "A message has at most 1 MiB.");
			continue;
		}
		if (line.trim() === "") continue;
		const handled = handle(line).finally(() => open.delete(handled));
		open.add(handled);
	}
	end.abort();
	await Promise.all(open);
	await api.delete(`/api/mcp-tokens/${encodeURIComponent(token.token.id)}`, z.undefined()).catch(() => undefined);
	return EXIT.done;
}

function idOf(line: string): string | number | undefined {
	try {
		const parsed = messageSchema.safeParse(JSON.parse(line));
		return parsed.success ? parsed.data.id : undefined;
	} catch {
		return undefined;
	}
}

/** Lines, without their ends; undefined for one that is too long, of which no more than the bound is kept. */
async function* linesOf(input: NodeJS.ReadStream): AsyncGenerator<string | undefined> {
	let rest = "";
	let isTooLong = false;
	input.setEncoding("utf8");
	for await (const piece of input) {
		const lines = String(piece).split("\n");
		for (const [at, part] of lines.entries()) {
			if (!isTooLong) rest += part;
			if (rest.length > MAX_LINE_CHARS) {
				isTooLong = true;
				rest = "";
			}
			if (at === lines.length - 1) break;
			yield isTooLong ? undefined : rest;
			isTooLong = false;
			rest = "";
		}
	}
	if (!isTooLong && rest !== "") yield rest;
}
