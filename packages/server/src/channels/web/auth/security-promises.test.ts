import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listRules } from "../../../../../../test/unit/support/spec-files.ts";
import { securityHeaders } from "../http/security-headers.ts";
import { BEARER_FAILURES_PER_MINUTE, LOGIN_FAILURES_PER_MINUTE } from "./login-limiter.ts";

const read = (name: string) => readFileSync(join(import.meta.dirname, "../../../../../..", name), "utf8");
const security = read("SECURITY.md");
const [, promises = ""] = /## What we promise\n([\s\S]*?)\n## /.exec(security) ?? [];

test("[SE118] every promise names the rules that hold it, and they exist", () => {
	const rules = new Set(listRules());
	const items = promises.split(/\n(?=\d+\. )/).slice(1);
	expect(items.length).toBeGreaterThanOrEqual(10);
	for (const item of items) {
		const cited = [...item.matchAll(/\b([A-Z]{2}\d+)\b/g)].map(([, id]) => id ?? "");
		expect([item.slice(0, 60), cited.length > 0, cited.filter((id) => !rules.has(id))]).toEqual([item.slice(0, 60), true, []]);
	}
});

test("[SE118] the numbers and headers that it names are those of the code", () => {
	const words = ["zero", "one", "two", "three", "four", "five", "six"];
	expect(promises).toContain(`${words[LOGIN_FAILURES_PER_MINUTE]} failed logins a minute`);
	expect(promises).toContain(`${BEARER_FAILURES_PER_MINUTE} a minute`);
	expect(securityHeaders(false)["content-security-policy"]).toContain("require-trusted-types-for 'script'");
	expect(security).not.toMatch(/not demanded/);
});
