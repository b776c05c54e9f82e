import { existsSync } from "node:fs";
import { constants } from "node:os";
import { expect, test } from "vitest";
import { run } from "../../scripts/lib/run.mjs";

const LOWEST = constants.priority.PRIORITY_LOW;

/** Waits for it: a program may look before whoever started it has put it aside. */
const UNTIL_ASIDE = `
	const { readFileSync } = require("node:fs");
	const end = Date.now() + 10_000;
	const isAside = () => require("node:os").getPriority() === ${LOWEST} && (process.argv[1] === "plain" || readFileSync("/proc/self/autogroup", "utf8").includes("nice ${LOWEST}"));
	while (!isAside() && Date.now() < end);
	console.log(isAside() ? "aside" : "not aside");
`;

const MANY_AT_ONCE = `
	const { run } = await import(${JSON.stringify(new URL("../../scripts/lib/run.mjs", import.meta.url).href)});
	const codes = await Promise.all(Array.from({ length: 12 }, () => run("sleep", ["0.2"])));
	console.log(codes.map(({ code }) => code).join(""));
`;

test("[AR479] a dozen programs run at once without a warning", async () => {
	const ended = await run(process.execPath, ["--input-type=module", "-e", MANY_AT_ONCE]);
	expect(ended).toMatchObject({ code: 0, output: `${"0".repeat(12)}\n` });
});

test("[AR478] what runs aside has the lowest priority in its session, and its session beside others", async () => {
	const groups = existsSync("/proc/self/autogroup") ? "groups" : "plain";
	expect(await run(process.execPath, ["-e", UNTIL_ASIDE, groups], { aside: true })).toMatchObject({ code: 0, output: "aside\n" });
});
