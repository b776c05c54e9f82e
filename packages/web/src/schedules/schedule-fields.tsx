import { MAX_SCHEDULE_PROMPT_CHARS } from "@rightseat/protocol/http/schedules";
import { type RefObject, useId } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { Choice } from "../settings/parts.tsx";
import { type ChosenTime, RHYTHMS } from "./schedule-times.ts";
import { scheduleWords } from "./schedules-messages.ts";

const FIELD = "rounded-lg border bg-transparent px-3 py-2 text-sm";

/** A prompt and when it is sent, for a new schedule and for one that is changed. */
export function ScheduleFields(props: {
	prompt: string;
	onPrompt: (prompt: string) => void;
	chosen: ChosenTime;
	onChosen: (chosen: ChosenTime) => void;
	zone: string;
	/** Where the person types first. */
	first?: RefObject<HTMLTextAreaElement | null>;
}) {
	const { chosen } = props;
	const t = useWords(scheduleWords);
	const promptId = useId();
	const set = (patch: Partial<ChosenTime>) => props.onChosen({ ...chosen, ...patch });
	return (
		<>
			<label htmlFor={promptId} className="font-medium text-sm">
				{t("prompt")}
			</label>
			<textarea
				ref={props.first}
				id={promptId}
				data-first-focus
				dir="auto"
				rows={3}
				maxLength={MAX_SCHEDULE_PROMPT_CHARS}
				value={props.prompt}
				onChange={(event) => props.onPrompt(event.target.value)}
				className={FIELD}
			/>
			<Choice
				name={t("when")}
				value={chosen.rhythm}
				options={RHYTHMS.map((value) => ({ value, label: t(`rhythm.${value}`) }))}
				onChange={(rhythm) => set({ rhythm })}
			/>
			<TimeField chosen={chosen} onChange={set} />
			<p className="text-muted text-xs">{t("zone", { zone: props.zone })}</p>
		</>
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
