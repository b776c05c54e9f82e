import type { Question } from "@rightseat/protocol/model/ask";
import { type FormEvent, useId, useRef, useState } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { Markdown } from "../../markdown/markdown.tsx";
import { useActions } from "../../state/use-page.tsx";
import { Button } from "../../ui/button.tsx";
import { cardWords } from "./card-messages.ts";
import { Countdown } from "./countdown.tsx";
import { useMoveFocus } from "./use-move-focus.ts";

/** The agent waits for a person: a button per choice, a box for anything else, and how long it waits. */
export function QuestionCard({ conversationId, question }: { conversationId: string; question: Question }) {
	const t = useWords(cardWords);
	const { answer } = useActions();
	const [text, setText] = useState("");
	const inputId = useId();
	const card = useRef<HTMLDivElement>(null);
	useMoveFocus(card);
	const reply = (words: string, wasFreeform: boolean) =>
		answer({ conversationId, requestId: question.requestId, answer: words, wasFreeform });
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (text.trim() !== "") reply(text, true);
	};
	return (
		// biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like this everywhere.
		<div ref={card} role="group" aria-label={t("question")} className="ask">
			<div className="ask-head">
				<strong>{t("question")}</strong>
				<Countdown until={question.expiresAt} />
			</div>
			<Markdown text={question.question} />
			{question.choices !== undefined && question.choices.length > 0 && (
				<div className="flex flex-wrap gap-2">
					{question.choices.map((choice) => (
						<Button key={choice} onClick={() => reply(choice, false)} className="max-w-full whitespace-normal py-1.5 text-left">
							{choice}
						</Button>
					))}
				</div>
			)}
			{question.allowFreeform && (
				<form className="flex gap-2" onSubmit={submit}>
					<label htmlFor={inputId} className="sr-only">
						{t("answer")}
					</label>
					<input
						id={inputId}
						value={text}
						onChange={(event) => setText(event.target.value)}
						placeholder={t("answer")}
						autoComplete="off"
						className="min-h-9 min-w-0 flex-1 rounded-lg border border-line-strong bg-surface px-3 text-base sm:text-sm"
					/>
					<Button type="submit" kind="primary" disabled={text.trim() === ""}>
						{t("sendAnswer")}
					</Button>
				</form>
			)}
		</div>
	);
}
