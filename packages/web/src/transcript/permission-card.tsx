import type { PermissionRequest } from "@rightseat/protocol/entities";
import { useRef } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { useActions } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { cardWords } from "./card-words.ts";
import { Countdown } from "./countdown.tsx";
import { OutputText } from "./output-text.tsx";
import { useHandFocusOn } from "./use-hand-focus-on.ts";

/** The agent wants to do something and asks first, with the full command or change in view. */
export function PermissionCard({ conversationId, request }: { conversationId: string; request: PermissionRequest }) {
	const t = useWords(cardWords);
	const { decide } = useActions();
	const { requestId } = request;
	const card = useRef<HTMLDivElement>(null);
	useHandFocusOn(card);
	return (
		// biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like this everywhere.
		<div ref={card} role="group" aria-label={t("permission")} className="ask">
			<div className="ask-head">
				<strong>{t("permission")}</strong>
				<Countdown until={request.expiresAt} />
			</div>
			<p className="break-words">{request.summary}</p>
			{request.detail !== undefined && request.detail !== request.summary && (
				<div className="ask-detail">
					<OutputText text={request.detail} live={false} />
				</div>
			)}
			<div className="flex flex-wrap gap-2">
				<Button kind="primary" onClick={() => decide({ conversationId, requestId, decision: "approve-once" })}>
					{t("allowOnce")}
				</Button>
				<Button onClick={() => decide({ conversationId, requestId, decision: "approve-for-session" })}>{t("allowSession")}</Button>
				<Button kind="danger" onClick={() => decide({ conversationId, requestId, decision: "reject" })}>
					{t("reject")}
				</Button>
			</div>
		</div>
	);
}
