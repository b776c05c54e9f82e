import type { IncomingMessage } from "node:http";
import { folderSetupQuery, folderTrustBody } from "@rightseat/protocol/http/folders";
import type { FastifyInstance } from "fastify";
import type { FolderTrust } from "../../../../services/folder-setup/folder-trust.ts";

/** What folders bring for agents, and whether people trust them. */
export function registerFolderRoutes(
	app: FastifyInstance,
	deps: { folderTrust: FolderTrust; sourceOf(request: { raw: IncomingMessage }): string },
) {
	app.get("/api/folders/setup", async (request) => deps.folderTrust.setup(folderSetupQuery.parse(request.query).path));

	app.get("/api/folders/trust", async () => ({ folders: deps.folderTrust.list() }));

	app.put("/api/folders/trust", async (request, reply) => {
		const { path, trusted } = folderTrustBody.parse(request.body);
		await deps.folderTrust.set(path, { trusted, source: deps.sourceOf(request) });
		return reply.code(204).send();
	});
}
