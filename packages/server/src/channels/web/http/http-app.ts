import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { Redactor } from "../../../core/kernel/redact.ts";
import type { AuditLog } from "../../../core/ports/audit.ts";
import type { Authenticator, Identity } from "../auth/identity.ts";
import type { AttemptKind, LoginLimiter } from "../auth/login-limiter.ts";
import type { createGate, GateVerdict } from "./gate.ts";
import { type HttpProblem, problem, problemOf, retryAfterSeconds } from "./http-errors.ts";
import type { LimitedServer } from "./http-server.ts";
import { securityHeaders } from "./security-headers.ts";

declare module "fastify" {
	interface FastifyRequest {
		/** Set by the gate on every route that needs a login. */
		identity: Identity | null;
		/** Over TLS, here or at the declared proxy. */
		secure: boolean;
		/** Under which address the browser shows our page. */
		pageOrigin: string;
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

export interface Door {
	gate: ReturnType<typeof createGate>;
	authenticator: Authenticator;
	limiter: LoginLimiter;
	audit: Pick<AuditLog, "record">;
	addressOf(request: IncomingMessage): string;
}

export type Admission =
	| { ok: true; identity: Identity | null; secure: boolean; origin: string }
	| { ok: false; problem: HttpProblem; retryAfter?: number };

const JSON_BODY_LIMIT_BYTES = 256 * 1024;

/** Checks one request or upgrade from the outside in: name, origin, credential. */
export function admit(door: Door, request: IncomingMessage, options: { open: boolean; page: boolean; upgrade: boolean }): Admission {
	const verdict: GateVerdict = door.gate.check({
		method: request.method ?? "",
		url: request.url ?? "",
		rawHeaders: request.rawHeaders,
		localAddress: request.socket.localAddress,
		encrypted: request.socket instanceof TLSSocket,
		upgrade: options.upgrade,
		page: options.page,
	});
	if (!verdict.ok) return { ok: false, problem: problem(verdict.status, verdict.code, verdict.message) };
	if (options.open) return { ok: true, identity: null, secure: verdict.secure, origin: verdict.origin };
	// What could be guessed shares the login form's limit and is not even compared above it.
	const kind = door.authenticator.guessable(request.headers) ? "login" : "bearer";
	const wait = kind === "login" ? door.limiter.retryAfter(door.addressOf(request), kind) : 0;
	if (wait > 0) {
		noteWrongToken(door, request, true);
		return tooManyTokens(wait);
	}
	const result = door.authenticator.authenticate(request.headers);
	if (!result.ok && result.revoked)
		return { ok: false, problem: problem(401, "login-revoked", "This device was logged out. Log in again.") };
	if (!result.ok) return refuseStranger(door, request, result.attempted ? kind : undefined);
	if (result.identity.kind === "session" && verdict.mutating && !verdict.fromPage) {
		const message = "A cookie alone is not enough here: send the Origin header of this server, or use the access token.";
		return { ok: false, problem: problem(403, "forbidden", message) };
	}
	return { ok: true, identity: result.identity, secure: verdict.secure, origin: verdict.origin };
}

function refuseStranger(door: Door, request: IncomingMessage, attempted: AttemptKind | undefined): Admission {
	if (attempted !== undefined) {
		const address = door.addressOf(request);
		const wait = door.limiter.retryAfter(address, attempted);
		door.limiter.fail(address, attempted);
		noteWrongToken(door, request, wait > 0);
		if (wait > 0) return tooManyTokens(wait);
	}
	return { ok: false, problem: problem(401, "unauthorized", "Log in, or send the access token as a Bearer token.") };
}

function noteWrongToken(door: Door, request: IncomingMessage, limited: boolean) {
	door.audit.record({ kind: "login-failed", source: door.addressOf(request), detail: "bearer", limited });
}

const tooManyTokens = (retryAfter: number): Admission => ({
	ok: false,
	retryAfter,
	problem: problem(429, "rate-limited", "Too many wrong tokens. Wait a minute.", { reason: "wrong-tokens" }),
});

/** A fastify instance whose every route is behind the door unless its config says `open`. */
export function createHttpApp(deps: {
	door: Door;
	limited: LimitedServer;
	logger: Logger;
	redact: Redactor["line"];
	/** Resolves when everything stored so far survives a power cut. */
	durable(): Promise<void>;
}): FastifyInstance {
	const app = fastify({
		serverFactory: (handler) => {
			deps.limited.server.on("request", handler);
			return deps.limited.server;
		},
		bodyLimit: JSON_BODY_LIMIT_BYTES,
		routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 200 },
		// Node itself joins what it cannot parse to this; answered without a word about why.
		clientErrorHandler: (_error, socket) => {
			if (socket.writable) socket.write("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
			socket.destroySoon();
		},
		forceCloseConnections: true,
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
	app.removeAllContentTypeParsers();
	app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => parseJson(String(body), done));

	app.addHook("onRequest", async (request, reply) => {
		const { open = false, page = false } = request.routeOptions.config;
		const admission = admit(deps.door, request.raw, { open, page, upgrade: false });
		reply.headers(securityHeaders(admission.ok && admission.secure));
		reply.header("cache-control", "no-store");
		if (!admission.ok) {
			if (admission.retryAfter !== undefined) reply.header("retry-after", String(admission.retryAfter));
			return refuse(reply, admission.problem);
		}
		request.identity = admission.identity;
		request.secure = admission.secure;
		request.pageOrigin = admission.origin;
		if (admission.identity !== null) deps.limited.vouch(request.raw.socket);
		if (!isJsonOrNothing(request)) {
			return refuse(reply, problem(415, "bad-request", "Send JSON with the content type application/json.", { reason: "content-type" }));
		}
	});
	// Also what is only read may be so new that a power cut would take it back; nobody is to see it before.
	app.addHook("onSend", async (request, reply) => {
		if (reply.statusCode >= 400 || !request.url.startsWith("/api/")) return;
		const stored = deps.durable();
		// While the disk fails, reading goes on.
		await (request.method === "GET" ? stored.catch(() => undefined) : stored);
	});
	app.setErrorHandler((error, _request, reply) => {
		const { status, body } = problemOf(error, deps);
		if (status === 429 && !reply.hasHeader("retry-after")) reply.header("retry-after", String(retryAfterSeconds(body.error.code)));
		return reply.code(status).send(body);
	});
	return app;
}

/** The rest of the body is not read: the connection ends with the answer. */
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
