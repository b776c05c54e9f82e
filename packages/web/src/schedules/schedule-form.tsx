import { MAX_SCHEDULE_PROMPT_CHARS, type NewSchedule } from "@rightseat/protocol/http/schedules";
import { type FormEvent, useId, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { Choice } from "../settings/parts.tsx";
import { Button } from "../ui/button.tsx";
import { type ChosenTime, ownZone, RHYTHMS, timesOf } from "./schedule-times.ts";
import { scheduleWords } from "./schedules-messages.ts";

const EMPTY: ChosenTime = { rhythm: "once", date: "", time: "09:00", cron: "" };
const FIELD = "rounded-lg border bg-transparent px-3 py-2 text-sm";

/** A prompt, when and where. Empty again when it is scheduled. */
export function ScheduleForm({ here, onMake }: { here: string | undefined; onMake: (wanted: NewSchedule) => Promise<boolean> }) {
	const t = useWords(scheduleWords);
	const promptId = useId();
	const [prompt, setPrompt] = useState("");
	const [chosen, setChosen] = useState(EMPTY);
	const [isHere, setHere] = useState(here !== undefined);
	const [busy, setBusy] = useState(false);
	const times = timesOf(chosen);
	const set = (patch: Partial<ChosenTime>) => setChosen({ ...chosen, ...patch });

	const submit = async (event: FormEvent) => {
		event.preventDefault();
		if (times === undefined || prompt.trim() === "" || busy) return;
		setBusy(true);
		const where = isHere && here !== undefined ? { conversationId: here } : { conversation: {} };
		const isMade = await onMake({ prompt, timezone: ownZone(), ...times, ...where });
		setBusy(false);
		if (!isMade) return;
		setPrompt("");
		setChosen(EMPTY);
	};
	return (
		<form onSubmit={submit} className="grid gap-3 pb-4">
			<label htmlFor={promptId} className="font-medium text-sm">
				{t("prompt")}
			</label>
			<textarea
				id={promptId}
				data-first-focus
				dir="auto"
				rows={3}
				maxLength={MAX_SCHEDULE_PROMPT_CHARS}
				value={prompt}
				onChange={(event) => setPrompt(event.target.value)}
				className={FIELD}
			/>
			<Choice
				name={t("when")}
				value={chosen.rhythm}
				options={RHYTHMS.map((value) => ({ value, label: t(`rhythm.${value}`) }))}
				onChange={(rhythm) => set({ rhythm })}
			/>
			<TimeField chosen={chosen} onChange={set} />
			<p className="text-muted text-xs">{t("zone", { zone: ownZone() })}</p>
			{here !== undefined && (
				<Choice
					name={t("where")}
					value={isHere ? "here" : "fresh"}
					options={[
						{ value: "here", label: t("here") },
						{ value: "fresh", label: t("fresh") },
					]}
					onChange={(where) => setHere(where === "here")}
				/>
			)}
			<div>
				<Button type="submit" kind="primary" disabled={busy || times === undefined || prompt.trim() === ""}>
					{t("make")}
				</Button>
			</div>
		</form>
	);
}

/** What the chosen rhythm needs to know. */
function TimeField({ chosen, onChange }: { chosen: ChosenTime; onChange: (patch: Partial<ChosenTime>) => void }) {
	const t = useWords(scheduleWords);
	switch (chosen.rhythm) {
		case "hourly":
			return null;
		case "once":
			return (
				<input
					type="datetime-local"
					aria-label={t("date")}
					value={chosen.date}
					onChange={(event) => onChange({ date: event.target.value })}
					className={FIELD}
				/>
			);
		case "cron":
			return (
				<input
					aria-label={t("cron")}
					placeholder="0 9 * * 1-5"
					maxLength={200}
					value={chosen.cron}
					onChange={(event) => onChange({ cron: event.target.value })}
					className={`${FIELD} font-mono`}
				/>
			);
		case "daily":
		case "weekdays":
			return (
				<input
					type="time"
					aria-label={t("time")}
					value={chosen.time}
					onChange={(event) => onChange({ time: event.target.value })}
					className={FIELD}
				/>
			);
	}
}
