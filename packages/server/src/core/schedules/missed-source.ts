import type { MissedReason } from "@rightseat/protocol/http/schedules";
import { titleFrom } from "../commands/title.ts";
import type { InboxReason, InboxSource } from "../inbox/inbox-source.ts";
import type { Logger } from "../kernel/logger.ts";
import type { ScheduleRow, ScheduleStore } from "../ports/schedule-store.ts";

/** What was missed, as the inbox has it: one item for each schedule, however many times have passed. */
export function createMissedSource(deps: {
	store: Pick<ScheduleStore, "listMissed">;
	onChange(listener: () => void): () => void;
	logger: Logger;
}): InboxSource {
	return {
		list() {
			try {
				return deps.store.listMissed().flatMap(toReason);
			} catch (error) {
				deps.logger.warn({ err: error }, "Missed schedules could not be read for the inbox");
				return [];
			}
		},
		onChange: deps.onChange,
	};
}

function toReason({ id, prompt, where, missed, timezone }: ScheduleRow): InboxReason[] {
	if (missed === undefined) return [];
	const time = onTheClock(missed.due, timezone);
	return [
		{
			id: `schedule-missed-${id}-${missed.due}`,
			kind: "schedule-missed",
			conversationId: "conversationId" in where ? where.conversationId : null,
			title: titleFrom(prompt),
			why: WHY[missed.reason](time),
			code: "schedule-missed",
			params: { reason: missed.reason, time },
			since: missed.since,
			scheduleId: id,
		},
	];
}

const WHY: Record<MissedReason, (time: string) => string> = {
	"server-off": (time) => `A scheduled prompt was missed at ${time}: the server was off.`,
	"still-waiting": (time) => `A scheduled prompt was left out at ${time}: the one before still waits in the queue.`,
	failed: (time) => `A scheduled prompt could not be sent at ${time}.`,
};

/** `2026-01-02 09:00 (Asia/Taipei)`: the same in every language. */
function onTheClock(moment: number, timeZone: string): string {
	const shown = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(moment);
	return `${shown} (${timeZone})`;
}
