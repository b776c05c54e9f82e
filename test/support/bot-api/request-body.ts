import type { IncomingMessage } from "node:http";
import { isRecord, type Params, type UploadedFile } from "./params.ts";

export interface RequestBody {
	params: Params;
	files: UploadedFile[];
}

/** Reads a call's body: JSON, or multipart as grammY writes it (lower-case headers, unquoted file names). */
export async function readBody(request: IncomingMessage): Promise<RequestBody> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(Buffer.from(chunk));
	const body = Buffer.concat(chunks);
	const type = request.headers["content-type"] ?? "";
	const boundary = /boundary=(.+)$/.exec(type)?.[1];
	if (boundary !== undefined) return multipart(body, boundary);
	const value: unknown = body.length === 0 ? {} : JSON.parse(body.toString("utf8"));
	return { params: isRecord(value) ? value : {}, files: [] };
}

function multipart(body: Buffer, boundary: string): RequestBody {
	const params: Params = {};
	const files: UploadedFile[] = [];
	for (const part of parts(body, boundary)) {
		const end = part.indexOf("\r\n\r\n");
		const head = part.subarray(0, end).toString("utf8");
		const bytes = part.subarray(end + 4);
		const field = /name="([^"]+)"/.exec(head)?.[1] ?? "";
		const filename = /filename="?([^"\r\n]+)"?/.exec(head)?.[1];
		if (filename === undefined) params[field] = bytes.toString("utf8");
		else files.push({ field, filename, mimeType: /content-type:\s*([^\r\n]+)/i.exec(head)?.[1] ?? "application/octet-stream", bytes });
	}
	return { params, files };
}

function parts(body: Buffer, boundary: string): Buffer[] {
	const mark = Buffer.from(`--${boundary}`);
	const found: Buffer[] = [];
	let at = body.indexOf(mark);
	while (at !== -1) {
		const start = at + mark.length + 2;
		const next = body.indexOf(mark, start);
		if (next === -1) break;
		found.push(body.subarray(start, next - 2));
		at = next;
	}
	return found;
}
