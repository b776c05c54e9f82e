import { join, relative } from "node:path";
import { MAX_MCP_SERVERS } from "@rightseat/protocol/http/mcp-servers";
import type { FolderMcpServer } from "../../core/ports/folders.ts";
import { levelsOf, MCP_FILES } from "./levels.ts";
import { defineServers } from "./parse-setup.ts";
import { type Inside, readTextInside } from "./read-inside.ts";
import { visibleName } from "./visible-text.ts";

/**
 * The MCP servers that a folder and its repository bring, as they are started: those that the scan lists, each name once, the nearest file
 * first. Reads files and runs nothing; belongs into the folder process.
 */
export async function defineMcpServers(folder: string, hidden: readonly string[]): Promise<FolderMcpServer[]> {
	const levels = await levelsOf(folder);
	const inside = { top: levels.at(-1) ?? folder, hidden };
	const servers = new Map<string, FolderMcpServer>();
	for (const level of levels) {
		for (const found of await serversOf(level, { folder, inside })) {
			if (servers.size >= MAX_MCP_SERVERS) return [...servers.values()];
			if (!servers.has(found.name)) servers.set(found.name, found);
		}
	}
	return [...servers.values()];
}

async function serversOf(level: string, { folder, inside }: { folder: string; inside: Inside }): Promise<FolderMcpServer[]> {
	for (const file of MCP_FILES) {
		const source = visibleName(relative(folder, join(level, file)));
		const read = await readTextInside(join(level, file), inside);
		if (read.kind === "missing") continue;
		if (read.kind === "problem") return [{ name: source, source, problem: read.problem }];
		const defined = defineServers(read.text);
		if (defined === undefined) return [{ name: source, source, problem: "unknown-form" }];
		return defined.map(({ name, server }) =>
			server === undefined ? { name: visibleName(name), source, problem: "unknown-form" } : { name, source, server },
		);
	}
	return [];
}
