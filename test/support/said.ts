import type { ServerFrame } from "@rightseat/protocol/frames/server";
import type { WsClient } from "./ws-client.ts";

/** The words of the answers in these frames. */
export const textOf = (frames: readonly ServerFrame[]): string =>
	frames.flatMap((frame) => (frame.type === "copilot:delta" ? [frame.data.content] : [])).join("");

/**
 * Waits until these words were said, and gives the index of the frame that completed them. They may come in any number of pieces:
 * an agent cuts where it likes, and an end that could be the beginning of a secret waits for the next piece.
 */
export async function said(ws: WsClient, words: string, from = 0): Promise<number> {
	let text = "";
	let at = from;
	await ws.waitFor(
		"copilot:delta",
		() => {
			for (; at < ws.frames.length && !text.includes(words); at += 1) text += textOf(ws.frames.slice(at, at + 1));
			return text.includes(words);
		},
		{ from },
	);
	return at - 1;
}
