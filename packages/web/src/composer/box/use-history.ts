import type { Message } from "@rightseat/protocol/model/message";
import { useEffect, useState } from "react";
import { caretAllowsHistory, emptyHistory, lineOf, newer, older, remember } from "./input-history.ts";

/** What was said in this conversation, for the arrows; it is there after a reload, too. */
export function useHistory(messages: readonly Message[]) {
	const [history, setHistory] = useState(emptyHistory);
	useEffect(() => {
		setHistory(messages.map(lineOf).reduce(remember, emptyHistory()));
	}, [messages]);
	return {
		remember: (line: string) => setHistory((before) => remember(before, line)),
		/** The line to show, or undefined when the arrow only moves the caret. */
		walk(direction: "older" | "newer", text: string, caret: number): string | undefined {
			if (!caretAllowsHistory(text, caret, direction)) return undefined;
			const step = direction === "older" ? older(history, text) : newer(history);
			if (step !== undefined) setHistory(step.history);
			return step?.text;
		},
	};
}
