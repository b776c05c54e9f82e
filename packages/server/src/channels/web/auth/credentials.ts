import type { Clock } from "../../../core/kernel/clock.ts";
import type { IdSource } from "../../../core/kernel/ids.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import type { SettingsStore } from "../../../core/ports/store.ts";
import type { Addresses } from "../addresses.ts";
import { type AccessToken, createAccessToken } from "./access-token.ts";
import { createLoginCodes, type LoginCodes } from "./login-codes.ts";
import { createLoginLimiter, type LoginLimiter } from "./login-limiter.ts";
import { createPasskeys, type Passkeys } from "./passkeys.ts";
import { createPassword, type Password } from "./password.ts";
import { createWebSessions, type WebSessions } from "./web-sessions.ts";

/** Every way to prove who one is, and the sessions that came of it. */
export interface Credentials {
	token: AccessToken;
	codes: LoginCodes;
	password: Password;
	passkeys: Passkeys;
	sessions: WebSessions;
	limiter: LoginLimiter;
}

/** `hide` learns every access token there is. */
export function createCredentials(deps: {
	home: string;
	sql: SqlDatabase;
	settings: SettingsStore;
	addresses: Pick<Addresses, "port" | "publicOrigins">;
	clock: Clock;
	ids: IdSource;
	logger: Logger;
	hide(value: string): void;
}): Credentials {
	const { home, sql, clock, ids, logger, addresses } = deps;
	const token = createAccessToken({ home, clock, logger, hide: deps.hide });
	return {
		token,
		codes: createLoginCodes(clock),
		password: createPassword(deps.settings),
		passkeys: createPasskeys({ sql, clock, port: addresses.port, publicOrigins: addresses.publicOrigins }),
		sessions: createWebSessions({ sql, clock, ids, logger, tokenFingerprint: () => token.fingerprint() }),
		limiter: createLoginLimiter(clock),
	};
}
