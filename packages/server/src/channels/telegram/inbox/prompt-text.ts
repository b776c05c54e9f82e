import type { Incoming } from "./incoming.ts";

const MAX_QUOTE_CHARS = 1_000;

/** What one message adds to a prompt. Kept while the prompt is queued, so that an edited message changes only its own part. */
export interface Piece {
	text: string;
	/** What a machine heard in a voice message. */
	transcript?: string;
	forwardedFrom?: string;
	/** What the message replies to. */
	quoted?: string;
	/** It came with files: it is no part of a paste. */
	hasFiles?: true;
}

export function pieceOf(message: Incoming, transcript: string | undefined): Piece {
	const quoted = message.repliedTo?.text.trim().slice(0, MAX_QUOTE_CHARS).toWellFormed() ?? "";
	return {
		text: message.text,
		...(transcript === undefined ? {} : { transcript }),
		...(message.forwardedFrom === undefined ? {} : { forwardedFrom: message.forwardedFrom }),
		...(quoted !== "" ? { quoted } : {}),
		...(message.files.length > 0 ? { hasFiles: true } : {}),
	};
}

/** A prompt that is more than the text of its only message. */
export const isComposed = (pieces: Piece[]) => pieces.length !== 1 || promptText(pieces) !== pieces[0]?.text;

/** What the agent gets of messages that belong together: a paste without a seam, forwards named, a reply with what it replies to. */
export function promptText(pieces: Piece[]): string {
	const quoted = pieces[0]?.quoted ?? "";
	if (quoted === "") return bodyText(pieces);
	const lines = quoted.split("\n").map((line) => `> ${line}`);
	return `[In reply to]\n${lines.join("\n")}\n\n${bodyText(pieces)}`;
}

/** The same without the quotation: what it replies to is known where it goes. */
export function bodyText(pieces: Piece[]): string {
	const isPaste = pieces.every((piece) => piece.forwardedFrom === undefined && piece.transcript === undefined && piece.hasFiles !== true);
	if (isPaste) return pieces.map((piece) => piece.text).join("");
	return pieces
		.map(textOf)
		.filter((text) => text !== "")
		.join("\n\n");
}

function textOf({ text, transcript, forwardedFrom }: Piece): string {
	const heard = transcript === undefined ? "" : `[Voice message, transcribed by a machine]\n${transcript}`;
	const said = [text, heard].filter((part) => part !== "").join("\n\n");
	return forwardedFrom === undefined || said === "" ? said : `[Forwarded from ${forwardedFrom}]\n${said}`;
}
