import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listRules } from "../../../../../../test/unit/support/spec-files.ts";
import { OWN_ENTRIES } from "../../../app/home/own-files.ts";
import { securityHeaders } from "../http/security-headers.ts";
import { BEARER_FAILURES_PER_MINUTE, LOGIN_FAILURES_PER_MINUTE } from "./login-limiter.ts";

const read = (name: string) => readFileSync(join(import.meta.dirname, "../../../../../..", name), "utf8");
const security = read("SECURITY.md");
const RULE = /\b[A-Z]{2}\d+\b/;
const [, promises = ""] = /## What we promise\n([\s\S]*?)\n## /.exec(security) ?? [];

/** Of a section: each point of a list, or each paragraph. */
function statements(title: string): string[] {
	const [, body = ""] = new RegExp(`\\n## ${title}\\n([\\s\\S]*?)\\n## `).exec(security) ?? [];
	const points = body.split(/\n(?=\d+\. |\* )/).slice(1);
	return points.length > 0 ? points : body.trim().split(/\n\n+/);
}

test.each([
	["What we promise", 15],
	["What the recorder of changes keeps", 5],
	["Files", 1],
])("[SE118] under %s everything names the rules that hold it", (title, count) => {
	const items = statements(title);
	expect(items.length).toBeGreaterThanOrEqual(count);
	expect(items.filter((item) => !RULE.test(item)).map((item) => item.slice(0, 60))).toEqual([]);
});

test("[SE118] every rule that the document names exists", () => {
	const rules = new Set(listRules());
	expect([...security.matchAll(new RegExp(RULE, "g"))].map(([id]) => id).filter((id) => !rules.has(id))).toEqual([]);
});

test("[SE118] the numbers and headers that it names are those of the code", () => {
	const words = ["zero", "one", "two", "three", "four", "five", "six"];
	expect(promises).toContain(`${words[LOGIN_FAILURES_PER_MINUTE]} failed logins a minute`);
	expect(promises).toContain(`${BEARER_FAILURES_PER_MINUTE} a minute`);
	expect(securityHeaders(false)["content-security-policy"]).toContain("require-trusted-types-for 'script'");
	expect(security).not.toMatch(/not demanded/);
	const files = statements("Files").join();
	expect(OWN_ENTRIES.filter((name) => !/^(?:rightseat\.db[-.]|server\.pid)/.test(name) && !files.includes(`\`${name}`))).toEqual([]);
});
