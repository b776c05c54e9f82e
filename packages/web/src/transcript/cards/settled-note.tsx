import type { TurnAsk } from "@rightseat/protocol/model/turn";
import { visibleLine } from "@rightseat/protocol/visible-command";
import { CircleHelp } from "lucide-react";
import { useWords } from "../../i18n/use-words.tsx";
import { cardWords } from "./card-messages.ts";
import { PlanOfNote } from "./plan-cards.tsx";

const DECISIONS = {
	// A form is kept as a question, with what was done instead of an answer.
	question: [],
	permission: ["approve-once", "approve-for-session", "approve-always", "reject"],
	budget: ["once", "raise", "stop"],
	plan: ["interactive", "autopilot", "exit_only", "reject"],
} as const;
const FORM_ACTIONS = ["accept", "decline", "cancel"] as const;
type Decision = (typeof DECISIONS)[keyof typeof DECISIONS][number] | (typeof FORM_ACTIONS)[number];
const MAX_TEXT_CHARS = 500;

/** A plan may be taken or sent back without a word. */
const ownWords = ({ approved }: TurnAsk, empty: string) => (approved === undefined ? empty : approved ? "interactive" : "reject");

/** How a question or permission request ended, also when somebody answered elsewhere. */
export function SettledNote({ request }: { request: TurnAsk }) {
	const t = useWords(cardWords);
	const { kind, reached } = request;
	const isPlan = kind === "plan";
	const asked = isPlan ? t("plan") : reached === undefined ? request.text : t("limit", { used: reached.used, limit: reached.limit });
	const { text, more } = visibleLine(asked, MAX_TEXT_CHARS);
	const given = request.answer === undefined || request.answer === "" ? ownWords(request, t("emptyAnswer")) : request.answer;
	const decisions: readonly Decision[] = request.form === undefined ? DECISIONS[kind] : FORM_ACTIONS;
	const decided = decisions.find((decision) => decision === given);
	const answer = decided === undefined ? given : t(`decided.${decided}`);
	const words =
		request.outcome === "expired" && kind !== "budget"
			? t("expired")
			: request.outcome === "aborted"
				? t("cancelled")
				: request.by === "telegram"
					? t("answeredBy", { where: "Telegram", answer })
					: t("answered", { answer });
	const note = (
		<p className="note">
			<CircleHelp size={14} aria-hidden />
			<span>
				{text}
				{more > 0 && t("moreChars", { count: more })} <strong>{words}</strong>
			</span>
		</p>
	);
	if (!isPlan) return note;
	return (
		<>
			{note}
			<PlanOfNote plan={`${request.text}\n\n${request.plan ?? ""}`} />
		</>
	);
}
