import { formatElapsed } from "@rightseat/protocol/duration";
import type { RunningTurn } from "@rightseat/protocol/model/turn";
import { DURATION_UNITS } from "../../i18n/duration-units.ts";
import { useErrorText } from "../../i18n/use-error-text.ts";
import { useLanguage, useWords } from "../../i18n/use-words.tsx";
import { useApp } from "../../state/use-page.tsx";
import { transcriptWords } from "../transcript-messages.ts";
import { useNow } from "../use-now.ts";

/** Why nothing is moving right now: waiting for a person, a tool, the model, or what the runtime said about it. */
export function TurnStatus({ turn, conversationId }: { turn: RunningTurn; conversationId: string }) {
	const t = useWords(transcriptWords);
	const language = useLanguage();
	const errorText = useErrorText();
	const asking = useApp((state) => {
		const view = state.views[conversationId];
		return (
			view !== undefined &&
			view.questions.length + view.permissions.length + view.plans.length + view.budgets.length + view.forms.length > 0
		);
	});
	const now = useNow(true);
	const tool = turn.tools.findLast((record) => record.success === undefined);
	const elapsed = (since: number) => formatElapsed(Math.max(1_000, now - since), DURATION_UNITS[language]);
	let words = t("working", { time: elapsed(Date.parse(turn.startedAt)) });
	if (asking) words = t("waitingForYou");
	else if (turn.notice !== undefined) words = errorText(turn.notice);
	else if (tool !== undefined)
		words = t("runningTool", { tool: tool.toolName, time: elapsed(Date.parse(tool.startedAt ?? turn.startedAt)) });
	return (
		<p className="turn-status">
			<span className="pulse-dot size-2 rounded-full bg-accent" />
			<span>{words}</span>
		</p>
	);
}
