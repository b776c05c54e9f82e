/** Images that may be shown in place; nothing else is ever served inline. */
export const INLINE_IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const SNIFFED_BYTES = 4_096;

/** The type by content; a name says only which kind of text it is. What a browser could run is called plain text. */
export function sniffType(content: Buffer, name: string): string {
	const head = content.subarray(0, SNIFFED_BYTES);
	if (startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return "image/png";
	if (startsWith(head, [0xff, 0xd8, 0xff])) return "image/jpeg";
	if (/^GIF8[79]a/.test(head.toString("latin1", 0, 6))) return "image/gif";
	if (head.toString("latin1", 0, 4) === "RIFF" && head.toString("latin1", 8, 12) === "WEBP") return "image/webp";
	if (head.toString("latin1", 0, 5) === "%PDF-") return "application/pdf";
	if (startsWith(head, [0x50, 0x4b, 0x03, 0x04])) return "application/zip";
	if (startsWith(head, [0x1f, 0x8b])) return "application/gzip";
	return isText(head, content.length > head.length) ? textType(name) : "application/octet-stream";
}

const TEXT_TYPES: Record<string, string> = { md: "text/markdown", csv: "text/csv", json: "application/json" };

function textType(name: string): string {
	return TEXT_TYPES[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ""] ?? "text/plain";
}

function isText(head: Buffer, cut: boolean): boolean {
	if (head.includes(0)) return false;
	try {
		// The end of the sample may split a character.
		new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: cut });
		return true;
	} catch {
		return false;
	}
}

const startsWith = (head: Buffer, bytes: number[]) => bytes.every((byte, index) => head[index] === byte);
