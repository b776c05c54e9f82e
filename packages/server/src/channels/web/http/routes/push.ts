import type { IncomingMessage } from "node:http";
import { unsubscribeBody } from "@rightseat/protocol/http/requests";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../../../core/kernel/errors.ts";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import { type PushSubscriptions, pushSubscriptionSchema } from "../../push/push-subscriptions.ts";
import type { PushSender } from "../../push/web-push-sender.ts";

/** Browsers that want to be told about ended turns and questions. */
export function registerPushRoutes(
	app: FastifyInstance,
	deps: { sender: PushSender; subscriptions: PushSubscriptions; audit: AuditLog; sourceOf(request: { raw: IncomingMessage }): string },
) {
	app.get("/api/push/key", async () => ({ publicKey: await deps.sender.publicKey() }));

	app.post("/api/push/subscriptions", async (request, reply) => {
		const subscription = pushSubscriptionSchema.parse(request.body);
		if (!(await deps.sender.mayReach(subscription.endpoint)))
			throw new AppError("bad-request", "A push service has a public address.", { params: { reason: "push-address" } });
		deps.subscriptions.add(subscription, request.identity?.kind === "session" ? request.identity.session.id : null);
		deps.audit.record({ kind: "push", source: deps.sourceOf(request), detail: `subscribed at ${new URL(subscription.endpoint).host}` });
		return reply.code(201).send({});
	});

	app.delete("/api/push/subscriptions", async (request, reply) => {
		const { endpoint } = unsubscribeBody.parse(request.body);
		deps.subscriptions.remove(endpoint);
		return reply.code(204).send();
	});
}
