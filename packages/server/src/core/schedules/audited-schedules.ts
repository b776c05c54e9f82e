import type { Schedule } from "@rightseat/protocol/http/schedules";
import { cutText } from "@rightseat/protocol/text";
import { sourceOf } from "../conversations/audited.ts";
import type { Actor } from "../kernel/actor.ts";
import type { AuditLog } from "../ports/audit.ts";
import type { Schedules } from "./schedules.ts";

const MAX_NAMED_CHARS = 200;

/** A decorator of the service: what acts later, without anybody being there, is in the audit log, whichever channel it came by. */
export function auditedSchedules(schedules: Schedules, audit: Pick<AuditLog, "record">): Schedules {
	function record(what: string, { id, prompt }: Pick<Schedule, "id" | "prompt">, actor: Actor | undefined): void {
		audit.record({ kind: "schedule", source: sourceOf(actor), detail: `${what} ${id}: ${cutText(prompt, MAX_NAMED_CHARS)}` });
	}
	async function recorded(what: string, work: Promise<Schedule>, actor: Actor | undefined): Promise<Schedule> {
		const schedule = await work;
		record(what, schedule, actor);
		return schedule;
	}
	return {
		...schedules,
		create: (wanted, actor) => recorded("created", schedules.create(wanted), actor),
		update: (id, patch, actor) => recorded("changed", schedules.update(id, patch), actor),
		run: (id, runId, actor) => recorded("ran", schedules.run(id, runId), actor),
		decide: (id, decision, actor) => recorded(decision === "run" ? "made up for" : "skipped", schedules.decide(id, decision), actor),
		delete(id, actor) {
			schedules.delete(id);
			record("deleted", { id, prompt: "" }, actor);
		},
	};
}
