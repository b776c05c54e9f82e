/** A name as git and the disk have it: bytes, kept one per character. Names need not be UTF-8. */
export type RawPath = string;

/** What people and the wire see: the text, or, where the bytes are no text, each odd byte as `\xNN`. */
export function shownPath(raw: RawPath): string {
	const bytes = Buffer.from(raw, "latin1");
	const text = bytes.toString("utf8");
	if (Buffer.from(text, "utf8").equals(bytes)) return text;
	return raw.replace(/[^\x20-\x7e]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** A name below a folder, as the file system calls take it: no byte is changed on the way. */
export const pathIn = (root: string, raw: RawPath): Buffer => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(raw, "latin1")]);

/** The pieces between NULs. */
export function splitNul(output: Buffer): RawPath[] {
	const parts = output.toString("latin1").split("\0");
	if (parts.at(-1) === "") parts.pop();
	return parts;
}
