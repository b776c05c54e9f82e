import type { McpAccess } from "../http/routes/mcp.ts";
import type { TelegramAccess } from "../http/routes/telegram.ts";
import type { PushSubscriptions } from "../push/push-subscriptions.ts";
import type { AccessToken } from "./access-token.ts";
import type { LoginCodes } from "./login-codes.ts";
import type { Passkeys } from "./passkeys.ts";
import type { Password } from "./password.ts";
import type { WebSessions } from "./web-sessions.ts";

/** Every way in and every way that texts go out, as a person can read it. */
export interface WaysIn {
	/** Other devices that are logged in. */
	devices: number;
	password: boolean;
	passkeys: string[];
	notifications: number;
	telegram: string[];
	/** Named in TELEGRAM_ALLOWED_USERS: only the configuration takes them away. */
	telegramFixed: string[];
	/** Tokens of other programs. */
	mcp: string[];
}

/** For somebody who fears that a stranger got in: closes every way at once and keeps only the session that asks. */
export interface Lock {
	list(keeper: string | undefined): WaysIn;
	/** Gives what was closed. The access token is replaced. */
	close(keeper: string | undefined): WaysIn;
	/** The session that stays while everything else is being closed. */
	keeping(): string | undefined;
}

export function createLock(deps: {
	token: AccessToken;
	codes: LoginCodes;
	password: Password;
	passkeys: Passkeys;
	sessions: WebSessions;
	subscriptions: PushSubscriptions;
	telegram: TelegramAccess | undefined;
	mcpTokens: Pick<McpAccess<object>["tokens"], "list" | "revokeAll">;
	endEverything(except?: string): void;
}): Lock {
	let keeping: string | undefined;
	const people = () => deps.telegram?.people() ?? [];
	const list = (keeper: string | undefined): WaysIn => ({
		devices: deps.sessions.list().filter(({ id }) => id !== keeper).length,
		password: deps.password.isSet(),
		passkeys: deps.passkeys.list().map(({ name }) => name),
		notifications: deps.subscriptions.list(keeper).length,
		telegram: people().flatMap(({ name, fixed }) => (fixed ? [] : [name])),
		telegramFixed: people().flatMap(({ name, fixed }) => (fixed ? [name] : [])),
		mcp: deps.mcpTokens.list().map(({ name }) => name),
	});
	return {
		list,
		close(keeper) {
			const closed = list(keeper);
			deps.password.remove();
			deps.passkeys.removeAll();
			deps.mcpTokens.revokeAll();
			for (const { userId, fixed } of people()) if (!fixed) deps.telegram?.revoke(userId);
			// A new token throws everybody out; whoever asked for it stays.
			keeping = keeper;
			try {
				deps.token.rotate();
				if (keeper !== undefined) deps.sessions.keep(keeper);
				deps.endEverything(keeper);
			} finally {
				keeping = undefined;
			}
			return closed;
		},
		keeping: () => keeping,
	};
}
