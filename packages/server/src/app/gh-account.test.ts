import { expect, test } from "vitest";
import { parseConfig } from "./config/config.ts";
import { withGhToken } from "./gh-account.ts";

function configured() {
	const parsed = parseConfig([], { RIGHTSEAT_HOME: "/nowhere" }, "/");
	if (parsed.kind !== "config") throw new Error("no configuration");
	return parsed.config;
}

test("[AN4] a chosen login gives its token at the start, hidden from logs; one that is gone is said, and the server starts", async () => {
	const [told, hidden]: [string[], string[]] = [[], []];
	const look = async () => ({ available: true, host: "github.com" });
	const deps = { hide: (secret: string) => void hidden.push(secret), tell: (sentence: string) => void told.push(sentence) };
	const chosen = { ...configured(), accountFrom: "page" as const, accountLogin: "gh" as const };
	const there = { look, token: async () => "gho_0123456789" };
	expect(await withGhToken(chosen, { ...deps, gh: there })).toEqual({ ...chosen, githubToken: "gho_0123456789" });
	expect([hidden, told]).toEqual([["gho_0123456789"], []]);
	const gone = { look, token: () => Promise.reject(new TypeError("no login")) };
	expect(await withGhToken(chosen, { ...deps, gh: gone })).toEqual(chosen);
	expect(told).toEqual([expect.stringContaining("gh auth login")]);
	expect(await withGhToken(configured(), { ...deps, gh: there })).not.toHaveProperty("githubToken", "gho_0123456789");
});
