import type { IncomingMessage } from "node:http";
import type { PermissionRules } from "@rightseat/protocol/http/permissions";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { RememberedPermissions } from "../../../../core/asks/remembered/remembered-permissions.ts";
import { shownRule } from "../../../../core/asks/remembered/rule-text.ts";
import { isoTime } from "../../../../core/kernel/clock.ts";
import { AppError } from "../../../../core/kernel/errors.ts";

/** What people allowed for good, and taking it back. */
export function registerPermissionRoutes(
	app: FastifyInstance,
	deps: { remembered: Pick<RememberedPermissions, "list" | "revoke">; sourceOf(request: { raw: IncomingMessage }): string },
) {
	app.get("/api/permissions", async (): Promise<PermissionRules> => ({ folders: byFolder(deps.remembered.list()) }));

	app.delete("/api/permissions/:id", async (request, reply) => {
		const { id } = ruleParams.parse(request.params);
		if (!deps.remembered.revoke(id, deps.sourceOf(request)))
			throw new AppError("not-found", "This remembered permission is gone already.", { params: { reason: "permission-rule" } });
		return reply.code(204).send();
	});
}

/** Folders by name, and in each the oldest rule first. */
function byFolder(rules: ReturnType<RememberedPermissions["list"]>): PermissionRules["folders"] {
	const folders = new Map<string, PermissionRules["folders"][number]["rules"]>();
	for (const rule of rules) {
		const { folder, ...shown } = shownRule(rule);
		folders.set(folder, [...(folders.get(folder) ?? []), { id: rule.id, ...shown, createdAt: isoTime(rule.createdAt) }]);
	}
	return [...folders].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, kept]) => ({ path, rules: kept }));
}

const ruleParams = z.object({ id: z.string().check(z.maxLength(200)) });
