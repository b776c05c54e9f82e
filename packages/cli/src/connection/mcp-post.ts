import { type ClientRequest, type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { FoundServer } from "../find-server/find-server.ts";
import { UnreachableError } from "./api.ts";

/** A call that waits is told of every ten seconds: nothing for this long is a dead line. */
const QUIET_MS = 60_000;
/** Of one message; the server's answers have far less. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

/** One message to `/mcp`. */
export interface McpPost {
	server: Pick<FoundServer, "url" | "isOwn">;
	headers: Readonly<Record<string, string>>;
	body: string;
	/** Every message of the answer, as it comes: JSON on one line. */
	onMessage(json: string): void;
	signal: AbortSignal;
}

/** Sends a message and passes on what is answered, as JSON or as a stream. Rejects when the line breaks before the end. */
export function postMcp({ server, headers, body, onMessage, signal }: McpPost): Promise<{ status: number; session: string | undefined }> {
	const request = server.url.startsWith("https:") ? requestSecure : requestPlain;
	return new Promise((resolve, reject) => {
		const outgoing: ClientRequest = request(
			`${server.url}/mcp`,
			{
				method: "POST",
				agent: false,
				signal,
				headers: {
					"content-type": "application/json",
					accept: "application/json, text/event-stream",
					"content-length": Buffer.byteLength(body),
					...headers,
				},
				...(server.isOwn ? { rejectUnauthorized: false } : {}),
			},
			(answer) => {
				const status = answer.statusCode ?? 0;
				const session = answer.headers["mcp-session-id"];
				readMessages(answer, status === 200 ? onMessage : () => undefined)
					.then(() => resolve({ status, session: typeof session === "string" ? session : undefined }))
					.catch((error: unknown) => {
						outgoing.destroy();
						reject(error);
					});
			},
		);
		outgoing.setTimeout(QUIET_MS, () => outgoing.destroy(new UnreachableError("no-answer", "The server has not answered for a minute.")));
		outgoing.on("error", reject);
		outgoing.end(body);
	});
}

async function readMessages(answer: IncomingMessage, onMessage: (json: string) => void): Promise<void> {
	const isStream = answer.headers["content-type"]?.startsWith("text/event-stream") === true;
	let rest = "";
	answer.setEncoding("utf8");
	for await (const piece of answer) {
		rest += String(piece);
		for (let end = isStream ? rest.indexOf("\n\n") : -1; end >= 0; end = rest.indexOf("\n\n")) {
			const data = /^data: (.*)$/m.exec(rest.slice(0, end))?.[1];
			rest = rest.slice(end + 2);
			if (data !== undefined) onMessage(data);
		}
		if (rest.length > MAX_MESSAGE_BYTES) throw new UnreachableError("not-ours", "The answer is too large.");
	}
	if (!isStream && rest !== "") onMessage(rest);
}
