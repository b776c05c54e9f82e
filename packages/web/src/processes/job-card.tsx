import type { Job } from "@rightseat/protocol/model/job";
import clsx from "clsx";
import { ChevronRight, OctagonX } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { useActions } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { Visible } from "../ui/visible.tsx";
import { JobOutput } from "./job-output.tsx";
import { processWords } from "./process-messages.ts";
import { elapsed } from "./sort-jobs.ts";

export function JobCard({ job }: { job: Job }) {
	const t = useWords(processWords);
	const { send } = useActions();
	const now = useNow(job.status === "running");
	const [open, setOpen] = useState(false);
	const [killing, setKilling] = useState(false);
	const outputId = useId();
	const toggle = useRef<HTMLButtonElement>(null);
	const running = job.status === "running";
	const end = job.endedAt === undefined ? now : Date.parse(job.endedAt);
	return (
		<article className="rounded-xl border bg-bg">
			<div className="flex items-start gap-1 p-2">
				<button
					ref={toggle}
					type="button"
					aria-expanded={open}
					aria-controls={outputId}
					aria-label={t(open ? "hideOutput" : "showOutput", { command: job.command })}
					onClick={() => setOpen(!open)}
					className="mt-0.5 grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-hover"
				>
					<ChevronRight size={16} aria-hidden className={clsx("transition-transform", open && "rotate-90")} />
				</button>
				<div className="min-w-0 flex-1">
					<code className="block whitespace-pre-wrap break-words text-[13px] leading-6">
						<Visible text={job.command} />
					</code>
					<p className="flex flex-wrap items-center gap-x-2 text-muted text-xs">
						<span className={clsx("inline-flex items-center gap-1.5", running && "text-success")}>
							{running && <span aria-hidden className="pulse-dot size-1.5 rounded-full bg-success" />}
							{t(job.status)}
						</span>
						{typeof job.exitCode === "number" && (
							<span className={clsx(job.exitCode !== 0 && "text-danger")}>{t("exit", { code: job.exitCode })}</span>
						)}
						<span className="tabular-nums">{elapsed(end - Date.parse(job.startedAt))}</span>
						{job.pid !== undefined && <span>{t("pid", { pid: String(job.pid) })}</span>}
						{(job.ports ?? []).map((port) => (
							<a
								key={port}
								href={`http://${location.hostname}:${port}/`}
								target="_blank"
								rel="noopener noreferrer"
								className="rounded bg-accent-soft px-1.5 text-accent hover:underline"
							>
								{t("port", { port: String(port) })}
							</a>
						))}
						{job.description !== undefined && <span className="min-w-0 truncate">{job.description}</span>}
					</p>
				</div>
				{running && (
					<Button
						small
						kind="quiet"
						aria-label={t("killJob", { command: job.command })}
						disabled={killing}
						icon={<OctagonX size={14} aria-hidden />}
						onClick={(event) => {
							// The button is disabled now and gone soon: the focus stays on this card.
							if (event.detail === 0) toggle.current?.focus();
							setKilling(send({ type: "bash:job_kill", data: { conversationId: job.conversationId, bashId: job.bashId } }));
						}}
					>
						{t(killing ? "killing" : "kill")}
					</Button>
				)}
			</div>
			{open && (
				<div id={outputId} className="border-t">
					<JobOutput job={job} />
				</div>
			)}
		</article>
	);
}

/** The clock of a running job; a finished one needs none. */
function useNow(ticking: boolean): number {
	const [now, setNow] = useState(Date.now);
	useEffect(() => {
		if (!ticking) return;
		const timer = setInterval(() => setNow(Date.now()), 1_000);
		return () => clearInterval(timer);
	}, [ticking]);
	return now;
}
