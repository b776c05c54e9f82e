/** A longer line is skipped up to its end and named. The longest that a real agent was seen to send has 1.2 MB. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** A line up to here is parsed at once; it takes a few milliseconds at worst. */
export const LARGE_LINE_BYTES = 256 * 1024;

/** Cuts bytes into lines. Invalid UTF-8 is replaced, a character that is split between two reads is not; empty lines are left out. */
export interface LineReader {
	push(bytes: Uint8Array): void;
	/** After the end of a large line: reads what came since. */
	goOn(): void;
	/** Bytes that are kept here. */
	readonly waiting: number;
}

export interface LineReaderDeps {
	maxBytes?: number;
	largeBytes?: number;
	onLine(line: string): void;
	/** A large line goes elsewhere in parts, as it comes. After its end nothing is read before `goOn`. */
	large: { part(bytes: Uint8Array): void; end(): void; drop(): void };
	/** Once for each line that is too long, as soon as it is; also when that much came after a large line that is still being read. */
	onTooLong(): void;
}

export function createLineReader(deps: LineReaderDeps): LineReader {
	const { maxBytes = MAX_LINE_BYTES, largeBytes = LARGE_LINE_BYTES } = deps;
	let state: "short" | "large" | "skipping" = "short";
	let parts: Uint8Array[] = [];
	/** Of the line so far. */
	let length = 0;
	let isHeld = false;
	let held: Uint8Array[] = [];
	let heldBytes = 0;

	function take(part: Uint8Array): void {
		if (state === "skipping" || part.length === 0) return;
		length += part.length;
		if (length > maxBytes) {
			if (state === "large") deps.large.drop();
			state = "skipping";
			parts = [];
			deps.onTooLong();
			return;
		}
		if (state === "short" && length > largeBytes) {
			state = "large";
			for (const early of parts) deps.large.part(early);
			parts = [];
		}
		if (state === "large") deps.large.part(part);
		else parts.push(part);
	}

	function end(): void {
		const [how, bytes] = [state, parts.length === 1 ? parts[0] : Buffer.concat(parts)];
		state = "short";
		parts = [];
		length = 0;
		if (how === "large") {
			isHeld = true;
			deps.large.end();
		}
		if (how !== "short" || bytes === undefined) return;
		const line = new TextDecoder().decode(bytes).trim();
		if (line !== "") deps.onLine(line);
	}

	function keep(bytes: Uint8Array): void {
		if (bytes.length === 0) return;
		held.push(bytes);
		heldBytes += bytes.length;
		if (heldBytes <= maxBytes) return;
		held = [];
		heldBytes = 0;
		deps.onTooLong();
	}

	function push(bytes: Uint8Array): void {
		let from = 0;
		while (!isHeld) {
			const at = bytes.indexOf(NEWLINE, from);
			if (at === -1) {
				take(bytes.subarray(from));
				return;
			}
			take(bytes.subarray(from, at));
			end();
			from = at + 1;
		}
		keep(bytes.subarray(from));
	}

	return {
		push,
		goOn() {
			const since = held;
			isHeld = false;
			held = [];
			heldBytes = 0;
			for (const bytes of since) push(bytes);
		},
		get waiting() {
			return heldBytes + parts.reduce((sum, part) => sum + part.length, 0);
		},
	};
}

const NEWLINE = 0x0a;
