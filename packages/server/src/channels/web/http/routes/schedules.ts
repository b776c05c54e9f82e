import type { IncomingMessage } from "node:http";
import { missedBody, newScheduleBody, patchScheduleBody, runScheduleBody, schedulesAnswer } from "@rightseat/protocol/http/schedules";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { type AskAll, missingHosts, scheduleToHere } from "../../../../core/fleet/ask-all.ts";
import { scheduleId } from "../../../../core/kernel/ids.ts";
import type { Schedules } from "../../../../core/schedules/schedules.ts";

const params = z.object({ id: z.string().check(z.maxLength(200)) });

/** Prompts that are sent at a time. */
export function registerScheduleRoutes(
	app: FastifyInstance,
	deps: {
		schedules: Schedules;
		sourceOf(request: { raw: IncomingMessage }): string;
		/** In a fleet, for a person. */
		askAll?: (() => AskAll | undefined) | undefined;
	},
) {
	const { schedules } = deps;
	const idOf = (request: { params: unknown }) => scheduleId(params.parse(request.params).id);
	const actor = (request: { raw: IncomingMessage }) => ({ origin: "web" as const, from: deps.sourceOf(request) });

	app.get("/api/schedules", async () => {
		const askAll = deps.askAll?.();
		if (askAll === undefined) return { schedules: schedules.list() };
		const { found, missing } = await askAll({ method: "GET", path: "/api/schedules" }, schedulesAnswer);
		const others = found.flatMap(({ host, answer }) => answer.schedules.map((each) => scheduleToHere(host, each)));
		return { schedules: [...schedules.list(), ...others], ...missingHosts(missing) };
	});

	app.post("/api/schedules", async (request, reply) => {
		const schedule = await schedules.create(newScheduleBody.parse(request.body), actor(request));
		return reply.code(201).send({ schedule });
	});

	app.patch("/api/schedules/:id", async (request) => ({
		schedule: await schedules.update(idOf(request), patchScheduleBody.parse(request.body), actor(request)),
	}));

	app.delete("/api/schedules/:id", async (request, reply) => {
		schedules.delete(idOf(request), actor(request));
		return reply.code(204).send();
	});

	app.post("/api/schedules/:id/run", async (request, reply) => {
		const { runId } = runScheduleBody.parse(request.body ?? {});
		return reply.code(202).send({ schedule: await schedules.run(idOf(request), runId, actor(request)) });
	});

	app.post("/api/schedules/:id/missed", async (request) => ({
		schedule: await schedules.decide(idOf(request), missedBody.parse(request.body).decision, actor(request)),
	}));
}
