import type { Schedule } from "@rightseat/protocol/http/schedules";
import { useEffect, useRef, useState } from "react";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { ConfirmButton } from "../settings/confirm-button.tsx";
import { useApp } from "../state/use-page.tsx";
import { formatTime } from "../transcript/format.ts";
import { Button } from "../ui/button.tsx";
import { ScheduleEdit } from "./schedule-edit.tsx";
import { ownZone, rhythmOf } from "./schedule-times.ts";
import { schedulesApi } from "./schedules-api.ts";
import { scheduleWords } from "./schedules-messages.ts";

const MAX_NAMED_CHARS = 60;

/** One schedule: what, when, how it went, what was missed, and everything that can be done about it. */
export function ScheduleRow(props: {
	schedule: Schedule;
	busy: boolean;
	/** Runs something that may fail, then shows the list anew. */
	change: (run: () => Promise<unknown>, done?: string) => Promise<boolean>;
	onOpen: (conversationId: string) => void;
}) {
	const { schedule, busy, change } = props;
	const t = useWords(scheduleWords);
	const language = useLanguage();
	const whenAndWhere = useWhenAndWhere(schedule);
	const { id, prompt, paused, lastRun, lastResult } = schedule;
	const name = (what: string) => t("named", { what, prompt: prompt.slice(0, MAX_NAMED_CHARS) });
	const opened = lastResult?.outcome === "dropped" ? undefined : (lastResult?.conversationId ?? schedule.conversationId);
	const isGone = schedule.state === "conversation-gone";
	const [editing, setEditing] = useState(false);
	const row = useRef<HTMLLIElement>(null);
	const wasEditing = useRef(false);
	useEffect(() => {
		// The form is gone with whatever had the focus in it.
		if (wasEditing.current && !editing) row.current?.querySelector<HTMLElement>("[data-edit]")?.focus();
		wasEditing.current = editing;
	}, [editing]);
	if (editing) {
		return (
			<li className="border-b p-3 text-sm last:border-b-0">
				<ScheduleEdit
					schedule={schedule}
					onSave={(patch) => change(() => schedulesApi.update(id, patch), t("saved"))}
					onEnd={() => setEditing(false)}
				/>
			</li>
		);
	}
	return (
		<li ref={row} className="border-b p-3 text-sm last:border-b-0">
			<p dir="auto" className="line-clamp-3 whitespace-pre-wrap break-words font-medium" title={prompt}>
				{prompt}
			</p>
			<p className="pt-1 text-muted">{whenAndWhere}</p>
			<p className="pt-1">
				{schedule.state === "waiting" && schedule.nextRun !== null
					? t("next", { time: formatTime(schedule.nextRun, language) })
					: schedule.state !== "waiting" && t(`state.${schedule.state}`)}
			</p>
			{lastRun !== undefined && lastResult !== undefined && (
				<p className="text-muted">{t("last", { time: formatTime(lastRun, language), result: t(`outcome.${lastResult.outcome}`) })}</p>
			)}
			<MissedPart {...props} />
			<div className="flex flex-wrap gap-2 pt-2 *:pointer-coarse:min-h-11">
				{!isGone && (
					<Button
						small
						disabled={busy}
						aria-label={name(t("run"))}
						onClick={() => {
							const runId = crypto.randomUUID();
							void change(() => schedulesApi.run(id, runId));
						}}
					>
						{t("run")}
					</Button>
				)}
				{(schedule.state === "waiting" || schedule.state === "paused") && (
					<Button
						small
						disabled={busy}
						aria-label={name(t(paused ? "resume" : "pause"))}
						onClick={() => void change(() => schedulesApi.update(id, { paused: !paused }))}
					>
						{t(paused ? "resume" : "pause")}
					</Button>
				)}
				<Button small data-edit kind="quiet" disabled={busy} aria-label={name(t("edit"))} onClick={() => setEditing(true)}>
					{t("edit")}
				</Button>
				{opened !== undefined && !isGone && (
					<Button small kind="quiet" aria-label={name(t("open"))} onClick={() => props.onOpen(opened)}>
						{t("open")}
					</Button>
				)}
				<ConfirmButton
					small
					label={t("remove")}
					name={name(t("remove"))}
					question={t("removeAsk")}
					confirm={t("remove")}
					onConfirm={async () => void (await change(() => schedulesApi.remove(id)))}
				/>
			</div>
		</li>
	);
}

/** What was missed, with the two ways to settle it. */
function MissedPart({ schedule, busy, change }: Pick<Parameters<typeof ScheduleRow>[0], "schedule" | "busy" | "change">) {
	const t = useWords(scheduleWords);
	const language = useLanguage();
	const { id, missed } = schedule;
	if (missed === undefined) return null;
	const time = formatTime(missed.due, language);
	const text = missed.count === 1 ? t("missed", { time }) : t("missedMore", { time, count: missed.count });
	return (
		<div className="mt-2 rounded-lg border border-accent bg-accent-soft p-2">
			<p>
				{text}. {t(`reason.${missed.reason}`)}
			</p>
			<div className="flex flex-wrap gap-2 pt-2 *:pointer-coarse:min-h-11">
				<Button small disabled={busy} onClick={() => void change(() => schedulesApi.decide(id, "run"))}>
					{t("runMissed")}
				</Button>
				<Button small kind="quiet" disabled={busy} onClick={() => void change(() => schedulesApi.decide(id, "skip"))}>
					{t("skip")}
				</Button>
			</div>
		</div>
	);
}

/** How often, with the zone where it is another one than that of this device; and where. */
function useWhenAndWhere(schedule: Schedule): string {
	const t = useWords(scheduleWords);
	const title = useApp((state) => state.conversations[schedule.conversationId ?? ""]?.title ?? "");
	const { rhythm, time, cron } = rhythmOf(schedule);
	const word = rhythm === "cron" ? cron : t(`rhythm.${rhythm}`);
	const text = time === "" ? word : t("atTime", { rhythm: word, time });
	const when = schedule.timezone === ownZone() ? text : t("inZone", { rhythm: text, zone: schedule.timezone });
	const fresh = t(rhythm === "once" ? "freshOnce" : "fresh");
	const where = schedule.conversationId === undefined ? fresh : title === "" ? t("inOne") : t("in", { title });
	const elsewhere = useApp(({ hosts }) => hosts.find(({ id, self }) => id === schedule.host?.id && !self)?.name);
	return [when, where, ...(elsewhere === undefined ? [] : [elsewhere])].join(" · ");
}
