import type { TurnPart } from "@rightseat/protocol/model/turn";
import { safeText } from "./safe-text.ts";

/** Writes the text of one answer as it comes, a blank line between its messages. */
export interface AnswerWriter {
	/** More of a message. */
	append(messageId: string, content: string): void;
	/** The whole of a message, of which some may be written already. */
	set(messageId: string, content: string): void;
	/** What was written of it does not count any more. */
	withdraw(messageId: string): void;
	/** The whole answer so far, or its end: false where something between is missing and has to be fetched. */
	catchUp(parts: readonly TurnPart[]): boolean;
	/** Ends the last line. */
	finish(): void;
}

/**
 * `write` takes text that is harmless on a terminal. What was written cannot be taken back: where the agent begins a message again,
 * `onWithdrawn` says so and the new one begins on a new line.
 */
export function createAnswerWriter(deps: { write(text: string): void; onWithdrawn(): void }): AnswerWriter {
	/** By message, what stands on the paper. */
	const written = new Map<string, string>();
	let [last, endsLine, isEmpty] = ["", true, true];

	function write(messageId: string, text: string): void {
		if (text === "") return;
		if (messageId !== last && !isEmpty) deps.write(endsLine ? "\n" : "\n\n");
		last = messageId;
		isEmpty = false;
		endsLine = text.endsWith("\n");
		written.set(messageId, (written.get(messageId) ?? "") + text);
		deps.write(safeText(text));
	}

	function set(messageId: string, content: string) {
		const known = written.get(messageId) ?? "";
		if (!content.startsWith(known)) {
			withdraw(messageId);
			return write(messageId, content);
		}
		write(messageId, content.slice(known.length));
	}

	function withdraw(messageId: string): void {
		if ((written.get(messageId) ?? "") === "") return;
		written.delete(messageId);
		last = "";
		deps.onWithdrawn();
	}

	return {
		append: write,
		set,
		withdraw,
		catchUp(parts) {
			for (const part of parts) {
				if (part.kind !== "text") continue;
				const known = written.get(part.messageId) ?? "";
				if (part.truncated === undefined) set(part.messageId, part.content);
				else if (known.length < part.truncated) {
					// Either its beginning, or its end: only an end that joins what is written can be appended.
					const missing = part.truncated - part.content.length;
					if (known.length < missing || !known.endsWith(part.content.slice(0, known.length - missing))) return false;
					write(part.messageId, part.content.slice(known.length - missing));
				}
			}
			return true;
		},
		finish() {
			if (!isEmpty && !endsLine) deps.write("\n");
			endsLine = true;
		},
	};
}
