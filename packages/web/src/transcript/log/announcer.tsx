import { visibleLine } from "@rightseat/protocol/visible-command";
import { useEffect, useRef, useState } from "react";
import type { ConversationView } from "../../conversation/conversation-view.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { transcriptWords } from "../transcript-messages.ts";

const MAX_SUMMARY_CHARS = 300;

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
			setWords(`${end}. ${last.content.slice(0, 300)}`);
		}
		wasRunning.current = running;
	}, [running, last, t]);
	const question = view.questions.at(-1);
	const permission = view.permissions.at(-1);
	const plan = view.plans.at(-1);
	const budget = view.budgets.at(-1);
	const form = view.forms.at(-1);
	useEffect(() => {
		if (question !== undefined) setWords(t("agentAsks", { question: question.question }));
		else if (form !== undefined) setWords(t("agentAsks", { question: `${form.source}: ${form.message}` }));
		else if (plan !== undefined) setWords(t("agentHasPlan", { summary: plan.summary.slice(0, MAX_SUMMARY_CHARS) }));
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
