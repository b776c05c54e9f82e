import fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import type { CoreBed } from "../../../../../../test/support/core.ts";
import { createFleetBed, type FleetBed, type FleetHostBed } from "../../../../../../test/support/fleet-bed.ts";
import { randomIds } from "../../../core/kernel/ids.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createRedactor } from "../../../core/kernel/redact.ts";
import { createSchedules } from "../../../core/schedules/schedules.ts";
import { createCronerTimetable } from "../../../services/timetable/croner-timetable.ts";
import { problemOf } from "../http/http-errors.ts";
import { registerScheduleRoutes } from "../http/routes/schedules.ts";
import { registerUsageRoutes } from "../http/routes/usage.ts";
import { createFleetCaller } from "./fleet-caller.ts";
import { relayToHosts } from "./relay.ts";
import { serveFleet } from "./serve-fleet.ts";

let bed: FleetBed;
afterEach(() => bed.close());

function createRoutes(core: CoreBed, host?: FleetHostBed): FastifyInstance {
	const app = fastify();
	app.setErrorHandler((error, _request, reply) => {
		const { status, body } = problemOf(error, { logger: silentLogger, redact: (text) => text });
		return reply.code(status).send(body);
	});
	const everywhere = host?.everywhere;
	const [sourceOf, conversations] = [() => "::1", everywhere?.conversations ?? core.conversations];
	if (everywhere !== undefined)
		relayToHosts(app, { everywhere, conversations, caller: createFleetCaller(), ids: randomIds, whoOf: () => ({ origin: "web" }) });
	const schedules = createSchedules({
		...{ store: core.store, conversations: core.conversations, redactor: createRedactor([]), audit: { record: () => undefined } },
		...{ clock: core.clock, ids: randomIds, logger: silentLogger, loadTimetable: async () => createCronerTimetable() },
	});
	registerScheduleRoutes(app, { schedules, sourceOf, askAll: () => everywhere?.askAll });
	registerUsageRoutes(app, { conversations, sourceOf, askAll: () => everywhere?.askAll });
	return app;
}

test("[FL268] schedules of every host are listed with their host, made and changed there, and what was used is summed; a host that is away is named", async () => {
	bed = await createFleetBed(2, { outside: (core, caller) => ({ http: serveFleet(createRoutes(core), caller) }) });
	const [desk, laptop] = bed.hosts;
	if (desk === undefined || laptop === undefined) throw new Error("There are not two hosts.");
	const app = createRoutes(desk.core, desk);
	async function call(method: "GET" | "POST" | "PATCH" | "DELETE", url: string, payload?: object) {
		let isOver = false;
		const answered = app.inject({ method, url, ...(payload === undefined ? {} : { payload }) }).finally(() => (isOver = true));
		for (let tick = 0; tick < 2_000 && !isOver; tick++) await bed.clock.advance(20);
		const { statusCode, body } = await answered;
		return { status: statusCode, body: body === "" ? undefined : JSON.parse(body) };
	}
	const there = laptop.remote(await laptop.core.begin());
	const made = await call("POST", "/api/schedules", { prompt: "daily", cron: "0 8 * * *", timezone: "UTC", conversationId: there });
	expect([made.status, made.body.schedule]).toMatchObject([201, { conversationId: there, host: { id: laptop.id, name: "host 2" } }]);
	const { id } = made.body.schedule;
	await call("POST", "/api/schedules", { prompt: "own", cron: "0 9 * * *", timezone: "UTC", conversation: {} });
	expect((await call("GET", "/api/schedules")).body.schedules).toMatchObject([{ prompt: "own" }, { id, prompt: "daily" }]);
	expect((await call("PATCH", `/api/schedules/${id}`, { paused: true })).body.schedule).toMatchObject({ id, state: "paused" });
	expect((await call("POST", `/api/schedules/${id}/run`)).body.schedule).toMatchObject({ id, lastResult: { conversationId: there } });
	(await laptop.core.runtime.nextTurn()).end("completed");
	for (const host of [desk, laptop]) {
		const conversationId = await host.core.begin();
		host.core.conversations.prompt({ conversationId, prompt: "Hello", origin: "web" });
		const turn = await host.core.runtime.nextTurn();
		turn.emit({ kind: "usage", inputTokens: 10, outputTokens: 2, model: "m" });
		turn.end("completed");
		await bed.clock.advance(1_000);
	}
	expect((await call("GET", "/api/usage?by=model")).body).toEqual({
		rows: [expect.objectContaining({ inputTokens: 20, outputTokens: 4 })],
	});
	const { rows } = (await call("GET", "/api/usage?by=conversation")).body;
	expect(rows.filter(({ key }: { key: string }) => key.startsWith(laptop.id))).toHaveLength(1);
	laptop.setOffline(true);
	await bed.clock.advance(20_000);
	const missing = [{ id: laptop.id, name: "host 2" }];
	expect((await call("GET", "/api/schedules")).body).toMatchObject({ schedules: [{ prompt: "own" }], missing });
	expect((await call("GET", "/api/usage?by=model")).body).toMatchObject({ rows: [{ inputTokens: 10 }], missing });
	expect((await call("DELETE", `/api/schedules/${id}`)).body.error.code).toBe("host-offline");
});
