import type { PlanEntry } from "@rightseat/protocol/model/turn";
import { ChevronRight, Circle, CircleCheck, CircleDot, ListTodo } from "lucide-react";
import { useState } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { defineWords } from "../../i18n/words.ts";
import { Visible } from "../../ui/visible.tsx";

const planWords = defineWords(
	{
		plan: "Plan",
		done: "{done} of {count} done",
		pending: "to do",
		in_progress: "in progress",
		completed: "done",
	},
	{
		plan: "計畫",
		done: "已完成 {done}／{count}",
		pending: "待辦",
		in_progress: "進行中",
		completed: "已完成",
	},
);

const MARKS = { pending: Circle, in_progress: CircleDot, completed: CircleCheck };

export interface PlanProps {
	entries: readonly PlanEntry[];
	/** Open while the turn runs; folded afterwards. */
	live: boolean;
}

/** The agent's plan as it stands: what it has done, does and means to do. */
export function Plan({ entries, live }: PlanProps) {
	const t = useWords(planWords);
	const [asked, setAsked] = useState<boolean>();
	const open = asked ?? live;
	const done = entries.filter(({ status }) => status === "completed").length;
	return (
		<div className="tools">
			<div className="tool">
				<details open={open} onToggle={({ currentTarget }) => currentTarget.open !== open && setAsked(currentTarget.open)}>
					<summary>
						<ChevronRight size={15} className="fold-mark" aria-hidden />
						<ListTodo size={15} className="tool-icon" aria-hidden />
						<span className="tool-name">{t("plan")}</span>
						<span className="tool-detail">{t("done", { done, count: entries.length })}</span>
					</summary>
					<ol aria-label={t("plan")} className="grid gap-1 px-3 pb-3 text-sm">
						{entries.map(({ content, status }, index) => {
							const Mark = MARKS[status];
							return (
								// biome-ignore lint/suspicious/noArrayIndexKey: a step of a plan is its place.
								<li key={index} className="flex gap-2">
									<Mark size={15} aria-hidden className={`mt-0.5 shrink-0 ${status === "pending" ? "text-muted" : "text-accent"}`} />
									<span className={status === "completed" ? "text-muted" : undefined}>
										<Visible text={content} />
										<span className="sr-only"> ({t(status)})</span>
									</span>
								</li>
							);
						})}
					</ol>
				</details>
			</div>
		</div>
	);
}
