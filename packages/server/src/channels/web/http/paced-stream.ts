import { Readable } from "node:stream";
import { setImmediate as breath } from "node:timers/promises";

/** So long a file is written before everybody else has a turn. */
const SLICE_MS = 10;
/** Small pieces go together: each costs a write. */
const WRITE_CHARS = 32_768;

/** A file that is made while it is sent, however long it is: no faster than its reader takes it, and never for long at a time. */
export function pacedStream(pieces: Iterable<string | Promise<string>>): Readable {
	return Readable.from(inSlices(pieces), { objectMode: false });
}

async function* inSlices(pieces: Iterable<string | Promise<string>>): AsyncGenerator<string> {
	let text = "";
	let began = performance.now();
	for (const piece of pieces) {
		text += typeof piece === "string" ? piece : await piece;
		if (text.length >= WRITE_CHARS) {
			yield text;
			text = "";
		}
		if (performance.now() - began < SLICE_MS) continue;
		await breath();
		began = performance.now();
	}
	if (text !== "") yield text;
}
