import type { TurnAsk } from "@rightseat/protocol/entities";
import { CircleHelp } from "lucide-react";
import { useWords } from "../i18n/use-words.tsx";
import { cardWords } from "./card-words.ts";

/** How a question or permission request ended, also when somebody answered elsewhere. */
export function SettledNote({ request }: { request: TurnAsk }) {
	const t = useWords(cardWords);
	const answer = request.answer === undefined || request.answer === "" ? t("emptyAnswer") : request.answer;
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
				{request.text} <strong>{words}</strong>
			</span>
		</p>
	);
}
