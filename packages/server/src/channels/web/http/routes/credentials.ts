import { addPasskeyBody, passkeyLoginBody } from "@rightseat/protocol/http/credential-requests";
import { passwordBody } from "@rightseat/protocol/http/requests";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { AppError } from "../../../../core/kernel/errors.ts";
import { CHALLENGE_MS } from "../../auth/challenges.ts";
import { cookieName, cookieValues, portSeen, setCookie } from "../../auth/cookies.ts";
import type { PageAddress, Passkeys, SealedOptions } from "../../auth/passkeys.ts";
import type { Password } from "../../auth/password.ts";
import { type LoginDeps, refuseLogin, startSession } from "./login.ts";

/** Optional ways to log in beside the token: a password, passkeys. Taking one away logs every other device out. */
export function registerCredentialRoutes(app: FastifyInstance, deps: LoginDeps & { password: Password; passkeys: Passkeys }) {
	const { password, passkeys, sessions, audit } = deps;
	const endOthers = (request: FastifyRequest) =>
		sessions.revokeAll(request.identity?.kind === "session" ? request.identity.session.id : undefined);
	const note = (request: FastifyRequest, detail: string) => audit.record({ kind: "settings", source: deps.addressOf(request.raw), detail });

	app.get("/api/login-methods", { config: { open: true } }, async () => ({
		token: true,
		password: password.isSet(),
		passkey: passkeys.count() > 0,
	}));

	app.post("/api/password", async (request, reply) => {
		await password.set(passwordBody.parse(request.body).password);
		endOthers(request);
		note(request, "password set");
		return reply.code(204).send();
	});
	app.delete("/api/password", async (request, reply) => {
		password.remove();
		endOthers(request);
		note(request, "password removed");
		return reply.code(204).send();
	});

	app.get("/api/passkeys", async () => ({ passkeys: passkeys.list() }));
	app.post("/api/passkeys/options", async (request, reply) => {
		return sendSealed(request, reply, await passkeys.registrationOptions(pageOf(request), holderOf(request)));
	});
	app.post("/api/passkeys", async (request, reply) => {
		const body = addPasskeyBody.parse(request.body);
		const answer = { page: pageOf(request), by: holderOf(request), seal: sealOf(request), ...body };
		if (!(await passkeys.register(answer))) {
			throw new AppError("bad-request", "This passkey could not be verified. Try again.", { params: { reason: "passkey-not-verified" } });
		}
		note(request, `passkey added: ${body.name}`);
		return reply.code(201).send({});
	});
	app.delete("/api/passkeys/:id", async (request, reply) => {
		const { id } = z.object({ id: z.string().check(z.maxLength(1_000)) }).parse(request.params);
		if (!passkeys.remove(id)) throw new AppError("not-found", "This passkey is gone already.", { params: { reason: "passkey" } });
		endOthers(request);
		note(request, "passkey removed");
		return reply.code(204).send();
	});

	app.post("/api/login/passkey/options", { config: { open: true } }, async (request, reply) => {
		if (passkeys.count() === 0)
			throw new AppError("not-found", "There is no passkey yet. Log in with the access token first.", { params: { reason: "no-passkey" } });
		return sendSealed(request, reply, await passkeys.loginOptions(pageOf(request)));
	});
	app.post("/api/login/passkey", { config: { open: true } }, async (request, reply) => {
		const { response } = passkeyLoginBody.parse(request.body);
		const address = deps.addressOf(request.raw);
		const attempt = { request, reply, address, method: "passkey" as const };
		// Nobody can guess a signature, so a right one counts above the limit too: strangers who fail cannot lock the owner out.
		if (await passkeys.verify(response, sealOf(request))) return startSession(deps, attempt);
		return refuseLogin(deps, { ...attempt, wait: deps.limiter.retryAfter(address, "login") });
	});

	function sendSealed(request: FastifyRequest, reply: FastifyReply, { options, seal }: SealedOptions) {
		const { secure } = request;
		const cookie = setCookie({ name: challengeCookie(request, deps.port()), value: seal, maxAgeSeconds: CHALLENGE_MS / 1000, secure });
		return reply.header("set-cookie", cookie).send(options);
	}
	const sealOf = (request: FastifyRequest) => cookieValues(request.headers.cookie, challengeCookie(request, deps.port())).at(0);
}

const challengeCookie = (request: FastifyRequest, port: number) =>
	`${cookieName(portSeen(request.headers.host, port), request.secure)}_challenge`;
const holderOf = ({ identity }: FastifyRequest) => (identity?.kind === "session" ? identity.session.id : "token");

/** The gate has checked that this is a name of ours. */
function pageOf(request: FastifyRequest): PageAddress {
	const { origin, hostname } = new URL(request.pageOrigin);
	return { origin, hostname };
}
