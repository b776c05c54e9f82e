import type { IncomingMessage } from "node:http";
import { asideBody, compactBody } from "@rightseat/protocol/http/context";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { EveryConversations } from "../../../../core/conversations/conversations.ts";
import { conversationId } from "../../../../core/kernel/ids.ts";

const params = z.object({ id: z.string().check(z.maxLength(200)) });

/** What a conversation's model has before it: a look, a summary to make room, a question beside it. */
export function registerContextRoutes(
	app: FastifyInstance,
	deps: {
		conversations: Pick<EveryConversations, "lookAtContext" | "compact" | "askAside">;
		sourceOf(request: { raw: IncomingMessage }): string;
	},
) {
	const { conversations } = deps;
	const idOf = (request: { params: unknown }) => conversationId(params.parse(request.params).id);

	app.get("/api/conversations/:id/context", async (request) => conversations.lookAtContext(idOf(request)));

	app.post("/api/conversations/:id/compact", async (request, reply) => {
		const { requestId } = compactBody.parse(request.body ?? {});
		const by = { origin: "web" as const, from: deps.sourceOf(request), ...(requestId === undefined ? {} : { clientMessageId: requestId }) };
		const { messageId, duplicate } = await conversations.compact(idOf(request), by);
		return reply.code(202).send({ messageId, duplicate });
	});

	app.post("/api/conversations/:id/aside", async (request) => ({
		answer: await conversations.askAside(idOf(request), asideBody.parse(request.body ?? {})),
	}));
}
