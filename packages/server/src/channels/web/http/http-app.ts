import { plainWords } from "@rightseat/protocol/sentences/wrong-shape";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { Redactor } from "../../../core/kernel/redact.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import type { Identity } from "../auth/identity.ts";
import type { FleetCaller } from "../fleet/fleet-caller.ts";
import { type AccessGuard, admit } from "./access-guard.ts";
import { type HttpProblem, problem, problemOf, retryAfterSeconds } from "./http-errors.ts";
import type { LimitedServer } from "./http-server.ts";
import { hasUnreadBody, linger } from "./linger.ts";
import { isReadOn } from "./read-on.ts";
import { securityHeaders } from "./security-headers.ts";

declare module "fastify" {
	interface FastifyRequest {
		/** Set by the gate on every route that needs a login. */
		identity: Identity | null;
		/** Over TLS, here or at the declared proxy. */
		secure: boolean;
		/** Under which address the browser shows our page. */
		pageOrigin: string;
		/** It came after a sync had failed. */
		isAfterFailure: boolean;
	}
	interface FastifyContextConfig {
		/** Open to people who are not logged in. */
		open?: boolean;
		/** Serves the page's own files: another site may link to it. */
		page?: boolean;
		/** Takes a body that is not JSON. */
		raw?: boolean;
	}
}

/** Pages for others show a conversation as well. */
const TELLS_OF_STORED = /^\/(api|watch)\//;
const JSON_BODY_LIMIT_BYTES = 256 * 1024;

/** A fastify instance whose every route needs a login unless its config says `open`. */
export function createHttpApp(deps: {
	guard: AccessGuard;
	limited: LimitedServer;
	clock: Pick<Clock, "after">;
	logger: Logger;
	redact: Redactor["line"];
	/** Another host of the fleet asks; what it may ask for was decided by who took its command. */
	caller: Pick<FleetCaller, "current">;
	/** Whether everything stored so far survives a power cut. */
	stored: Pick<SqlDatabase, "durable" | "hasFailed">;
}): FastifyInstance {
	// Without words zod says no more than "Invalid input" of a request with a wrong shape.
	z.config(plainWords);
	const app = fastify({
		serverFactory: (handler) => {
			deps.limited.server.on("request", handler);
			return deps.limited.server;
		},
		bodyLimit: JSON_BODY_LIMIT_BYTES,
		routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 200 },
		// Node itself comes here with what it cannot parse; answered without a reason.
		clientErrorHandler: (error, socket) => {
			// No request came, or none to its end. A browser preconnects, and would take this answer for the one to its next request.
			if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return socket.destroy();
			if (socket.writable) socket.write("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
			socket.destroySoon();
		},
		forceCloseConnections: true,
		// Our routes check with zod, and what they answer is text or a plain object. Fastify's own compilers are a hundred files that every start would load.
		schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
		// An address with a broken escape never reaches the hooks and the error handler.
		frameworkErrors: (_error, _request, reply) => {
			reply.headers(securityHeaders(false));
			return refuse(
				reply,
				problem(400, "bad-request", "This address is misspelt: a % in it needs two hexadecimal digits after it.", { reason: "misspelt" }),
			);
		},
	});
	app.decorateRequest("identity", null);
	app.decorateRequest("secure", false);
	app.decorateRequest("pageOrigin", "");
	app.decorateRequest("isAfterFailure", false);
	app.removeAllContentTypeParsers();
	app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => parseJson(String(body), done));

	app.addHook("onRequest", async (request, reply) => {
		request.isAfterFailure = deps.stored.hasFailed();
		if (deps.caller.current() !== undefined) {
			request.identity = { kind: "host" };
			return undefined;
		}
		const { open = false, page = false } = request.routeOptions.config;
		const admission = admit(deps.guard, request.raw, { open, page, upgrade: false });
		reply.headers(securityHeaders(admission.ok && admission.strict));
		reply.header("cache-control", "no-store");
		if (!admission.ok) {
			if (admission.retryAfter !== undefined) reply.header("retry-after", String(admission.retryAfter));
			return refuse(reply, admission.problem);
		}
		request.identity = admission.identity;
		request.secure = admission.secure;
		request.pageOrigin = admission.origin;
		if (admission.identity !== null) deps.limited.trust(request.raw.socket);
		if (!isJsonOrNothing(request)) {
			return refuse(reply, problem(415, "bad-request", "Send JSON with the content type application/json.", { reason: "content-type" }));
		}
		return undefined;
	});
	// A read may see a commit that is not durable yet; nobody is shown it before it is.
	app.addHook("onSend", async (request, reply) => {
		if (reply.statusCode >= 400 && request.identity?.kind !== "host" && hasUnreadBody(request.raw)) {
			reply.header("connection", "close");
			linger(request.raw, deps.clock);
		}
		if (reply.statusCode >= 400 || !TELLS_OF_STORED.test(request.url)) return;
		// What was read before the disk failed may be in doubt since; who asks again is told what is not.
		const isSure = request.isAfterFailure && request.method === "GET" && isReadOn(request.routeOptions.url ?? "");
		if (!isSure) await deps.stored.durable();
	});
	app.setErrorHandler((error, _request, reply) => {
		const { status, body } = problemOf(error, deps);
		if (status === 429 && !reply.hasHeader("retry-after")) reply.header("retry-after", String(retryAfterSeconds(body.error.code)));
		return reply.code(status).send(body);
	});
	return app;
}

/** A route with a JSON Schema fails when it is registered, not when it is called. */
function noCompiler(): never {
	throw new AppError("internal", "No route has a JSON Schema: check with zod.");
}

/** The rest of the body is not used: the connection ends with the answer, or soon after it. */
function refuse(reply: FastifyReply, { status, body }: HttpProblem) {
	reply.header("connection", "close");
	return reply.code(status).send(body);
}

function isJsonOrNothing(request: FastifyRequest): boolean {
	if (request.routeOptions.config.raw === true) return true;
	const type = request.headers["content-type"];
	return type === undefined || /^application\/json\s*(;|$)/i.test(type);
}

function parseJson(text: string, done: (error: Error | null, body?: unknown) => void) {
	if (text.trim() === "") return done(null, undefined);
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		return done(new AppError("bad-json", "The body is not JSON."));
	}
	done(null, body);
}
