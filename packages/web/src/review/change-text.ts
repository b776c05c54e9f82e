import type { Change } from "@rightseat/protocol/model/change";
import { visibleLine } from "@rightseat/protocol/visible-command";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { useApp } from "../state/use-page.tsx";
import { reviewWords } from "./review-messages.ts";

/** Longer beginnings of prompts and commands do not tell more. */
const MAX_LABEL_CHARS = 60;

/** One line for a change: when, what it came from, how much. */
export function useChangeText(): (change: Change) => string {
	const t = useWords(reviewWords);
	const language = useLanguage();
	const messages = useApp((state) => (state.openId === undefined ? undefined : state.views[state.openId]?.messages));
	const time = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });
	const day = new Intl.DateTimeFormat(language, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
	return (change) => {
		const at = new Date(change.at);
		const today = at.toDateString() === new Date().toDateString();
		const answer = messages?.find(({ id }) => id === change.messageId);
		const prompt =
			answer?.role === "assistant" ? messages?.find(({ id }) => id === answer.metadata.inReplyTo)?.content : answer?.metadata.command;
		const kind = change.kind === "conversation" ? "" : t(`kind.${change.kind}`);
		const label = visibleLine(change.label ?? prompt ?? "", MAX_LABEL_CHARS);
		return [
			(today ? time : day).format(at),
			kind,
			`${label.text}${label.more > 0 ? "…" : ""}`,
			`${t("fileCount", { count: change.files })}${change.added > 0 ? ` +${change.added}` : ""}${change.removed > 0 ? ` −${change.removed}` : ""}`,
			change.undone ? t("isUndone") : "",
		]
			.filter((part) => part !== "")
			.join(" · ");
	};
}
