import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configTable, helpText } from "./config-docs.ts";
import { ALL_SETTINGS } from "./config-schema.ts";

test("[CF21] docs/configuration.md has the table that the schema gives", () => {
	const page = readFileSync(new URL("../../../../../docs/configuration.md", import.meta.url), "utf8");
	expect(page.split("\n").filter((line) => line.startsWith("| "))).toEqual(configTable().split("\n"));
});

const summary = { en: "what it does", "zh-Hant": "用途" };

test("[CF21] help names every flag and every variable, and where a setting without both is written", () => {
	const help = helpText([{ name: "start", summary }], "en");
	const missing = ALL_SETTINGS.flatMap(({ flag, env }) => [flag === undefined ? [] : [`--${flag}`], env ?? []].flat()).filter(
		(name) => !help.includes(name),
	);
	expect(missing).toEqual([]);
	expect(help).toMatch(/^ {2,}mcpServers in config\.json {2,}MCP servers/m);
});

test("[CF21] help says what each command does in one column", () => {
	const usage = helpText(
		[
			{ name: "ls", summary },
			{ name: "a-long-name", summary },
		],
		"en",
	)
		.split("\n")
		.slice(3, 6);
	expect(usage.map((line) => line.search(/start the server|what it does/))).toEqual([29, 29, 29]);
});

test("[CF224] no secret can be given as a flag", () => {
	expect(ALL_SETTINGS.filter(({ secret, flag }) => secret === true && flag !== undefined)).toEqual([]);
});
