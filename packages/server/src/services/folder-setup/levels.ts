import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Files of MCP servers on one level; the first that is there counts. */
export const MCP_FILES = [".mcp.json", ".github/mcp.json"];
const MAX_PARENTS = 64;

/** The folder and those above it up to the root of its repository; outside of one only itself. */
export async function levelsOf(folder: string): Promise<string[]> {
	const levels: string[] = [];
	let level = folder;
	for (let step = 0; step < MAX_PARENTS; step += 1) {
		levels.push(level);
		if ((await lstat(join(level, ".git")).catch(() => undefined)) !== undefined) return levels;
		if (dirname(level) === level) break;
		level = dirname(level);
	}
	return [folder];
}
