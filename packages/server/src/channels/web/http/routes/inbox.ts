import { snoozeBody } from "@rightseat/protocol/http/inbox";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { EveryInbox } from "../../../../core/inbox/inbox.ts";

const params = z.object({ id: z.string().check(z.maxLength(200)) });

/** What waits for a person, and what they say about it. */
export function registerInboxRoutes(
	app: FastifyInstance,
	{ inbox }: { inbox: Pick<EveryInbox, "list" | "snoozed" | "seen" | "snooze" | "wake"> },
) {
	app.get("/api/inbox", async () => ({ items: inbox.list(), snoozed: inbox.snoozed() }));

	app.post("/api/inbox/:id/seen", async (request, reply) => {
		await inbox.seen(params.parse(request.params).id);
		return reply.code(204).send();
	});

	app.post("/api/inbox/:id/snooze", async (request, reply) => {
		const { id } = params.parse(request.params);
		await inbox.snooze(id, Date.parse(snoozeBody.parse(request.body).until));
		return reply.code(204).send();
	});

	app.delete("/api/inbox/:id/snooze", async (request, reply) => {
		await inbox.wake(params.parse(request.params).id);
		return reply.code(204).send();
	});
}
