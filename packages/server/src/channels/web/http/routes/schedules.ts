import type { IncomingMessage } from "node:http";
import { missedBody, newScheduleBody, patchScheduleBody, runScheduleBody, type Schedule } from "@rightseat/protocol/http/schedules";
import { cutText } from "@rightseat/protocol/text";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { scheduleId } from "../../../../core/kernel/ids.ts";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import type { Schedules } from "../../../../core/schedules/schedules.ts";

const MAX_NAMED_CHARS = 200;

const params = z.object({ id: z.string().check(z.maxLength(200)) });

/** Prompts that are sent at a time. What acts later without anybody being there is in the audit log. */
export function registerScheduleRoutes(
	app: FastifyInstance,
	deps: { schedules: Schedules; audit: AuditLog; sourceOf(request: { raw: IncomingMessage }): string },
) {
	const { schedules } = deps;
	const idOf = (request: { params: unknown }) => scheduleId(params.parse(request.params).id);
	const record = (request: { raw: IncomingMessage }, what: string, { id, prompt }: Pick<Schedule, "id" | "prompt">) =>
		deps.audit.record({ kind: "schedule", source: deps.sourceOf(request), detail: `${what} ${id}: ${cutText(prompt, MAX_NAMED_CHARS)}` });

	app.get("/api/schedules", async () => ({ schedules: schedules.list() }));

	app.post("/api/schedules", async (request, reply) => {
		const schedule = await schedules.create(newScheduleBody.parse(request.body));
		record(request, "created", schedule);
		return reply.code(201).send({ schedule });
	});

	app.patch("/api/schedules/:id", async (request) => {
		const schedule = await schedules.update(idOf(request), patchScheduleBody.parse(request.body));
		record(request, "changed", schedule);
		return { schedule };
	});

	app.delete("/api/schedules/:id", async (request, reply) => {
		const id = idOf(request);
		schedules.delete(id);
		record(request, "deleted", { id, prompt: "" });
		return reply.code(204).send();
	});

	app.post("/api/schedules/:id/run", async (request, reply) => {
		const schedule = await schedules.run(idOf(request), runScheduleBody.parse(request.body ?? {}).runId);
		record(request, "ran", schedule);
		return reply.code(202).send({ schedule });
	});

	app.post("/api/schedules/:id/missed", async (request) => {
		const { decision } = missedBody.parse(request.body);
		const schedule = await schedules.decide(idOf(request), decision);
		record(request, decision === "run" ? "made up for" : "skipped", schedule);
		return { schedule };
	});
}
