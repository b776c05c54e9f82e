import type { IncomingMessage } from "node:http";

/** What a call may have in bytes. */
export const MAX_CALL_BYTES = 1024 * 1024;
/** What is read and thrown away so that a client that sent too much can read why it was refused. */
const MAX_DISCARDED_BYTES = 16 * MAX_CALL_BYTES;

/** The body as text; undefined when it is too long, and then no more than the bound was kept. */
export function readBody(request: IncomingMessage): Promise<string | undefined> {
	let chunks: Buffer[] = [];
	let bytes = 0;
	return new Promise((resolve, reject) => {
		request.on("data", (chunk: Buffer) => {
			bytes += chunk.length;
			if (bytes <= MAX_CALL_BYTES) chunks.push(chunk);
			else chunks = [];
			// A socket that is closed with unread bytes is reset, and the answer may be lost; past this bound it may.
			if (bytes > MAX_DISCARDED_BYTES) resolve(undefined);
		});
		request.once("end", () => resolve(bytes > MAX_CALL_BYTES ? undefined : Buffer.concat(chunks).toString("utf8")));
		request.once("error", reject);
	});
}
