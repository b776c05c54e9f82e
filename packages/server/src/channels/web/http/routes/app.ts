import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import * as z from "zod";
import type { AgentRuntime } from "../../../../core/ports/agent-runtime.ts";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import { type AppSettingsStore, settingsPatchSchema } from "../../../../services/settings/settings.ts";
import type { AppStatus } from "../../ws/app-status.ts";

const auditQuery = z.object({
	before: z
		.string()
		.regex(/^\d{1,15}$/, "Give the cursor of an earlier page.")
		.transform(Number)
		.optional(),
	limit: z
		.string()
		.regex(/^\d{1,3}$/, "Give a number from 1 to 200.")
		.transform(Number)
		.pipe(z.number().min(1).max(200))
		.default(100),
});

/** Health, models, settings and the audit log. */
export function registerAppRoutes(
	app: FastifyInstance,
	deps: {
		runtime: Pick<AgentRuntime, "listModels" | "wake">;
		status: AppStatus;
		settings: AppSettingsStore;
		audit: AuditLog;
		sourceOf(request: { raw: IncomingMessage }): string;
	},
) {
	app.get("/healthz", { config: { open: true } }, async () => ({ status: deps.status.healthy() ? "ok" : "degraded" }));
	app.get("/api/status", async () => deps.status.full());
	app.get("/api/copilot/models", async () => deps.runtime.listModels());
	app.post("/api/runtime/wake", async (_request, reply) => {
		deps.runtime.wake();
		return reply.code(202).send({});
	});

	app.get("/api/settings", async () => ({ settings: deps.settings.get() }));
	app.patch("/api/settings", async (request) => {
		const patch = settingsPatchSchema.parse(request.body ?? {});
		const settings = deps.settings.update(patch);
		deps.audit.record({ kind: "settings", source: deps.sourceOf(request), detail: JSON.stringify(patch) });
		return { settings };
	});

	app.get("/api/audit", async (request) => deps.audit.list(auditQuery.parse(request.query)));
}
