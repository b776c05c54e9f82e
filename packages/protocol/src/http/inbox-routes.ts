import { inboxAnswer, snoozeBody } from "./inbox.ts";
import { DONE, type HttpRoute, ok } from "./route.ts";

/** Every route about what waits for a person. */
export const inboxRoutes: HttpRoute[] = [
	{
		method: "GET",
		path: "/api/inbox",
		about: "What waits for a person or was not seen yet, what needs one most first.",
		answers: ok(inboxAnswer),
	},
	{
		method: "POST",
		path: "/api/inbox/:id/seen",
		about: "Somebody has seen it; what an agent waits for stays until it is answered.",
		answers: DONE,
		refusals: [404],
	},
	{
		method: "POST",
		path: "/api/inbox/:id/snooze",
		about: "Out of the list until then.",
		body: snoozeBody,
		answers: DONE,
		refusals: [404],
	},
	{ method: "DELETE", path: "/api/inbox/:id/snooze", about: "Back into the list now.", answers: DONE, refusals: [404] },
];
