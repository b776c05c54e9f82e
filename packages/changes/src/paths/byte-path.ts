import type { BytePath } from "../model.ts";

/** True for names with one `/` between them, none of them empty, `.` or `..`, no NUL, and every character one byte. */
export function isBytePath(text: string): text is BytePath {
	return /^[\x01-\xff]+$/.test(text) && !/(?:^|\/)(?:\.{0,2})(?:\/|$)/.test(text);
}

/** Throws for what is no path below a root. */
export function bytePath(text: string): BytePath {
	if (!isBytePath(text)) throw new RangeError(`Not a path below a root: ${JSON.stringify(text)}`);
	return text;
}

/** A path of text, as people and tools write it, in bytes. */
export const latin1Of = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

/** What Node's file functions take: text would be written as UTF-8, and other bytes than those of the name would be meant. */
export function fsPath(root: string, path: string): string | Buffer {
	const whole = path === "" ? root : root === "/" ? `/${path}` : `${root}/${path}`;
	return /^[\0-\x7f]*$/.test(whole) ? whole : Buffer.from(whole, "latin1");
}

/** The folder that holds it; empty for a name in the root itself. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The last name. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
