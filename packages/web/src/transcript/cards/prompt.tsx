import type { UserMessage } from "@rightseat/protocol/model/message";
import { Check, Clock3, GitFork, Paperclip, PencilLine } from "lucide-react";
import { memo, useState } from "react";
import { api } from "../../api/api.ts";
import { useWords } from "../../i18n/use-words.tsx";
import type { OutboxItem } from "../../outbox/outbox.ts";
import { usePageEvents, useUiSet } from "../../state/ui-slice.tsx";
import { useActions, useApp } from "../../state/use-page.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { transcriptWords } from "../transcript-messages.ts";
import { useWholeMessage } from "../whole/use-whole-message.ts";
import { useWholeText } from "../whole/use-whole-text.ts";
import { WholeNote } from "../whole/whole-note.tsx";
import { TimeStamp } from "./time-stamp.tsx";

/** What a person wrote, as they wrote it. */
export const Prompt = memo(function Prompt(props: { conversationId: string; message: UserMessage }) {
	const { message, note } = useWholeMessage(props.conversationId, props.message);
	const t = useWords(transcriptWords);
	const { compose } = usePageEvents();
	const setUi = useUiSet();
	const { origin, attachments } = message.metadata;
	const elsewhere = useApp(({ hosts }) => (hosts.length > 1 ? props.conversationId : undefined));
	const text = useWholeText({ conversationId: props.conversationId, message, partial: note !== undefined });
	async function editAgain(): Promise<void> {
		const whole = await text();
		if (whole !== undefined) compose.emit(whole);
	}
	async function editAndGoOn(): Promise<void> {
		const whole = await text();
		if (whole !== undefined) setUi({ fork: { conversationId: props.conversationId, messageId: message.id, text: whole } });
	}
	return (
		<article aria-label={t("you")} className="prompt">
			{attachments !== undefined && attachments.length > 0 && (
				<div className="flex max-w-full flex-wrap justify-end gap-2">
					{attachments.map((attachment) => (
						<a key={attachment.id} className="attachment" href={api.attachmentUrl(attachment.id, elsewhere)} target="_blank" rel="noopener">
							{attachment.mimeType.startsWith("image/") && attachment.mimeType !== "image/svg+xml" ? (
								<img src={api.attachmentUrl(attachment.id, elsewhere)} alt={t("attachment", { name: attachment.name })} loading="lazy" />
							) : (
								<>
									<Paperclip size={14} aria-hidden />
									<span className="truncate">{attachment.name}</span>
								</>
							)}
						</a>
					))}
				</div>
			)}
			{message.content !== "" && <Bubble text={message.content} />}
			{note !== undefined && <WholeNote {...note} />}
			<footer className="foot justify-end">
				<span className="flex">
					<IconButton small label={t("editAgain")} icon={<PencilLine size={14} />} onClick={() => void editAgain()} />
					<IconButton small label={t("editAndGoOn")} icon={<GitFork size={14} />} onClick={() => void editAndGoOn()} />
					<CopyButton label={t("copyText")} text={text} />
				</span>
				{origin !== "web" && <span>{origin === "telegram" ? t("viaTelegram") : t("viaApi")}</span>}
				<TimeStamp at={message.createdAt} />
				<Check size={14} role="img" aria-label={t("taken")} />
			</footer>
		</article>
	);
});

/** A prompt or command that the server has not confirmed yet. */
export function OutboxPrompt({ item }: { item: OutboxItem }) {
	const t = useWords(transcriptWords);
	const { retryOutbox, discardOutbox } = useActions();
	const online = useApp((state) => state.connection.kind === "open");
	const stuck = item.state === "held" || item.state === "failed";
	return (
		<article aria-label={t("you")} className="prompt">
			{item.attachments !== undefined && item.attachments.length > 0 && (
				<span className="attachment">
					<Paperclip size={14} aria-hidden />
					{t("filesAlong", { count: item.attachments.length })}
				</span>
			)}
			{item.text !== "" && <Bubble text={item.kind === "shell" ? `! ${item.text}` : item.text} />}
			<footer className="foot foot-shown justify-end">
				{stuck ? (
					<>
						<span className="text-danger">{item.state === "held" ? t("held") : item.message}</span>
						<Button small onClick={() => retryOutbox(item.clientMessageId)}>
							{item.state === "held" ? t("sendNow") : t("retry")}
						</Button>
						<Button small kind="quiet" onClick={() => discardOutbox(item.clientMessageId)}>
							{t("discard")}
						</Button>
					</>
				) : (
					<>
						<span>{item.state === "sent" ? t("sent") : online ? t("sending") : t("waitsHere")}</span>
						<Clock3 size={13} aria-hidden />
					</>
				)}
			</footer>
		</article>
	);
}

const FOLD_CHARS = 2_400;

function Bubble({ text }: { text: string }) {
	const t = useWords(transcriptWords);
	const [open, setOpen] = useState(false);
	const long = text.length > FOLD_CHARS;
	return (
		<div className="bubble">
			{long && !open ? `${text.slice(0, FOLD_CHARS)}…` : text}
			{long && (
				<button type="button" className="more" aria-expanded={open} onClick={() => setOpen(!open)}>
					{open ? t("showLess") : t("showMore")}
				</button>
			)}
		</div>
	);
}
