import type { IncomingMessage } from "node:http";
import { loginBody } from "@rightseat/protocol/http/requests";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { renderSVG } from "uqr";
import * as z from "zod/mini";
import { isoTime } from "../../../../core/kernel/clock.ts";
import { AppError } from "../../../../core/kernel/errors.ts";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import type { AccessToken } from "../../auth/access-token.ts";
import { cookieName, portSeen, setCookie } from "../../auth/cookies.ts";
import type { LoginCodes } from "../../auth/login-codes.ts";
import type { LoginLimiter } from "../../auth/login-limiter.ts";
import type { Password } from "../../auth/password.ts";
import { type LoginMethod, SESSION_ABSOLUTE_MS, type WebSessions } from "../../auth/web-sessions.ts";
import { problem } from "../http-errors.ts";

export interface LoginDeps {
	token: AccessToken;
	codes: LoginCodes;
	password: Password;
	sessions: WebSessions;
	limiter: LoginLimiter;
	audit: AuditLog;
	port(): number;
	/** Where people open the page, without a slash at the end. */
	linkUrl(): string;
	addressOf(request: IncomingMessage): string;
	/** Keeps the connection while a login is being checked. */
	hold(socket: object): () => void;
	/** Ends every login and socket, except those of the session named. */
	endEverything(except?: string): void;
}

/** Login, logout, and the other sessions. */
export function registerLoginRoutes(app: FastifyInstance, deps: LoginDeps) {
	app.post("/api/login", { config: { open: true } }, async (request, reply) => {
		const body = loginBody.parse(request.body);
		const address = deps.addressOf(request.raw);
		const wait = deps.limiter.retryAfter(address, "login");
		const release = deps.hold(request.raw.socket);
		try {
			const { method, right } = await compare(deps, body, wait);
			if (!right) return await refuseLogin(deps, { request, reply, address, wait, method });
			return startSession(deps, { request, reply, address, method });
		} finally {
			release();
		}
	});

	app.post("/api/logout", async (request, reply) => {
		if (request.identity?.kind === "session") deps.sessions.end(request.identity.session.id);
		deps.audit.record({ kind: "logout", source: deps.addressOf(request.raw) });
		return reply.header("set-cookie", expiredCookies(request, deps.port())).code(204).send();
	});

	app.post("/api/logout-everywhere", async (request, reply) => {
		deps.audit.record({ kind: "logout-everywhere", source: deps.addressOf(request.raw) });
		deps.endEverything(request.identity?.kind === "session" ? request.identity.session.id : undefined);
		return reply.code(204).send();
	});

	app.get("/api/sessions", async (request) => {
		const current = request.identity?.kind === "session" ? request.identity.session.id : undefined;
		return {
			sessions: deps.sessions.list().map((session) => ({
				id: session.id,
				method: session.method,
				address: session.address,
				userAgent: session.userAgent,
				createdAt: isoTime(session.createdAt),
				lastSeenAt: isoTime(session.lastSeenAt),
				current: session.id === current,
			})),
		};
	});

	app.delete("/api/sessions/:id", async (request, reply) => {
		const { id } = z.object({ id: z.string().check(z.maxLength(100)) }).parse(request.params);
		// Which device it was: by its id nobody would know it again.
		const device = deps.sessions.list().find((session) => session.id === id)?.userAgent;
		if (!deps.sessions.revoke(id)) throw new AppError("not-found", "This device is no longer logged in.", { params: { reason: "device" } });
		deps.audit.record({ kind: "session-revoked", source: deps.addressOf(request.raw), detail: device });
		return reply.code(204).send();
	});

	app.post("/api/login-code", async (request, reply) => {
		const { code, expiresAt } = deps.codes.create({ by: request.identity?.kind === "session" ? request.identity.session.id : undefined });
		const url = `${deps.linkUrl()}/#code=${code}`;
		deps.audit.record({ kind: "login-code", source: deps.addressOf(request.raw) });
		return reply.code(201).send({ url, qrSvg: renderSVG(url, { border: 2 }), expiresAt: isoTime(expiresAt) });
	});

	app.post("/api/token/rotate", async (request, reply) => {
		deps.audit.record({ kind: "token-rotated", source: deps.addressOf(request.raw) });
		deps.token.rotate();
		return reply.header("set-cookie", expiredCookies(request, deps.port())).code(204).send();
	});
}

/** What could be guessed is not even compared above the limit; a generated token or code is, so that nobody can lock the owner out. */
async function compare(deps: LoginDeps, body: z.infer<typeof loginBody>, wait: number): Promise<{ method: LoginMethod; right: boolean }> {
	if ("code" in body) return { method: "code", right: deps.codes.take(body.code) };
	if ("token" in body) return { method: "token", right: (wait === 0 || deps.token.strong()) && deps.token.matches(body.token) };
	return { method: "password", right: wait === 0 && (await deps.password.matches(body.password)) };
}

interface Attempt {
	request: FastifyRequest;
	reply: FastifyReply;
	address: string;
	method: LoginMethod;
}

/** Gives the browser its cookie. */
export function startSession(deps: LoginDeps, { request, reply, address, method }: Attempt) {
	const { secret } = deps.sessions.create({ address, userAgent: request.headers["user-agent"] ?? "", method });
	deps.audit.record({ kind: "login", source: address, detail: method });
	const cookie = setCookie({
		name: cookieName(portSeen(request.headers.host, deps.port()), request.secure),
		value: secret,
		maxAgeSeconds: SESSION_ABSOLUTE_MS / 1000,
		secure: request.secure,
	});
	return reply.header("set-cookie", cookie).code(204).send();
}

/** Counts the failure and says 401, or 429 with the time to wait. */
export async function refuseLogin(deps: LoginDeps, { reply, address, wait, method }: Attempt & { wait: number }) {
	deps.limiter.fail(address, "login");
	deps.audit.record({ kind: "login-failed", source: address, detail: method, limited: wait > 0 });
	const inTime = wait === 0 && (await deps.limiter.slowDown());
	const { status, body } = inTime
		? problem(401, "unauthorized", "That was not right, or it was used already. Run `npm start` for a new link, or see the token file.")
		: problem(429, "rate-limited", "Too many attempts. Wait a minute, then try again.", { reason: "attempts" });
	if (!inTime) reply.header("retry-after", String(Math.max(1, wait)));
	return reply.code(status).send(body);
}

function expiredCookies(request: FastifyRequest, port: number): string[] {
	const ports = [...new Set([portSeen(request.headers.host, port), port])];
	return ports.flatMap((named) =>
		[false, true].map((secure) => setCookie({ name: cookieName(named, secure), value: "", maxAgeSeconds: 0, secure })),
	);
}
