import { expect, test } from "vitest";
import { cameByLoginLink, cameByPairing, takeLoginCode } from "./take-login-code.ts";

test("[PG70] the code of a login link is taken once and leaves the address", () => {
	const calls: unknown[][] = [];
	const history = { replaceState: (...args: unknown[]) => void calls.push(args) };
	expect(takeLoginCode({ hash: "#code=abc-1_2", pathname: "/c/x", search: "?lang=en" }, history)).toBe("abc-1_2");
	expect(calls).toEqual([[{ loginLink: true }, "", "/c/x?lang=en"]]);
	expect(takeLoginCode({ hash: "#code=", pathname: "/", search: "" }, history)).toBeUndefined();
	expect(takeLoginCode({ hash: "#message", pathname: "/", search: "" }, history)).toBeUndefined();
	expect(calls).toHaveLength(1);
	takeLoginCode({ hash: "#code=abc&paired", pathname: "/", search: "" }, history);
	expect(calls[1]).toEqual([{ loginLink: true, paired: true }, "", "/"]);
	expect([cameByPairing({ loginLink: true, paired: true }), cameByPairing({ loginLink: true }), cameByPairing(null)]).toEqual([
		...[true, false, false],
	]);
	expect([cameByLoginLink({ loginLink: true }), cameByLoginLink(null), cameByLoginLink("x")]).toEqual([true, false, false]);
});
