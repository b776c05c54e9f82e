import type { PermissionRequest } from "@rightseat/protocol/model/ask";
import { visibleCommand, visibleLine } from "@rightseat/protocol/visible-command";
import { useRef } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { useActions } from "../../state/use-page.tsx";
import { Button } from "../../ui/button.tsx";
import { cardWords } from "./card-messages.ts";
import { Countdown } from "./countdown.tsx";
import { permissionTitle } from "./permission-title.ts";
import { Remembered } from "./remembered.tsx";
import { useMoveFocus } from "./use-move-focus.ts";
import { WholeCommand } from "./whole-command.tsx";

/** Longer ones are cut; whatever is to be allowed is below, whole. */
const MAX_SUMMARY_CHARS = 300;

/** The agent wants to do something and asks first; the whole command or change stands above the buttons. */
export function PermissionCard({ conversationId, request }: { conversationId: string; request: PermissionRequest }) {
	const t = useWords(cardWords);
	const { decide } = useActions();
	const { requestId } = request;
	const card = useRef<HTMLDivElement>(null);
	useMoveFocus(card);
	const title = permissionTitle(request);
	const cut = request.truncated !== undefined;
	const summary = visibleLine(request.summary, MAX_SUMMARY_CHARS);
	return (
		// biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like this everywhere.
		<div ref={card} role="group" aria-label={t("permission")} className="ask">
			<div className="ask-head">
				<strong>{t("permission")}</strong>
				<Countdown until={request.expiresAt} />
			</div>
			{request.agentName !== undefined && (
				<p className="break-words text-muted text-sm">{t("bySubAgent", { name: visibleCommand(request.agentName) })}</p>
			)}
			<p className="break-words">{t(title.words, { tool: visibleCommand(title.tool) })}</p>
			{title.withSummary && (
				<p className="ask-summary">
					{summary.text}
					{summary.more > 0 && <span className="text-muted">{t("moreChars", { count: summary.more })}</span>}
				</p>
			)}
			{request.detail !== undefined && <WholeCommand text={request.detail} />}
			{cut && <p className="ask-note text-danger">{t("cutPermission", { count: request.truncated ?? 0 })}</p>}
			<div className="flex flex-wrap gap-2">
				{!cut && (
					<>
						<Button kind="primary" onClick={() => decide({ conversationId, requestId, decision: "approve-once" })}>
							{t("allowOnce")}
						</Button>
						<Button onClick={() => decide({ conversationId, requestId, decision: "approve-for-session" })}>{t("allowSession")}</Button>
					</>
				)}
				<Button kind="danger" onClick={() => decide({ conversationId, requestId, decision: "reject" })}>
					{t("reject")}
				</Button>
			</div>
			{!cut && request.remember !== undefined && <Remembered rules={request.remember} asked={{ conversationId, request }} />}
		</div>
	);
}
