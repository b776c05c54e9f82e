import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KNOWN_AGENTS } from "./known-agents.ts";

test("[AG56] docs/agents.md lists every known agent with what to install and how to log in", () => {
	const page = readFileSync(new URL("../../../../../docs/agents.md", import.meta.url), "utf8");
	const rows = page.split("\n").filter((line) => /^\| .+ \| `[a-z-]+` \| /.test(line));
	expect(rows.map((row) => row.split(" | ").slice(0, 4))).toEqual(
		KNOWN_AGENTS.map(({ name, id, installCommand, loginCommand }) => [
			`| ${name}`,
			`\`${id}\``,
			installCommand === undefined ? "as its own page says" : `\`${installCommand}\``,
			`\`${loginCommand}\``,
		]),
	);
});
