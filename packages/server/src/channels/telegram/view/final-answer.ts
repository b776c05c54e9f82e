import type { FormattedText } from "../format/formatted-text.ts";
import { splitText } from "../format/split-text.ts";
import type { Outgoing } from "../outbox-store.ts";

/** An answer of more messages than this is a preview and a file. */
export const MAX_ANSWER_MESSAGES = 3;
export const MAX_PREVIEW_CHARS = 3_500;
/** The file holds at most this much; what an agent says is far below it. */
const MAX_FILE_CHARS = 4_000_000;

/** The messages that carry one answer. Only the first replies and rings. */
export function answerMessages(answer: {
	formatted: FormattedText;
	/** As the agent wrote it, for the file. */
	source: string;
	filename: string;
	silent: boolean;
	replyTo?: number;
}): Outgoing[] {
	const first = { silent: answer.silent, ...(answer.replyTo !== undefined && { replyTo: answer.replyTo }) };
	const parts = splitText(answer.formatted);
	if (parts.length <= MAX_ANSWER_MESSAGES) {
		return parts.map((part, index) => ({ kind: "text", ...part, ...(index === 0 ? first : { silent: true }) }));
	}
	const [preview] = splitText(answer.formatted, MAX_PREVIEW_CHARS);
	const caption = `The whole answer: ${answer.formatted.text.length.toLocaleString("en")} characters.`;
	return [
		...(preview === undefined ? [] : [{ kind: "text" as const, ...preview, ...first }]),
		{ kind: "document", filename: answer.filename, content: answer.source.slice(0, MAX_FILE_CHARS), caption, silent: true },
	];
}
