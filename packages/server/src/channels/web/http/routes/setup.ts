import type { IncomingMessage } from "node:http";
import { mcpServersBody, mcpTestBody } from "@rightseat/protocol/http/mcp-servers";
import { mcpLoginBody } from "@rightseat/protocol/http/setup";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { ConversationSetups } from "../../../../core/conversations/conversation-setup.ts";
import { conversationId } from "../../../../core/kernel/ids.ts";
import type { Redactor } from "../../../../core/kernel/redact.ts";
import type { TryServer } from "../../../../core/ports/agent-setup.ts";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import type { PersonServers } from "../../../../services/mcp-servers/person-servers.ts";

/** What people can see and do about what agents are given. */
export interface SetupAccess {
	conversations: ConversationSetups;
	personServers: Pick<PersonServers, "view" | "replace" | "find">;
	tryServer: TryServer;
}

/** What the routes about set-ups need. */
export interface SetupRoutesDeps {
	setup: SetupAccess;
	/** Where a server is tried. */
	workdir(): string;
	redactor: Pick<Redactor, "text">;
	audit: Pick<AuditLog, "record">;
	sourceOf(request: { raw: IncomingMessage }): string;
}

const params = z.object({ id: z.string().check(z.maxLength(200)) });
const serverParams = z.object({ ...params.shape, name: z.string().check(z.maxLength(200)) });

/** A person's own MCP servers, and what the agent of a conversation was given. */
export function registerSetupRoutes(app: FastifyInstance, deps: SetupRoutesDeps) {
	const { conversations: setups, personServers, tryServer } = deps.setup;
	const idOf = (request: { params: unknown }) => conversationId(params.parse(request.params).id);

	app.get("/api/mcp", async () => personServers.view());

	app.put("/api/mcp", async (request) => {
		const view = await personServers.replace(mcpServersBody.parse(request.body).mcpServers);
		const names = Object.keys(view.mcpServers).join(", ") || "none";
		deps.audit.record({ kind: "settings", source: deps.sourceOf(request), detail: `MCP servers: ${names}` });
		return view;
	});

	app.post("/api/mcp/test", async (request) => {
		const server = personServers.find(mcpTestBody.parse(request.body ?? {}));
		const { error, ...tried } = await tryServer(server, deps.workdir());
		return error === undefined ? tried : { ...tried, error: deps.redactor.text(error) };
	});

	app.get("/api/conversations/:id/setup", async (request) => setups.get(idOf(request)));

	app.get("/api/conversations/:id/commands", async (request) => ({ commands: await setups.commands(idOf(request)) }));

	app.post("/api/conversations/:id/mcp/go-on", async (request, reply) => {
		setups.goOn(idOf(request));
		return reply.code(204).send();
	});

	app.post("/api/conversations/:id/mcp/:name/login", async (request) => {
		const { id, name } = serverParams.parse(request.params);
		return setups.login(conversationId(id), name);
	});

	app.put("/api/conversations/:id/mcp/:name/login", async (request) => {
		const { id, name } = serverParams.parse(request.params);
		const { url } = mcpLoginBody.parse(request.body);
		const state = await setups.finishLogin(conversationId(id), name, url);
		deps.audit.record({ kind: "settings", source: deps.sourceOf(request), detail: `signed in to the MCP server ${name}` });
		return { state };
	});
}
