import type { IncomingMessage } from "node:http";
import { healthQuery } from "@rightseat/protocol/http/reach";
import { agentQuery, auditQuery, settingsPatch } from "@rightseat/protocol/http/requests";
import { protocolSchema } from "@rightseat/protocol/schema/json-schema";
import { openApi } from "@rightseat/protocol/schema/openapi";
import type { FastifyInstance } from "fastify";
import type { Agents } from "../../../../core/ports/agents.ts";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import { requireAgent } from "../../../../core/turns/require-agent.ts";
import type { AppSettingsStore } from "../../../../services/settings/settings.ts";
import type { WorkRoots } from "../../../../services/work-roots/work-roots.ts";
import { toAgent } from "../../agent-view.ts";
import type { AppStatus } from "../../ws/app-status.ts";

/** Health, the documents of the protocol, agents, models, settings and the audit log. */
export function registerAppRoutes(
	app: FastifyInstance,
	deps: {
		agents: Pick<Agents, "default" | "list" | "installable" | "find" | "refresh">;
		status: AppStatus;
		settings: AppSettingsStore;
		roots: Pick<WorkRoots, "check">;
		audit: AuditLog;
		version: string;
		/** For the nonce of a trial: that it came through to this very server. */
		prove(nonce: string): string | undefined;
		sourceOf(request: { raw: IncomingMessage }): string;
	},
) {
	app.get("/healthz", { config: { open: true } }, async (request) => {
		const status = deps.status.healthy() ? "ok" : "degraded";
		const asked = healthQuery.safeParse(request.query);
		const proof = asked.success && asked.data.nonce !== undefined ? deps.prove(asked.data.nonce) : undefined;
		return proof === undefined ? { status } : { status, proof };
	});
	app.get("/api/status", async () => deps.status.full());
	// Made once, when somebody asks: hundreds of schemas, and most servers are never asked.
	let schema: object | undefined;
	let document: object | undefined;
	app.get("/api/schema", async () => (schema ??= protocolSchema()));
	app.get("/api/openapi.json", async () => (document ??= openApi(deps)));
	const asked = (request: { query: unknown }) => requireAgent(deps.agents, agentQuery.parse(request.query).agent);
	app.get("/api/agents", async () => {
		await deps.agents.refresh();
		const { agents } = deps;
		const installable = agents.installable();
		return { agents: agents.list().map(toAgent), default: agents.default(), ...(installable.length === 0 ? {} : { installable }) };
	});
	app.get("/api/copilot/models", async (request) => asked(request).listModels());
	app.post("/api/runtime/wake", async (request, reply) => {
		asked(request).wake();
		return reply.code(202).send({});
	});

	app.get("/api/settings", async () => ({ settings: deps.settings.get() }));
	app.patch("/api/settings", async (request) => {
		const patch = settingsPatch.parse(request.body ?? {});
		// Empty: the configured one.
		if (patch.defaultAgent) requireAgent(deps.agents, patch.defaultAgent);
		if (patch.workdir) patch.workdir = await deps.roots.check(patch.workdir);
		const settings = deps.settings.update(patch);
		deps.audit.record({ kind: "settings", source: deps.sourceOf(request), detail: JSON.stringify(patch) });
		return { settings };
	});

	app.get("/api/audit", async (request) => deps.audit.list(auditQuery.parse(request.query)));
}
