import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configTable, helpText } from "./config-docs.ts";
import { ALL_SETTINGS } from "./config-schema.ts";

test("[CF21] docs/configuration.md has the table that the schema gives", () => {
	const page = readFileSync(new URL("../../../../../docs/configuration.md", import.meta.url), "utf8");
	expect(page.split("\n").filter((line) => line.startsWith("| "))).toEqual(configTable().split("\n"));
});

test("[CF21] help names every flag and every variable", () => {
	const help = helpText([{ name: "start", summary: { en: "start the server", "zh-Hant": "啟動伺服器" } }], "en");
	const missing = ALL_SETTINGS.flatMap(({ flag, env }) => [flag === undefined ? [] : [`--${flag}`], env ?? []].flat()).filter(
		(name) => !help.includes(name),
	);
	expect(missing).toEqual([]);
});

test("[CF224] no secret can be given as a flag", () => {
	expect(ALL_SETTINGS.filter(({ secret, flag }) => secret === true && flag !== undefined)).toEqual([]);
});
