import { formatDuration } from "@rightseat/protocol/duration";
import type { AssistantMessage } from "@rightseat/protocol/model/message";
import { GitFork } from "lucide-react";
import { DURATION_UNITS } from "../../i18n/duration-units.ts";
import { useLanguage, useWords } from "../../i18n/use-words.tsx";
import { useUiSet } from "../../state/ui-slice.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { formatCount } from "../format.ts";
import { transcriptWords } from "../transcript-messages.ts";
import { useWholeText } from "../whole/use-whole-text.ts";
import { TimeStamp } from "./time-stamp.tsx";

/** When, how long, how much; quiet until somebody looks. */
export function AnswerFooter({
	conversationId,
	message,
	partial,
}: {
	conversationId: string;
	message: AssistantMessage;
	partial: boolean;
}) {
	const t = useWords(transcriptWords);
	const text = useWholeText({ conversationId, message, partial });
	const language = useLanguage();
	const setUi = useUiSet();
	const { usage, durationMs, model } = message.metadata;
	return (
		<footer className="foot">
			<TimeStamp at={message.createdAt} />
			{durationMs !== undefined && <span>{formatDuration(durationMs, DURATION_UNITS[language])}</span>}
			{usage !== undefined && usage.inputTokens + usage.outputTokens > 0 && (
				<span title={model ?? usage.model}>
					{t("tokens", { input: formatCount(usage.inputTokens), output: formatCount(usage.outputTokens) })}
				</span>
			)}
			{message.content !== "" && <CopyButton label={t("copyMarkdown")} text={text} />}
			<IconButton
				small
				label={t("forkFromHere")}
				icon={<GitFork size={14} />}
				onClick={() => setUi({ fork: { conversationId, messageId: message.id } })}
			/>
		</footer>
	);
}
