import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MAX_MCP_SERVERS } from "@rightseat/protocol/http/mcp-servers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { createLocalFolders } from "../../../../../test/support/local-folders.ts";

let root: string;
beforeEach(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-servers-")));
	mkdirSync(join(root, ".git"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, mcpServers: unknown) {
	const file = join(root, path);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, typeof mcpServers === "string" ? mcpServers : JSON.stringify({ mcpServers }));
}
const { setup, mcpServers } = createLocalFolders(createFakeClock());

test("[FS31] the MCP servers of a folder are told as they are started: those that are listed, the nearest of a name first", async () => {
	write("sub/.mcp.json", { tiny: { command: "node", args: ["near.js", 7], env: { KEY: "k" }, tools: ["*"] } });
	write(".github/mcp.json", {
		tiny: { command: "far" },
		web: { url: "https://mcp.example.org/v1", headers: { Authorization: "s" } },
		old: { type: "sse", url: "https://mcp.example.org/sse" },
		both: { type: "http", command: "never", url: "https://mcp.example.org/both" },
	});
	const sub = join(root, "sub");
	expect(await mcpServers(sub)).toEqual([
		{ name: "tiny", source: ".mcp.json", server: { type: "stdio", command: "node", args: ["near.js", "7"], env: { KEY: "k" } } },
		{
			name: "web",
			source: "../.github/mcp.json",
			server: { type: "http", url: "https://mcp.example.org/v1", headers: { Authorization: "s" } },
		},
		{ name: "old", source: "../.github/mcp.json", server: { type: "sse", url: "https://mcp.example.org/sse", headers: {} } },
		{ name: "both", source: "../.github/mcp.json", server: { type: "http", url: "https://mcp.example.org/both", headers: {} } },
	]);
	const listed = (await setup(sub)).found.map(({ name }) => name);
	expect(new Set(listed)).toEqual(new Set(["tiny", "web", "old", "both"]));
});

test("[FS31] what cannot be started says why, and there is an end of servers", async () => {
	write(".mcp.json", {
		"a\u202eb": { command: "x" },
		list: ["x"],
		env: { command: "x", env: { KEY: ["no"] } },
		file: { url: "file:///etc/passwd" },
		header: { url: "https://x.example", headers: { A: "b\nC: d" } },
		fine: { command: "x" },
	});
	const found = await mcpServers(root);
	expect(found.map(({ name, problem }) => [name, problem])).toEqual([
		["a\\u202eb", "unknown-form"],
		["list", "unknown-form"],
		["env", "unknown-form"],
		["file", "unknown-form"],
		["header", "unknown-form"],
		["fine", undefined],
	]);
	// No request can carry it as the name of a field, so that nobody could switch it off.
	write(".mcp.json", '{"mcpServers":{"__proto__":{"command":"x"}}}');
	expect(await mcpServers(root)).toEqual([{ name: "__proto__", source: ".mcp.json", problem: "unknown-form" }]);
	write(".mcp.json", "{");
	expect(await mcpServers(root)).toEqual([{ name: ".mcp.json", source: ".mcp.json", problem: "unknown-form" }]);
	write(".mcp.json", '{"servers":{}}');
	expect(await mcpServers(root)).toEqual([]);
	write(".mcp.json", Object.fromEntries(Array.from({ length: MAX_MCP_SERVERS + 1 }, (_, n) => [`s${n}`, { command: "x" }])));
	expect(await mcpServers(root)).toHaveLength(MAX_MCP_SERVERS);
});
