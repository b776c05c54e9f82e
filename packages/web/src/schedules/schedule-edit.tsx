import type { Schedule, SchedulePatch } from "@rightseat/protocol/http/schedules";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { Button } from "../ui/button.tsx";
import { ScheduleFields } from "./schedule-fields.tsx";
import { chosenOf, timesOf } from "./schedule-times.ts";
import { scheduleWords } from "./schedules-messages.ts";

/** A schedule is changed in its place: what it says, and when. Only what is changed is sent, so a time that has passed stays as it is. */
export function ScheduleEdit({
	schedule,
	onSave,
	onEnd,
}: {
	schedule: Schedule;
	onSave: (patch: SchedulePatch) => Promise<boolean>;
	onEnd: () => void;
}) {
	const t = useWords(scheduleWords);
	const first = useRef<HTMLTextAreaElement>(null);
	const [before] = useState(() => chosenOf(schedule));
	const [prompt, setPrompt] = useState(schedule.prompt);
	const [chosen, setChosen] = useState(before);
	const [busy, setBusy] = useState(false);
	const times = timesOf(chosen);
	const isOtherTime = JSON.stringify(times) !== JSON.stringify(timesOf(before));
	useEffect(() => first.current?.focus(), []);

	const submit = async (event: FormEvent) => {
		event.preventDefault();
		if (times === undefined || prompt.trim() === "" || busy) return;
		setBusy(true);
		const isSaved = await onSave({ prompt, ...(isOtherTime ? { ...times, timezone: schedule.timezone } : {}) });
		setBusy(false);
		if (isSaved) onEnd();
	};
	return (
		<form onSubmit={(event) => void submit(event)} className="grid gap-3">
			<ScheduleFields {...{ prompt, chosen, first }} onPrompt={setPrompt} onChosen={setChosen} zone={schedule.timezone} />
			<div className="flex gap-2 *:pointer-coarse:min-h-11">
				<Button type="submit" small kind="primary" disabled={busy || times === undefined || prompt.trim() === ""}>
					{t("save")}
				</Button>
				<Button small onClick={onEnd}>
					{t("cancel")}
				</Button>
			</div>
		</form>
	);
}
