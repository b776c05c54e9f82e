/** JSON of bytes or text that anybody may have written; undefined when it is none. */
export function parseJson(source: Uint8Array | string): unknown {
	try {
		const value: unknown = JSON.parse(typeof source === "string" ? source : Buffer.from(source).toString("utf8"));
		return value;
	} catch {
		return undefined;
	}
}
