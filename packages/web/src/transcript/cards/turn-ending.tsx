import type { AssistantMessage } from "@rightseat/protocol/model/message";
import { CirclePause, CircleX, RotateCcw, StepForward } from "lucide-react";
import { useErrorText } from "../../i18n/use-error-text.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { useActions } from "../../state/use-page.tsx";
import { Button } from "../../ui/button.tsx";
import { transcriptWords } from "../transcript-messages.ts";

/** How a turn ended when it did not end well, and what to do about it. */
export function TurnEnding({ conversationId, message, newest }: { conversationId: string; message: AssistantMessage; newest: boolean }) {
	const t = useWords(transcriptWords);
	const errorText = useErrorText();
	const { continueTurn, retryTurn } = useActions();
	const { outcome, error } = message.metadata;
	if (outcome === "completed") return null;
	const onContinue = () => void continueTurn(conversationId);
	const onRetry = () => void retryTurn(conversationId, message.id);
	const failed = outcome === "error";
	const Icon = failed ? CircleX : CirclePause;
	const title = failed ? t("failed") : outcome === "aborted" ? t("stopped") : t("interrupted");
	const hint = error === undefined ? undefined : errorText(error);
	const words = hint ?? (outcome === "interrupted" ? t("interruptedHint") : undefined);
	return (
		<div className={failed ? "ending ending-failed" : "ending"}>
			<Icon size={16} aria-hidden />
			<div className="ending-words">
				<strong>{title}</strong>
				{words !== undefined && <p className="break-words">{words}</p>}
			</div>
			{newest && (failed || outcome === "interrupted") && (
				<Button small icon={<RotateCcw size={14} />} onClick={onRetry}>
					{t("retry")}
				</Button>
			)}
			{newest && !failed && (
				<Button small icon={<StepForward size={14} />} onClick={onContinue}>
					{t("continue")}
				</Button>
			)}
		</div>
	);
}
