/** Stands where a secret was, everywhere. */
export const REDACTED = "[redacted]";

/** Text that comes in pieces, without our secrets. What it gives out, together, is what the whole text would have become. */
export interface StreamRedactor {
	/** As much as can be told now. An end that could be the beginning of a secret waits for the next piece. */
	take(piece: string): string;
	/** What waits, as it goes out when the stream has ended: it was no secret. */
	rest(): string;
	isWaiting(): boolean;
}

/** Looks for any of the forms, the longest first; they may change between two pieces. At most the longest form less one character waits. */
export function createStreamRedactor(forms: () => readonly string[]): StreamRedactor {
	let held = "";
	return {
		take(piece) {
			const known = forms();
			const text = held + piece;
			let out = "";
			let from = 0;
			let waits = possibleStart(text, known, from);
			for (;;) {
				const match = firstMatch(text, known, from);
				// One that stands within what could become a longer secret is decided together with it.
				if (match === undefined || match.start >= waits) break;
				out += text.slice(from, match.start) + REDACTED;
				from = match.end;
				waits = possibleStart(text, known, from);
			}
			held = text.slice(waits);
			return out + text.slice(from, waits);
		},
		rest: () => redactForms(held, forms()),
		isWaiting: () => held !== "",
	};
}

/** The whole text without any of the forms; the very same string if it has none. */
export function redactForms(text: string, forms: readonly string[]): string {
	let out = "";
	let from = 0;
	for (let match = firstMatch(text, forms, from); match !== undefined; match = firstMatch(text, forms, from)) {
		out += text.slice(from, match.start) + REDACTED;
		from = match.end;
	}
	return from === 0 ? text : out + text.slice(from);
}

function firstMatch(text: string, forms: readonly string[], from: number): { start: number; end: number } | undefined {
	let found: { start: number; end: number } | undefined;
	for (const form of forms) {
		const start = text.indexOf(form, from);
		if (start !== -1 && (found === undefined || start < found.start)) found = { start, end: start + form.length };
	}
	return found;
}

/** Where the longest end of the text begins that is the beginning of a secret; the text's length if there is none. */
function possibleStart(text: string, forms: readonly string[], from: number): number {
	let earliest = text.length;
	for (const form of forms) {
		const first = form.charAt(0);
		let at = text.indexOf(first, Math.max(from, text.length - form.length + 1));
		while (at !== -1 && at < earliest) {
			if (form.startsWith(text.slice(at))) earliest = at;
			at = text.indexOf(first, at + 1);
		}
	}
	return earliest;
}
