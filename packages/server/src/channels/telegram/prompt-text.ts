import type { Incoming } from "./incoming.ts";

const MAX_QUOTE_CHARS = 1_000;

/** What the agent gets of messages that belong together: a paste without a seam, forwards named, a reply with what it replies to. */
export function promptText(messages: Incoming[]): string {
	const isPaste = messages.every((message) => message.forwardedFrom === undefined && message.files.length === 0);
	const texts = messages.map((message) => {
		const text = message.text;
		return message.forwardedFrom === undefined || text === "" ? text : `[Forwarded from ${message.forwardedFrom}]\n${text}`;
	});
	const body = isPaste ? texts.join("") : texts.filter((text) => text !== "").join("\n\n");
	const quoted = messages[0]?.repliedTo?.text.trim() ?? "";
	if (quoted === "") return body;
	const lines = quoted.slice(0, MAX_QUOTE_CHARS).toWellFormed().split("\n");
	return `[In reply to]\n${lines.map((line) => `> ${line}`).join("\n")}\n\n${body}`;
}
