import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { useApp } from "../state/use-page.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { JobCard } from "./job-card.tsx";
import { processWords } from "./process-messages.ts";
import { sortJobs } from "./sort-jobs.ts";
import { useJobs } from "./use-jobs.ts";

/** What runs in the background: of this conversation, or of all. */
export function ProcessPanel() {
	const t = useWords(processWords);
	const openId = useApp((state) => state.openId);
	const [all, setAll] = useState(openId === undefined);
	const { jobs, refresh } = useJobs();
	const shown = sortJobs(jobs.filter((job) => all || job.conversationId === openId));
	const running = shown.filter((job) => job.status === "running").length;
	return (
		<div className="flex h-full flex-col">
			<div className="flex items-center gap-2 border-b px-3 py-1.5 text-sm">
				<fieldset className="flex rounded-lg bg-sunken p-0.5">
					<legend className="sr-only">{t("processes")}</legend>
					{[false, true].map((value) => (
						<button
							key={String(value)}
							type="button"
							aria-pressed={all === value}
							disabled={!value && openId === undefined}
							onClick={() => setAll(value)}
							className={`rounded-md px-2.5 py-1 text-xs ${all === value ? "bg-surface shadow-sm" : "text-muted"}`}
						>
							{t(value ? "all" : "thisConversation")}
						</button>
					))}
				</fieldset>
				<span role="status" className="flex-1 text-muted text-xs">
					{running > 0 ? t("runningCount", { count: running }) : ""}
				</span>
				<IconButton small label={t("refresh")} icon={<RefreshCw size={15} />} onClick={refresh} />
			</div>
			{shown.length === 0 ? (
				<div className="m-auto max-w-72 p-6 text-center">
					<p className="font-medium text-sm">{t("empty")}</p>
					<p className="pt-1 text-muted text-sm">{t("emptyHint")}</p>
				</div>
			) : (
				<ul aria-label={t("processes")} className="min-h-0 flex-1 overflow-y-auto p-3">
					{shown.map((job) => (
						<li key={`${job.conversationId} ${job.bashId}`} className="pb-2">
							<JobCard job={job} />
						</li>
					))}
				</ul>
			)}
		</div>
	);
}
