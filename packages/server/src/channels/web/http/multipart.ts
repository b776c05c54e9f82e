import { AppError } from "../../../core/kernel/errors.ts";

const MAX_PART_HEADER_BYTES = 4_096;

/** The one file of a browser's form upload. */
export function fileOfForm(contentType: string, body: Buffer): { name: string; content: Buffer } {
	const boundary = /;\s*boundary=(?:"([^"]{1,100})"|([^\s;]{1,100}))/i.exec(contentType);
	const mark = Buffer.from(`--${boundary?.[1] ?? boundary?.[2] ?? ""}`, "latin1");
	if (boundary === null) throw malformed();
	const start = body.indexOf(mark);
	const headerStart = start + mark.length + 2;
	const headerEnd = body.indexOf("\r\n\r\n", headerStart);
	if (start === -1 || headerEnd === -1 || headerEnd - headerStart > MAX_PART_HEADER_BYTES) throw malformed();
	const contentEnd = body.indexOf(Buffer.concat([Buffer.from("\r\n"), mark]), headerEnd);
	if (contentEnd === -1) throw malformed();
	const header = body.toString("utf8", headerStart, headerEnd);
	const name = /content-disposition:[^\r\n]*\bfilename="((?:[^"\\\r\n]|\\.){0,1000})"/i.exec(header)?.[1];
	if (name === undefined) throw malformed();
	// Browsers write quotes and line breaks in a file name as %22, %0D and %0A.
	const plain = name.replace(/%22/g, '"').replace(/%0D|%0A/gi, " ");
	return { name: plain, content: body.subarray(headerEnd + 4, contentEnd) };
}

const malformed = () => new AppError("bad-request", "Send one file, as a form upload or as the raw body with ?name=….");
