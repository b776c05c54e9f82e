import type { FormattedText } from "../format/formatted-text.ts";
import { MAX_MESSAGE_CHARS, splitText } from "../format/split-text.ts";
import type { Outgoing } from "../outbox/outbox-store.ts";

/** An answer of more messages than this is a preview and a file. */
const MAX_ANSWER_MESSAGES = 3;
const MAX_PREVIEW_CHARS = 3_500;
const MAX_CAPTION_CHARS = 1_000;
/** The file holds at most this much; what an agent says is far below it. */
export const MAX_FILE_CHARS = 4_000_000;

/** Markdown that is rendered at all. A longer answer is a file anyway, and rendering holds up everybody. */
export const MAX_RENDERED_CHARS = 24_000;
/** Enough Markdown for a preview. */
const PREVIEW_SOURCE_CHARS = 12_000;

/** The messages that carry one answer. Only the first replies and rings. */
export function answerMessages(answer: {
	/** As the agent wrote it, for the file. */
	source: string;
	/** What the bot adds about how it ended. */
	note: string;
	/** What the file says about itself. */
	caption: (length: number, isWhole: boolean) => string;
	render: (markdown: string) => FormattedText;
	filename: string;
	silent: boolean;
	replyTo?: number;
}): Outgoing[] {
	const first = { silent: answer.silent, replyTo: answer.replyTo };
	const markdown = [answer.source, answer.note].filter((part) => part !== "").join("\n\n");
	if (markdown.length <= MAX_RENDERED_CHARS) {
		const parts = splitText(answer.render(markdown), MAX_MESSAGE_CHARS, MAX_ANSWER_MESSAGES + 1);
		if (parts.length <= MAX_ANSWER_MESSAGES) {
			return parts.map((part, index) => ({ kind: "text", ...part, ...(index === 0 ? first : { silent: true }) }));
		}
	}
	const [preview] = splitText(answer.render(markdown.slice(0, PREVIEW_SOURCE_CHARS).toWellFormed()), MAX_PREVIEW_CHARS, 1);
	const content = answer.source.slice(0, MAX_FILE_CHARS).toWellFormed();
	const caption = [answer.caption(content.length, answer.source.length <= MAX_FILE_CHARS), answer.note]
		.filter((part) => part !== "")
		.join("\n")
		.slice(0, MAX_CAPTION_CHARS)
		.toWellFormed();
	return [
		...(preview === undefined ? [] : [{ kind: "text" as const, ...preview, ...first }]),
		{ kind: "document", filename: answer.filename, content, caption, silent: true },
	];
}
