import { cutTextTail } from "@rightseat/protocol/text";

const MAX_SCROLLBACK_CHARS = 256 * 1024;

/** The newest output of a terminal, bounded. */
export interface Scrollback {
	add(text: string): void;
	text(): string;
	chars(): number;
}

export function createScrollback(maxChars = MAX_SCROLLBACK_CHARS): Scrollback {
	let chunks: string[] = [];
	let size = 0;
	return {
		add(text) {
			chunks.push(text);
			size += text.length;
			// Cut only when a quarter too long, so that a busy terminal does not copy its whole history for every line.
			if (size <= maxChars * 1.25) return;
			const kept = cutTextTail(chunks.join(""), maxChars);
			// From a whole line on: half an escape sequence at the start would show as garbage.
			const line = kept.indexOf("\n");
			chunks = [line === -1 ? kept : kept.slice(line + 1)];
			size = chunks[0]?.length ?? 0;
		},
		chars: () => size,
		text() {
			const joined = chunks.join("");
			chunks = joined === "" ? [] : [joined];
			return joined;
		},
	};
}
