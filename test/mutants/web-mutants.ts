import type { Mutant } from "./mutant.ts";

const AT = "packages/server/src/channels/web";

export const WEB_MUTANTS: Mutant[] = [
	{
		name: "a page on a sibling port speaks to us",
		file: `${AT}/http/gate.ts`,
		search: "secure: boolean) => origin ===",
		replace: "secure: boolean) => new URL(origin).hostname === host.name || origin ===",
		tests: [`${AT}/http/gate.test.ts`],
	},
	{
		name: "a page of another site changes something",
		file: `${AT}/http/gate.ts`,
		search: 'if (guarded && !sites.every((site) => site === "same-origin" || site === "none")) {',
		replace: 'if (guarded && sites.includes("cross")) {',
		tests: [`${AT}/http/gate.test.ts`],
	},
	{
		name: "a credential in an address is taken",
		file: `${AT}/http/gate.ts`,
		search: "if (FORBIDDEN_QUERY.some((key) => query.has(key))) {",
		replace: "if (FORBIDDEN_QUERY.every((key) => query.has(key))) {",
		tests: [`${AT}/http/gate.test.ts`],
	},
	{
		name: "guesses have no limit",
		file: `${AT}/auth/login-limiter.ts`,
		search: "if (entry === undefined || entry.count < limit) return 0;",
		replace: "if (entry === undefined || entry.count < 1_000_000 + limit) return 0;",
		tests: [`${AT}/auth/auth.test.ts`],
	},
	{
		name: "every address of an IPv6 network may guess anew",
		file: `${AT}/auth/login-limiter.ts`,
		search: "return isIPv6(plain) ? prefix64(plain) : plain;",
		replace: "return isIPv6(plain) ? plain : prefix64(plain);",
		tests: [`${AT}/auth/auth.test.ts`],
	},
	{
		name: "a login code works twice",
		file: `${AT}/auth/login-codes.ts`,
		search: "\t\topen.delete(hash);\n",
		replace: "",
		tests: [`${AT}/auth/auth.test.ts`],
	},
	{
		name: "a login code outlives the session that made it",
		file: `${AT}/auth/login-codes.ts`,
		search: "if (by === sessionId) spend(hash);",
		replace: 'if (by === "" && sessionId === "") spend(hash);',
		tests: [`${AT}/auth/auth.test.ts`, `${AT}/auth/web-sessions.test.ts`, `${AT}/auth/security-promises.test.ts`],
	},
	{
		name: "the page may run scripts of its text",
		file: `${AT}/http/security-headers.ts`,
		search: "\"script-src 'self'\",",
		replace: "\"script-src 'self' 'unsafe-inline'\",",
		tests: [`${AT}/auth/security-promises.test.ts`, "test/features/security/gate.server.test.ts"],
	},
	{
		name: "an attachment may run in the browser",
		file: `${AT}/http/security-headers.ts`,
		search: "\"default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'\";",
		replace: "\"default-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'\";",
		tests: ["test/features/http/page-and-files.server.test.ts"],
	},
];
