import type { IncomingMessage, ServerResponse } from "node:http";
import { type McpToken, type NewMcpToken, newMcpTokenBody } from "@rightseat/protocol/http/mcp";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { AppError } from "../../../../core/kernel/errors.ts";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import { type AccessGuard, refuseStranger } from "../access-guard.ts";
import type { LimitedServer } from "../http-server.ts";

/** What a call over MCP may have in bytes. */
export const MAX_MCP_BODY_BYTES = 1024 * 1024;

/** What the page can see and do about MCP, and who answers it. */
export interface McpAccess<Credential> {
	readonly tokens: {
		list(): McpToken[];
		create(wanted: NewMcpToken): { token: McpToken; secret: string };
		revoke(id: string): boolean;
		revokeAll(): void;
		endTemporary(): void;
		find(secret: string): Credential | undefined;
	};
	serve(request: { request: IncomingMessage; response: ServerResponse; body: unknown; token: Credential; address: string }): Promise<void>;
	close(): void;
}

interface McpRoutesDeps<Credential> {
	mcp: McpAccess<Credential>;
	guard: AccessGuard;
	trust: LimitedServer["trust"];
	audit: AuditLog;
	sourceOf(request: { raw: IncomingMessage }): string;
}

/** The tokens of other programs, made and revoked by people, and the one route that they are good for. */
export function registerMcpRoutes<Credential extends object>(app: FastifyInstance, deps: McpRoutesDeps<Credential>) {
	const { tokens } = deps.mcp;
	app.get("/api/mcp-tokens", async () => ({ tokens: tokens.list() }));

	app.post("/api/mcp-tokens", async (request, reply) => {
		const made = tokens.create(newMcpTokenBody.parse(request.body));
		const { name, permissions, reach } = made.token;
		deps.audit.record({ kind: "mcp-token", source: deps.sourceOf(request), detail: `made ${name} (${permissions}, ${reach})` });
		return reply.code(201).send(made);
	});

	app.delete("/api/mcp-tokens/:id", async (request, reply) => {
		const { id } = tokenParams.parse(request.params);
		const name = tokens.list().find((token) => token.id === id)?.name;
		if (!tokens.revoke(id)) throw new AppError("not-found", "There is no such token.", { params: { reason: "mcp-token" } });
		if (name !== undefined) deps.audit.record({ kind: "mcp-token", source: deps.sourceOf(request), detail: `revoked ${name}` });
		return reply.code(204).send();
	});

	serveMcp(app, deps);
}

function serveMcp<Credential extends object>(app: FastifyInstance, { mcp, guard, trust, sourceOf }: McpRoutesDeps<Credential>) {
	const callers = new WeakMap<object, Credential>();
	app.route({
		method: ["GET", "POST", "DELETE"],
		url: "/mcp",
		// Not by the login of people: neither the access token nor a cookie is good here.
		config: { open: true },
		bodyLimit: MAX_MCP_BODY_BYTES,
		// Before the body is read: a stranger's is not.
		async onRequest(request: FastifyRequest, reply: FastifyReply) {
			const secret = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? "")?.[1];
			const found = secret === undefined ? undefined : mcp.tokens.find(secret);
			if (found === undefined) {
				const { problem, retryAfter } = refuseStranger(guard, request.raw, {
					attempted: request.headers.authorization === undefined ? undefined : "bearer",
					message: "Send a token for MCP as a Bearer token. A person makes one with: rightseat mcp token",
				});
				if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
				reply.header("www-authenticate", "Bearer").header("connection", "close");
				return reply.code(problem.status).send(problem.body);
			}
			trust(request.raw.socket);
			callers.set(request, found);
		},
		async handler(request, reply) {
			const token = callers.get(request);
			if (token === undefined) throw new AppError("unauthorized", "Send a token for MCP as a Bearer token.");
			// Written by hand from here on: an answer may be a stream.
			reply.hijack();
			for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
			await mcp
				.serve({ request: request.raw, response: reply.raw, body: request.body, token, address: sourceOf(request) })
				.catch((error: unknown) => void reply.raw.destroy(error instanceof Error ? error : undefined));
		},
	});
}

const tokenParams = z.object({ id: z.string().check(z.maxLength(200)) });
