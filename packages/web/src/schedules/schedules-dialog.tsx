import type { NewSchedule } from "@rightseat/protocol/http/schedules";
import { useEffect, useState } from "react";
import { OfflineHosts } from "../fleet/offline-hosts.tsx";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { WhenLoaded } from "../settings/parts.tsx";
import { useLoad } from "../settings/use-load.ts";
import { useUiSet } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { ScheduleRow } from "./schedule-row.tsx";
import { schedulesApi } from "./schedules-api.ts";
import { scheduleWords } from "./schedules-messages.ts";

/** Prompts that are sent at a time: a new one above, all of them below, in step with the server. */
export function SchedulesDialog() {
	const t = useWords(scheduleWords);
	const say = useFailureText();
	const setUi = useUiSet();
	const { openConversation, onFrame } = useActions();
	const connected = useApp((state) => state.connection.kind === "open");
	const here = useApp((state) => (state.conversations[state.openId ?? ""] === undefined ? undefined : state.openId));
	const { loaded, reload } = useLoad(schedulesApi.list);
	const [busy, setBusy] = useState(false);
	const [note, setNote] = useState({ problem: "", done: "" });
	const close = () => setUi({ dialog: undefined });

	useEffect(() => {
		if (!connected) return;
		void reload();
		return onFrame((frame) => frame.type === "schedules:changed" && void reload());
	}, [connected, onFrame, reload]);

	const change = async (run: () => Promise<unknown>, done = ""): Promise<boolean> => {
		setBusy(true);
		let problem = "";
		try {
			await run();
		} catch (error) {
			problem = t("failed", { message: say(error) });
		}
		setNote({ problem, done: problem === "" ? done : "" });
		await reload();
		setBusy(false);
		return problem === "";
	};
	const make = (wanted: NewSchedule) => change(() => schedulesApi.create(wanted), t("made"));
	const open = (conversationId: string) => {
		openConversation(conversationId);
		close();
	};
	return (
		<Dialog open onClose={close} title={t("schedules")} className="dialog-wide">
			<div className="min-h-0 overflow-y-auto p-5">
				<ScheduleForm here={here} onMake={make} />
				<p role="alert" className="pb-3 text-danger text-sm empty:hidden">
					{note.problem}
				</p>
				<p aria-live="polite" className="pb-3 text-muted text-sm empty:hidden">
					{note.done}
				</p>
				<WhenLoaded loaded={loaded} reload={reload}>
					{(schedules) =>
						schedules.length === 0 ? (
							<div className="m-auto max-w-96 p-4 text-center text-sm">
								<p className="font-medium">{t("empty")}</p>
								<p className="pt-1 text-muted">{t("emptyHint")}</p>
							</div>
						) : (
							<ul aria-label={t("schedules")} className="rounded-lg border">
								{schedules.map((schedule) => (
									<ScheduleRow key={schedule.id} schedule={schedule} busy={busy} change={change} onOpen={open} />
								))}
							</ul>
						)
					}
				</WhenLoaded>
				<OfflineHosts />
			</div>
		</Dialog>
	);
}
