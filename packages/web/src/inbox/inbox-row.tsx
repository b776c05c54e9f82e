import type { InboxItem } from "@rightseat/protocol/model/inbox";
import { Check, Clock } from "lucide-react";
import type { Ref } from "react";
import { PlanCard } from "../agent/plan-card.tsx";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { useApp } from "../state/use-page.tsx";
import { FormCard } from "../transcript/cards/form-card.tsx";
import { PermissionCard } from "../transcript/cards/permission-card.tsx";
import { QuestionCard } from "../transcript/cards/question-card.tsx";
import { TimeStamp } from "../transcript/cards/time-stamp.tsx";
import { Button } from "../ui/button.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { BudgetCard } from "../usage/budget-card.tsx";
import { inboxWords } from "./inbox-messages.ts";
import { whyText } from "./inbox-text.ts";
import { snoozeTimes } from "./snooze-times.ts";

/** One item: what it is, since when, and everything that can be done about it, in reach of a thumb. */
export function InboxRow({
	item,
	ref,
	onOpen,
	onSeen,
	onSnooze,
	onMissed,
}: {
	item: InboxItem;
	ref: Ref<HTMLLIElement>;
	onOpen: () => void;
	onSeen: () => void;
	onSnooze: (until: Date) => void;
	onMissed: (scheduleId: string, decision: "run" | "skip") => void;
}) {
	const t = useWords(inboxWords);
	const language = useLanguage();
	const sentences = useApp((state) => state.sentences);
	const host = useApp(({ hosts }) => hosts.find(({ id, self }) => id === item.host?.id && !self));
	const { kind, conversationId, question, permission, plan, budget, form, scheduleId } = item;
	const isAsked = (question ?? permission ?? plan ?? budget ?? form) !== undefined;
	const isHeld = kind === "question" || kind === "permission" || kind === "plan" || kind === "budget" || kind === "form";
	const title = item.title === "" ? t("untitled") : item.title;
	return (
		<li ref={ref} tabIndex={-1} data-item={item.id} className="border-b px-3 py-3 outline-none focus:bg-hover">
			<div className="flex items-baseline gap-2">
				<span className="shrink-0 font-medium text-accent text-xs">{t(`kind.${kind}`)}</span>
				<span dir="auto" className="min-w-0 flex-1 truncate font-medium text-sm" title={title}>
					{title}
				</span>
				{host !== undefined && (
					<span className="max-w-32 shrink-0 truncate rounded border px-1.5 text-muted text-xs" title={host.name}>
						{host.name}
						{host.state === "offline" && ` (${t("hostOffline")})`}
					</span>
				)}
				<span className="shrink-0 text-muted text-xs">
					<TimeStamp at={item.since} />
				</span>
			</div>
			{question !== undefined && conversationId !== null && (
				<div className="pt-2">
					<QuestionCard conversationId={conversationId} question={question} />
				</div>
			)}
			{permission !== undefined && conversationId !== null && (
				<div className="pt-2">
					<PermissionCard conversationId={conversationId} request={permission} />
				</div>
			)}
			{plan !== undefined && conversationId !== null && (
				<div className="pt-2">
					<PlanCard conversationId={conversationId} request={plan} />
				</div>
			)}
			{budget !== undefined && conversationId !== null && (
				<div className="pt-2">
					<BudgetCard conversationId={conversationId} request={budget} />
				</div>
			)}
			{form !== undefined && conversationId !== null && (
				<div className="pt-2">
					<FormCard conversationId={conversationId} request={form} />
				</div>
			)}
			{!isAsked && (
				<p dir="auto" className="break-words pt-1 text-muted text-sm">
					{whyText(item, { language, sentences })}
				</p>
			)}
			<div className="flex flex-wrap gap-2 pt-2 *:pointer-coarse:min-h-11 *:pointer-coarse:flex-1">
				{conversationId !== null && (
					<Button small onClick={onOpen}>
						{t("open")}
					</Button>
				)}
				{scheduleId !== undefined && (
					<>
						<Button small onClick={() => onMissed(scheduleId, "run")}>
							{t("makeUp")}
						</Button>
						<Button small onClick={() => onMissed(scheduleId, "skip")}>
							{t("skip")}
						</Button>
					</>
				)}
				{!isHeld && (
					<Button small kind="quiet" icon={<Check size={14} aria-hidden />} onClick={onSeen}>
						{t("seen")}
					</Button>
				)}
				<Menu
					align="start"
					trigger={
						<Button small kind="quiet" icon={<Clock size={14} aria-hidden />} className="pointer-coarse:min-h-11 pointer-coarse:flex-1">
							{t("snooze")}
						</Button>
					}
				>
					{snoozeTimes(new Date()).map(({ name, until }) => (
						<MenuItem key={name} onSelect={() => onSnooze(until)}>
							{t(`until.${name}`)}
						</MenuItem>
					))}
				</Menu>
			</div>
		</li>
	);
}
