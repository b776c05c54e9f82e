import type { McpLogin } from "@rightseat/protocol/http/setup";
import { AppError } from "../../../core/kernel/errors.ts";

/** How long the runtime may take to take the address up. */
const REDIRECT_LIMIT_MS = 10_000;
const LOOPBACK = "127.0.0.1";

/**
 * A sign-in that was begun. The runtime waits on an address of this machine, which a browser elsewhere does not reach: a person pastes the
 * address on which theirs ended, and it is fetched from here. Nothing but that very address is: whoever could name another one would have this
 * machine ask for it.
 */
export interface ServerLogin extends McpLogin {
	/** Rejects with an AppError unless `pasted` is the address that this login waits on. */
	finish(pasted: string): Promise<void>;
}

/** `authorizationUrl` is what the runtime says; without a redirect to this machine there is nothing to paste. */
export function createServerLogin(authorizationUrl: string): ServerLogin {
	const asked = URL.canParse(authorizationUrl) ? new URL(authorizationUrl) : undefined;
	if (asked === undefined || !["http:", "https:"].includes(asked.protocol)) throw noSignIn();
	const redirect = asked.searchParams.get("redirect_uri") ?? "";
	const expected = URL.canParse(redirect) && isLoopback(new URL(redirect)) ? new URL(redirect) : undefined;
	return {
		authorizationUrl,
		...(expected === undefined ? {} : { redirectUrl: expected.href }),
		async finish(pasted) {
			const given = URL.canParse(pasted.trim()) ? new URL(pasted.trim()) : undefined;
			if (expected === undefined || given === undefined || !isSame(given, expected, asked.searchParams.get("state")))
				throw notThatAddress();
			const address = new URL(expected.href);
			address.search = given.search;
			const signal = AbortSignal.timeout(REDIRECT_LIMIT_MS);
			const answer = await fetch(address, { redirect: "manual", signal }).catch((error: unknown) => Promise.reject(notTaken(error)));
			await answer.body?.cancel();
			if (answer.status >= 400) throw notTaken(answer.status);
		},
	};
}

const isLoopback = ({ protocol, hostname, username, password }: URL) =>
	protocol === "http:" && hostname === LOOPBACK && username === "" && password === "";

/** The same place, and an answer to the same question. */
function isSame(given: URL, expected: URL, state: string | null): boolean {
	const isPlace = isLoopback(given) && given.port === expected.port && given.pathname === expected.pathname;
	return isPlace && expected.port !== "" && given.searchParams.get("state") === state;
}

const noSignIn = () =>
	new AppError("provider-error", "The MCP server names no page to sign in on.", { params: { reason: "mcp-login", because: "no address" } });
const notThatAddress = () =>
	new AppError(
		"bad-request",
		"This is not the address on which this sign-in ends. Copy the whole address from the browser, or begin again.",
		{
			params: { reason: "mcp-login-address" },
		},
	);
const notTaken = (cause: unknown) =>
	new AppError("not-running", "This sign-in has ended or was not taken. Begin again.", { cause, params: { reason: "mcp-login" } });
