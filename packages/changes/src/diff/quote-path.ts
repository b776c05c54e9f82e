const NAMED: Readonly<Record<string, string>> = {
	"\x07": "\\a",
	"\b": "\\b",
	"\t": "\\t",
	"\n": "\\n",
	"\v": "\\v",
	"\f": "\\f",
	"\r": "\\r",
	'"': '\\"',
	"\\": "\\\\",
};

/** A path's bytes (latin1) as git writes them in a patch: in quotes with octal escapes as soon as a byte could be misread. */
export function quotePath(path: string): string {
	if (!/[\0-\x1f"\\\x7f-\xff]/.test(path)) return path;
	return `"${path.replace(/[\0-\x1f"\\\x7f-\xff]/g, (byte) => NAMED[byte] ?? `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`)}"`;
}
