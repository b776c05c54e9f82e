import type { IncomingMessage } from "node:http";
import type { ModelAccountView } from "@rightseat/protocol/http/model-account";
import { modelAccountBody } from "@rightseat/protocol/http/model-account-requests";
import type { FastifyInstance } from "fastify";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import type { ModelAccountStore } from "../../../../services/model-account/model-account.ts";
import type { AppSettingsStore } from "../../../../services/settings/settings.ts";

/** Whose model answers in conversations with Copilot: seen, connected and forgotten on the page. No answer has a secret in it. */
export function registerModelAccountRoutes(
	app: FastifyInstance,
	deps: {
		modelAccount: ModelAccountStore;
		settings: AppSettingsStore;
		audit: AuditLog;
		sourceOf(request: { raw: IncomingMessage }): string;
	},
) {
	function changed(request: { raw: IncomingMessage }, account: ModelAccountView): { account: ModelAccountView } {
		// A model belongs to its provider.
		if (deps.settings.get().defaultModel !== "") deps.settings.update({ defaultModel: "" });
		deps.audit.record({ kind: "model-account", source: deps.sourceOf(request), detail: nameOf(account) });
		return { account };
	}
	app.get("/api/model-account", async () => ({ account: deps.modelAccount.view() }));
	app.get("/api/model-account/login", () => deps.modelAccount.offered());
	app.put("/api/model-account", async (request) =>
		changed(request, await deps.modelAccount.connect(modelAccountBody.parse(request.body ?? {}))),
	);
	app.delete("/api/model-account", async (request) => changed(request, await deps.modelAccount.forget()));
}

/** What the audit log keeps: an address has no secret in it. */
function nameOf({ kind, type, url, login }: ModelAccountView): string {
	if (kind === "own") return `${type} ${url}`;
	return login === undefined ? kind : `${kind} ${login}`;
}
