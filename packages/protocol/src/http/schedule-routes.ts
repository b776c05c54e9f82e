import { created, DONE, type HttpRoute, ok } from "./route.ts";
import * as schedules from "./schedules.ts";

const ONE = "/api/schedules/:id";

/** Every route about prompts that are sent at a time. */
export const scheduleRoutes: HttpRoute[] = [
	{ method: "GET", path: "/api/schedules", about: "All schedules, the oldest first.", answers: ok(schedules.schedulesAnswer) },
	{
		method: "POST",
		path: "/api/schedules",
		about: "Send a prompt at a time, or by a cron expression, in one conversation or each time in a new one.",
		body: schedules.newScheduleBody,
		answers: created(schedules.scheduleAnswer),
		refusals: [404, 413],
	},
	{
		method: "PATCH",
		path: ONE,
		about: "Pause it, go on with it, or change what it does and when.",
		body: schedules.patchScheduleBody,
		answers: ok(schedules.scheduleAnswer),
		refusals: [404, 413],
	},
	{ method: "DELETE", path: ONE, about: "Forget it; what it has begun goes on.", answers: DONE, refusals: [404] },
	{
		method: "POST",
		path: `${ONE}/run`,
		about: "Run it now, once more.",
		body: schedules.runScheduleBody,
		answers: [{ status: 202, body: schedules.scheduleAnswer }],
		refusals: [404, 409],
	},
	{
		method: "POST",
		path: `${ONE}/missed`,
		about: "Run what was missed, or leave it.",
		body: schedules.missedBody,
		answers: ok(schedules.scheduleAnswer),
		refusals: [404, 409],
	},
];
