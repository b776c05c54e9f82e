import { expect, test } from "vitest";
import { mcpEntries } from "./mcp-entries.ts";

test("[MS3] MCP servers of config.json have the usual shape; what is wrong is told by its place and never quoted", () => {
	const parse = (value: unknown) => mcpEntries.parse(typeof value === "string" ? value : JSON.stringify(value));
	expect(parse({ notes: { command: "npx", env: { KEY: "k-1" } }, far: { url: "https://far.example/mcp" } })).toEqual({
		notes: { command: "npx", args: [], env: { KEY: "k-1" } },
		far: { type: "http", url: "https://far.example/mcp", headers: {} },
	});
	for (const bad of ["[", [], { "a b": { command: "x" } }, { notes: { command: 7, env: { KEY: "k-1" } } }, { notes: "k-1" }]) {
		expect(() => parse(bad), JSON.stringify(bad)).toThrow(/must/);
		expect(() => parse(bad)).not.toThrow(/k-1/);
	}
	expect(() => parse({ notes: { command: "x", env: { KEY: 7 } } })).toThrow(/look at notes/);
});
