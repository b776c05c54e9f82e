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

test("[AR478] what runs aside has the lowest priority in its session, and its session beside others", async () => {
	const groups = existsSync("/proc/self/autogroup") ? "groups" : "plain";
	expect(await run(process.execPath, ["-e", UNTIL_ASIDE, groups], { aside: true })).toMatchObject({ code: 0, output: "aside\n" });
});
