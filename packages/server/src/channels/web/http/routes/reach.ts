import type { IncomingMessage } from "node:http";
import { reachBody, reachTrialBody } from "@rightseat/protocol/http/reach";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../../../core/kernel/errors.ts";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import type { Reach } from "../../reach/reach.ts";

/** Under which address phones reach this server. Changed by the command on this machine only: a browser that somebody took over opens no port. */
export function registerReachRoutes(
	app: FastifyInstance,
	deps: {
		reach: Reach;
		/** RIGHTSEAT_PUBLIC_URL. */
		configured: string | undefined;
		audit: AuditLog;
		sourceOf(request: { raw: IncomingMessage }): string;
	},
) {
	const { reach, configured } = deps;
	const note = (request: FastifyRequest, detail: string) => deps.audit.record({ kind: "reach", source: deps.sourceOf(request), detail });
	function answer() {
		const current = reach.current();
		return { ...(current === undefined ? {} : { reach: current }), ...(configured === undefined ? {} : { configured }) };
	}

	app.get("/api/reach", async () => answer());

	app.put("/api/reach", async (request) => {
		refuseBrowsers(request);
		await reach.pair(reachBody.parse(request.body));
		const paired = reach.current();
		note(request, `opened: ${paired?.way ?? ""} ${paired?.url ?? ""}`);
		return answer();
	});

	app.delete("/api/reach", async (request, reply) => {
		refuseBrowsers(request);
		const before = reach.current();
		await reach.unpair();
		if (before !== undefined) note(request, `closed: ${before.way} ${before.url}`);
		return reply.code(204).send();
	});

	app.post("/api/reach/trial", async (request, reply) => {
		refuseBrowsers(request);
		const { url } = reachTrialBody.parse(request.body);
		return reply.code(201).send(reach.trial.begin(url));
	});
}

function refuseBrowsers({ identity }: FastifyRequest): void {
	if (identity?.kind === "token") return;
	throw new AppError("forbidden", "Only the access token opens this server to other devices. Run `rightseat pair` on its machine.", {
		params: { reason: "token-only" },
	});
}
