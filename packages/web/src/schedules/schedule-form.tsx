import type { NewSchedule } from "@rightseat/protocol/http/schedules";
import { type FormEvent, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { Choice } from "../settings/parts.tsx";
import { Button } from "../ui/button.tsx";
import { ScheduleFields } from "./schedule-fields.tsx";
import { type ChosenTime, ownZone, timesOf } from "./schedule-times.ts";
import { scheduleWords } from "./schedules-messages.ts";

const EMPTY: ChosenTime = { rhythm: "once", date: "", time: "09:00", cron: "" };

/** A prompt, when and where. Empty again when it is scheduled. */
export function ScheduleForm({ here, onMake }: { here: string | undefined; onMake: (wanted: NewSchedule) => Promise<boolean> }) {
	const t = useWords(scheduleWords);
	const [prompt, setPrompt] = useState("");
	const [chosen, setChosen] = useState(EMPTY);
	const [isHere, setHere] = useState(here !== undefined);
	const [busy, setBusy] = useState(false);
	const times = timesOf(chosen);

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
			<ScheduleFields prompt={prompt} onPrompt={setPrompt} chosen={chosen} onChosen={setChosen} zone={ownZone()} />
			{here !== undefined && (
				<Choice
					name={t("where")}
					value={isHere ? "here" : "fresh"}
					options={[
						{ value: "here", label: t("here") },
						{ value: "fresh", label: t(chosen.rhythm === "once" ? "freshOnce" : "fresh") },
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
