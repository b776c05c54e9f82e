import type { UserMessage } from "@rightseat/protocol/model/message";
import { CornerDownRight } from "lucide-react";
import { useWords } from "../../i18n/use-words.tsx";
import { transcriptWords } from "../transcript-messages.ts";
import { useWholeMessage } from "../whole/use-whole-message.ts";
import { WholeNote } from "../whole/whole-note.tsx";

/** A prompt that joined a turn while it ran. */
export function SteeredPrompt(props: { conversationId: string; message: UserMessage }) {
	const t = useWords(transcriptWords);
	const { message, note } = useWholeMessage(props.conversationId, props.message);
	return (
		<>
			<div className="steered">
				<CornerDownRight size={15} role="img" aria-label={t("steered")} />
				<p className="bubble">{message.content}</p>
			</div>
			{note !== undefined && <WholeNote {...note} />}
		</>
	);
}
