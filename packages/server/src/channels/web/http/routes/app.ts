import type { IncomingMessage } from "node:http";
import { auditQuery, settingsPatch } from "@rightseat/protocol/http/requests";
import { protocolSchema } from "@rightseat/protocol/schema/json-schema";
import { openApi } from "@rightseat/protocol/schema/openapi";
import type { FastifyInstance } from "fastify";
import type { AgentRuntime } from "../../../../core/ports/agent-runtime.ts";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import type { AppSettingsStore } from "../../../../services/settings/settings.ts";
import type { AppStatus } from "../../ws/app-status.ts";

/** Health, the documents of the protocol, models, settings and the audit log. */
export function registerAppRoutes(
	app: FastifyInstance,
	deps: {
		runtime: Pick<AgentRuntime, "listModels" | "wake">;
		status: AppStatus;
		settings: AppSettingsStore;
		audit: AuditLog;
		version: string;
		sourceOf(request: { raw: IncomingMessage }): string;
	},
) {
	app.get("/healthz", { config: { open: true } }, async () => ({ status: deps.status.healthy() ? "ok" : "degraded" }));
	app.get("/api/status", async () => deps.status.full());
	// Made once, when somebody asks: hundreds of schemas, and most servers are never asked.
	let schema: object | undefined;
	let document: object | undefined;
	app.get("/api/schema", async () => (schema ??= protocolSchema()));
	app.get("/api/openapi.json", async () => (document ??= openApi(deps)));
	app.get("/api/copilot/models", async () => deps.runtime.listModels());
	app.post("/api/runtime/wake", async (_request, reply) => {
		deps.runtime.wake();
		return reply.code(202).send({});
	});

	app.get("/api/settings", async () => ({ settings: deps.settings.get() }));
	app.patch("/api/settings", async (request) => {
		const patch = settingsPatch.parse(request.body ?? {});
		const settings = deps.settings.update(patch);
		deps.audit.record({ kind: "settings", source: deps.sourceOf(request), detail: JSON.stringify(patch) });
		return { settings };
	});

	app.get("/api/audit", async (request) => deps.audit.list(auditQuery.parse(request.query)));
}
