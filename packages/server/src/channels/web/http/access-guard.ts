import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import type { AuditLog } from "../../../core/ports/audit.ts";
import type { Authenticator, Identity } from "../auth/identity.ts";
import type { AttemptKind, LoginLimiter } from "../auth/login-limiter.ts";
import type { createGate, GateVerdict } from "./gate.ts";
import { type HttpProblem, problem } from "./http-errors.ts";

/** What decides who may ask for anything: the gate (name and origin), the credential, and the limit on guesses. */
export interface AccessGuard {
	gate: ReturnType<typeof createGate>;
	authenticator: Authenticator;
	limiter: LoginLimiter;
	audit: Pick<AuditLog, "record">;
	addressOf(request: IncomingMessage): string;
}

/** Admitted, with the identity, or refused with the answer to give. */
export type Admission = { ok: true; identity: Identity | null; secure: boolean; strict: boolean; origin: string } | Refused;

interface Refused {
	ok: false;
	problem: HttpProblem;
	retryAfter?: number;
}

/** Checks one request or upgrade from the outside in: name, origin, credential. */
export function admit(
	guard: AccessGuard,
	request: IncomingMessage,
	options: { open: boolean; page: boolean; upgrade: boolean },
): Admission {
	const verdict: GateVerdict = guard.gate.check({
		method: request.method ?? "",
		url: request.url ?? "",
		rawHeaders: request.rawHeaders,
		localAddress: request.socket.localAddress,
		encrypted: request.socket instanceof TLSSocket,
		upgrade: options.upgrade,
		page: options.page,
	});
	if (!verdict.ok) return { ok: false, problem: problem(verdict.status, verdict.code, verdict.message) };
	if (options.open) return { ok: true, identity: null, ...seenAs(verdict) };
	// What could be guessed shares the login form's limit and is not even compared above it.
	const kind = guard.authenticator.guessable(request.headers) ? "login" : "bearer";
	const wait = kind === "login" ? guard.limiter.retryAfter(guard.addressOf(request), kind) : 0;
	if (wait > 0) {
		noteWrongToken(guard, request, true);
		return tooManyTokens(wait);
	}
	const result = guard.authenticator.authenticate(request.headers);
	if (!result.ok && result.revoked)
		return { ok: false, problem: problem(401, "login-revoked", "This device was logged out. Log in again.") };
	if (!result.ok) {
		const message = "Log in, or send the access token as a Bearer token.";
		return refuseStranger(guard, request, { attempted: result.attempted ? kind : undefined, message });
	}
	if (result.identity.kind === "session" && verdict.mutating && !verdict.fromPage) {
		const message = "A cookie alone is not enough here: send the Origin header of this server, or use the access token.";
		return { ok: false, problem: problem(403, "forbidden", message) };
	}
	return { ok: true, identity: result.identity, ...seenAs(verdict) };
}

const seenAs = ({ secure, strict, origin }: GateVerdict & { ok: true }) => ({ secure, strict, origin });

/** The answer to somebody without a right credential; a wrong one is counted and written down. */
export function refuseStranger(
	guard: AccessGuard,
	request: IncomingMessage,
	{ attempted, message }: { attempted: AttemptKind | undefined; message: string },
): Refused {
	if (attempted !== undefined) {
		const address = guard.addressOf(request);
		const wait = guard.limiter.retryAfter(address, attempted);
		guard.limiter.fail(address, attempted);
		noteWrongToken(guard, request, wait > 0);
		if (wait > 0) return tooManyTokens(wait);
	}
	return { ok: false, problem: problem(401, "unauthorized", message) };
}

function noteWrongToken(guard: AccessGuard, request: IncomingMessage, limited: boolean) {
	guard.audit.record({ kind: "login-failed", source: guard.addressOf(request), detail: "bearer", limited });
}

const tooManyTokens = (retryAfter: number): Refused => ({
	ok: false,
	retryAfter,
	problem: problem(429, "rate-limited", "Too many wrong tokens. Wait a minute.", { reason: "wrong-tokens" }),
});
