import type { TurnAsk } from "@rightseat/protocol/model/turn";
import { visibleLine } from "@rightseat/protocol/visible-command";
import { CircleHelp } from "lucide-react";
import { useWords } from "../../i18n/use-words.tsx";
import { cardWords } from "./card-messages.ts";

const DECISIONS = ["approve-once", "approve-for-session", "reject"] as const;
const MAX_TEXT_CHARS = 500;

/** How a question or permission request ended, also when somebody answered elsewhere. */
export function SettledNote({ request }: { request: TurnAsk }) {
	const t = useWords(cardWords);
	const { text, more } = visibleLine(request.text, MAX_TEXT_CHARS);
	const given = request.answer === undefined || request.answer === "" ? t("emptyAnswer") : request.answer;
	const decided = request.kind === "permission" ? DECISIONS.find((decision) => decision === given) : undefined;
	const answer = decided === undefined ? given : t(`decided.${decided}`);
	const words =
		request.outcome === "expired"
			? t("expired")
			: request.outcome === "aborted"
				? t("cancelled")
				: request.by === "telegram"
					? t("answeredBy", { where: "Telegram", answer })
					: t("answered", { answer });
	return (
		<p className="note">
			<CircleHelp size={14} aria-hidden />
			<span>
				{text}
				{more > 0 && t("moreChars", { count: more })} <strong>{words}</strong>
			</span>
		</p>
	);
}
