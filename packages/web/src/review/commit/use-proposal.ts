import { useEffect, useRef, useState } from "react";
import { useActions, useApp } from "../../state/use-page.tsx";

/** Asks the agent for a text in a prompt that everybody sees, and hands over the answer when it is there. */
export function useProposal(conversationId: string, onText: (text: string) => void): { ask: (prompt: string) => void; waiting: boolean } {
	const { sendPrompt } = useActions();
	const messages = useApp((state) => state.views[conversationId]?.messages);
	const [known, setKnown] = useState<ReadonlySet<string>>();
	const handler = useRef(onText);
	handler.current = onText;
	useEffect(() => {
		if (known === undefined) return;
		const answer = messages?.find(({ id, role }) => role === "assistant" && !known.has(id));
		if (answer === undefined) return;
		setKnown(undefined);
		const text = plain(answer.content);
		if (text !== "") handler.current(text);
	}, [messages, known]);
	return {
		waiting: known !== undefined,
		ask(prompt) {
			setKnown(new Set(messages?.map(({ id }) => id)));
			void sendPrompt({ conversationId, prompt }).then((taken) => {
				if (!taken) setKnown(undefined);
			});
		},
	};
}

/** Agents put a message into a code block all the same. */
export function plain(content: string): string {
	const fenced = /```[^\n]*\n([\s\S]*?)\n?```/.exec(content);
	return (fenced?.[1] ?? content).trim();
}
