import { visibleLine } from "@rightseat/protocol/visible-command";
import { useEffect, useRef, useState } from "react";
import type { ConversationView } from "../../conversation/conversation-view.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { spokenText } from "../../markdown/spoken-text.ts";
import { transcriptWords } from "../transcript-messages.ts";

const MAX_SUMMARY_CHARS = 300;
const MAX_QUESTION_CHARS = 2_000;

/** Tells screen readers the few things that matter: an answer ended, somebody is asked. Streaming text is not read as it grows. */
export function Announcer({ view }: { view: ConversationView }) {
	const t = useWords(transcriptWords);
	const [words, setWords] = useState("");
	const running = view.turn !== undefined;
	const wasRunning = useRef(running);
	const last = view.messages.at(-1);
	useEffect(() => {
		if (wasRunning.current && !running && last?.role === "assistant") {
			const { outcome } = last.metadata;
			const end =
				outcome === "completed"
					? t("answerFinished")
					: outcome === "aborted"
						? t("stopped")
						: outcome === "error"
							? t("failed")
							: t("interrupted");
			setWords(`${end}. ${spokenText(last.content, MAX_SUMMARY_CHARS)}`);
		}
		wasRunning.current = running;
	}, [running, last, t]);
	const question = view.questions.at(-1);
	const permission = view.permissions.at(-1);
	const plan = view.plans.at(-1);
	const budget = view.budgets.at(-1);
	const form = view.forms.at(-1);
	useEffect(() => {
		if (question !== undefined) setWords(t("agentAsks", { question: spokenText(question.question, MAX_QUESTION_CHARS) }));
		else if (form !== undefined) setWords(t("agentAsks", { question: `${form.source}: ${form.message}` }));
		else if (plan !== undefined) setWords(t("agentHasPlan", { summary: spokenText(plan.summary, MAX_SUMMARY_CHARS) }));
		else if (budget !== undefined) setWords(t("limitReached"));
		else if (permission !== undefined) {
			const { text, more } = visibleLine(permission.summary, MAX_SUMMARY_CHARS);
			setWords(t("agentWantsPermission", { summary: more === 0 ? text : `${text}… ${t("moreChars", { count: more })}` }));
		}
	}, [question, permission, plan, budget, form, t]);
	return (
		<div aria-live="polite" className="sr-only">
			{words}
		</div>
	);
}
