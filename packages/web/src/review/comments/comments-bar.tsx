import { MAX_TYPED_CHARS } from "@rightseat/protocol/limits";
import { MessageSquareText } from "lucide-react";
import { useState } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { useActions } from "../../state/use-page.tsx";
import { Button } from "../../ui/button.tsx";
import { CommentView } from "./comment-box.tsx";
import { commentWords } from "./comment-messages.ts";
import { commentPrompt, whereOf } from "./comment-prompt.ts";
import type { Comments } from "./use-comments.ts";

/** How many comments wait, and the button that sends them as one prompt; nothing while there are none. */
export function CommentsBar({
	conversationId,
	comments,
	stale,
}: {
	conversationId: string;
	comments: Comments;
	stale: ReadonlySet<string>;
}) {
	const t = useWords(commentWords);
	const { sendPrompt, toast } = useActions();
	const [listed, setListed] = useState(false);
	const [busy, setBusy] = useState(false);
	const count = comments.all.length;
	if (count === 0) return null;
	const send = async () => {
		const prompt = commentPrompt(comments.all, stale, t);
		if (prompt.length > MAX_TYPED_CHARS) return void toast({ kind: "error", text: t("tooLong") });
		setBusy(true);
		const taken = await sendPrompt({ conversationId, prompt });
		setBusy(false);
		if (!taken) return;
		comments.clear();
		toast({ kind: "info", text: t("sent") });
	};
	const discard = () => {
		const { all } = comments;
		comments.clear();
		toast({ kind: "info", text: t("discarded", { count }), action: { label: t("undo"), run: () => comments.restore(all) } });
	};
	return (
		<>
			{listed && (
				<ul aria-label={t("count", { count })} className="rv-comments">
					{comments.all.map((comment) => (
						<li key={comment.id}>
							<p className="truncate font-mono text-muted text-xs">{whereOf(comment, t)}</p>
							<CommentView
								comment={comment}
								stale={stale.has(comment.id)}
								onChange={(text) => comments.change(comment.id, text)}
								onRemove={() => comments.remove(comment.id)}
							/>
						</li>
					))}
				</ul>
			)}
			<div className="rv-bar">
				<Button
					small
					kind="quiet"
					icon={<MessageSquareText size={16} className="max-sm:hidden" />}
					aria-expanded={listed}
					onClick={() => setListed(!listed)}
				>
					<span role="status">{t("count", { count })}</span>
				</Button>
				<span className="flex-1" />
				<Button small kind="quiet" onClick={discard}>
					{t("discardAll")}
				</Button>
				<Button small kind="primary" disabled={busy} onClick={() => void send()}>
					{t("send")}
				</Button>
			</div>
		</>
	);
}
