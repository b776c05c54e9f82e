import { droppedAnswer, editOutboxBody, outboxAnswer } from "./fleet.ts";
import { fleetStatusAnswer, hostsAnswer } from "./fleet-status.ts";
import { DONE, type HttpRoute, ok } from "./route.ts";

/** Every route about the fleet, with what it takes and answers. */
export const fleetRoutes: HttpRoute[] = [
	{ method: "GET", path: "/api/hosts", about: "The hosts of the fleet, this one first; none without a fleet.", answers: ok(hostsAnswer) },
	{
		method: "DELETE",
		path: "/api/hosts/:id",
		about: "Take a host out of the fleet, everywhere and for good.",
		answers: DONE,
		refusals: [403, 409],
	},
	{ method: "GET", path: "/api/fleet", about: "How the fleet stands.", answers: ok(fleetStatusAnswer) },
	{ method: "GET", path: "/api/outbox", about: "Prompts that wait here for their hosts.", answers: ok(outboxAnswer) },
	{
		method: "PATCH",
		path: "/api/outbox/:id",
		about: "Change a prompt that waits.",
		body: editOutboxBody,
		answers: ok(outboxAnswer),
		refusals: [404, 409],
	},
	{
		method: "POST",
		path: "/api/outbox/:id/confirm",
		about: "A prompt that waited long is still wanted.",
		answers: DONE,
		refusals: [404],
	},
	{ method: "DELETE", path: "/api/outbox/:id", about: "Drop a prompt that waits.", answers: ok(droppedAnswer), refusals: [404] },
];
