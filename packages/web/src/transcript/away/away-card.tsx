import { History, X } from "lucide-react";
import { useMemo, useState } from "react";
import type { ConversationView } from "../../conversation/conversation-view.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { useActions, useApp } from "../../state/use-page.tsx";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Visible } from "../../ui/visible.tsx";
import { awayWords } from "./away-messages.ts";
import { type AwaySummary, summarizeAway } from "./away-summary.ts";

const LISTED = 8;

/** What happened between the last look and the return, from the log alone. */
export function AwayCard(props: { conversationId: string; view: ConversationView; reveal: (key: string) => boolean }) {
	const { conversationId, view, reveal } = props;
	const t = useWords(awayWords);
	const absence = useApp((state) => state.away[conversationId]);
	const { dismissAway } = useActions();
	const [open, setOpen] = useState(false);
	const summary = useMemo(() => (absence === undefined ? undefined : summarizeAway(view, absence)), [view, absence]);
	if (summary === undefined) return null;
	const first = summary.turns[0]?.messageId ?? summary.commands[0]?.messageId;
	return (
		<section aria-label={t("title")} className="away">
			<div className="flex flex-wrap items-center gap-x-3 gap-y-1">
				<History size={16} className="text-accent" aria-hidden />
				<strong>{t("title")}</strong>
				<span className="min-w-0 flex-1 text-muted">{sentence(summary, t)}</span>
				<span className="flex items-center gap-1">
					{(summary.files.length > 0 || summary.commands.length > 0) && (
						<Button small kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
							{t("details")}
						</Button>
					)}
					{first !== undefined && (
						<Button small onClick={() => reveal(first)}>
							{t("show")}
						</Button>
					)}
					<IconButton small label={t("dismiss")} icon={<X size={15} />} onClick={() => dismissAway(conversationId)} />
				</span>
			</div>
			{open && (
				<ul className="mt-2 space-y-0.5 font-mono text-xs">
					{summary.files.slice(0, LISTED).map((file) => (
						<li key={file} className="truncate">
							± <Visible text={file} />
						</li>
					))}
					{summary.commands.slice(0, LISTED).map(({ command, exitCode, failed }, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: the same command may have run twice.
						<li key={index} className="truncate">
							<span className={failed ? "text-danger" : "text-success"}>{exitCode ?? (failed ? "✗" : "·")}</span> ${" "}
							<Visible text={command} />
						</li>
					))}
					{summary.files.length + summary.commands.length > LISTED * 2 && (
						<li className="text-muted">{t("andMore", { count: summary.files.length + summary.commands.length - LISTED * 2 })}</li>
					)}
				</ul>
			)}
		</section>
	);
}

function sentence(summary: AwaySummary, t: ReturnType<typeof useWords<keyof (typeof awayWords)["en"]>>): string {
	const bad = summary.turns.filter((turn) => turn.outcome === "error" || turn.outcome === "interrupted").length;
	const badCommands = summary.commands.filter(({ failed }) => failed).length;
	const words: string[] = [];
	if (summary.questions > 0) words.push(t("questions", { count: summary.questions }));
	if (summary.turns.length - bad > 0) words.push(t("turns", { count: summary.turns.length - bad }));
	if (bad > 0) words.push(t("failed", { count: bad }));
	if (summary.files.length > 0) words.push(t("files", { count: summary.files.length }));
	if (summary.commands.length > 0)
		words.push(
			t("commands", { count: summary.commands.length }) + (badCommands > 0 ? ` (${t("failedCommands", { count: badCommands })})` : ""),
		);
	if (summary.running) words.push(t("running"));
	return words.join(" · ");
}
