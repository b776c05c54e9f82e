import { expect, test } from "vitest";
import type { FolderMcpServer } from "../../core/ports/folders.ts";
import { createAgentSetups } from "./agent-setups.ts";

const server = { type: "stdio" as const, command: "x", args: [], env: {} };
const brought: FolderMcpServer[] = [
	{ name: "notes", source: ".mcp.json", server },
	{ name: "a-b", source: ".mcp.json", server },
	{ name: "list", source: ".mcp.json", problem: "unknown-form" },
];

test("[MS5] a person's own servers come before those of the folder, which are allowed only where the real folder is trusted", async () => {
	const trusted = new Set(["/real"]);
	const links = new Map([["/link", "/real"]]);
	const setups = createAgentSetups({
		person: {
			all: () => [
				{ name: "notes", source: "settings", server },
				{ name: "a.b", source: "config.json", server },
			],
		},
		folders: {
			look: async (path) => ({ realPath: links.get(path) ?? path, isDirectory: true }),
			setup: async () => ({ found: [], more: false }),
			mcpServers: async (path) => (path === "/mount" ? Promise.reject(new Error("no answer")) : brought),
		},
		trusted: { isTrusted: (path) => trusted.has(path) },
	});
	const list = async (cwd: string) =>
		(await setups.servers(cwd)).map(({ name, source, isAllowed, hides }) => [name, source, isAllowed, hides]);
	expect(await list("/link")).toEqual([
		["notes", "settings", true, [".mcp.json"]],
		// The model could not tell a.b from a-b.
		["a.b", "config.json", true, [".mcp.json"]],
		["list", ".mcp.json", true, undefined],
	]);
	expect((await list("/other")).at(-1)).toEqual(["list", ".mcp.json", false, undefined]);
	expect(await list("/mount")).toHaveLength(2);
	expect(await setups.look("/link")).toEqual({ trusted: true, found: [] });
});
