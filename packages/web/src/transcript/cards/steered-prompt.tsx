import type { UserMessage } from "@rightseat/protocol/model/message";
import { CornerDownRight } from "lucide-react";
import { useWords } from "../../i18n/use-words.tsx";
import { transcriptWords } from "../transcript-messages.ts";

/** A prompt that joined a turn while it ran. */
export function SteeredPrompt({ message }: { message: UserMessage }) {
	const t = useWords(transcriptWords);
	return (
		<div className="steered">
			<CornerDownRight size={15} role="img" aria-label={t("steered")} />
			<p className="bubble">{message.content}</p>
		</div>
	);
}
