import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import type { Lock } from "../../auth/lock.ts";

/** Closing every way in at once, and what that would close. */
export function registerLockRoutes(
	app: FastifyInstance,
	deps: { lock: Lock; audit: AuditLog; sourceOf(request: { raw: IncomingMessage }): string },
) {
	app.get("/api/lock", async (request) => ({ open: deps.lock.list(keeperOf(request)) }));

	app.post("/api/lock", async (request) => {
		const closed = deps.lock.close(keeperOf(request));
		deps.audit.record({
			kind: "logout-everywhere",
			source: deps.sourceOf(request),
			detail: "locked: password, passkeys, notifications, Telegram pairings and the token as well",
		});
		return { closed };
	});
}

const keeperOf = ({ identity }: FastifyRequest) => (identity?.kind === "session" ? identity.session.id : undefined);
