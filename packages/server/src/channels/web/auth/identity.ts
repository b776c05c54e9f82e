import type { AccessToken } from "./access-token.ts";
import { cookieName, cookieValues, portSeen } from "./cookies.ts";
import type { WebSession, WebSessions } from "./web-sessions.ts";

/** Who speaks: a logged-in browser, whoever holds the access token, or another host of the fleet whose command was checked. */
export type Identity = { kind: "session"; session: WebSession } | { kind: "token" } | { kind: "host" };

export type Authentication =
	| { ok: true; identity: Identity }
	| {
			ok: false;
			/** A credential was given, and it was wrong. */
			attempted: boolean;
			/** The cookie is of a device that was thrown out. */
			revoked: boolean;
	  };

/** The only place that turns headers into a person. A wrong `Authorization` header is never saved by a cookie. */
export function createAuthenticator(deps: { token: AccessToken; sessions: WebSessions; port: () => number }) {
	return {
		/** A token was sent, and ours is short enough to be found by trying. */
		guessable: (headers: { authorization?: string | undefined }) => headers.authorization !== undefined && !deps.token.strong(),
		authenticate(headers: { authorization?: string | undefined; cookie?: string | undefined; host?: string | undefined }): Authentication {
			if (headers.authorization !== undefined) {
				const match = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(headers.authorization);
				const candidate = match?.[1];
				return candidate !== undefined && deps.token.matches(candidate)
					? { ok: true, identity: { kind: "token" } }
					: { ok: false, attempted: true, revoked: false };
			}
			const ports = new Set([portSeen(headers.host, deps.port()), deps.port()]);
			const names = [...ports].flatMap((port) => [false, true].map((secure) => cookieName(port, secure)));
			const secrets = names.flatMap((name) => cookieValues(headers.cookie, name));
			for (const secret of secrets) {
				const session = deps.sessions.find(secret);
				if (session !== undefined) return { ok: true, identity: { kind: "session", session } };
			}
			return { ok: false, attempted: false, revoked: secrets.some((secret) => deps.sessions.wasRevoked(secret)) };
		},
	};
}
export type Authenticator = ReturnType<typeof createAuthenticator>;
