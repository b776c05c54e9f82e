import { readdir, realpath, stat } from "node:fs/promises";
import type { Clock } from "../../core/kernel/clock.ts";
import { defineMcpServers } from "../folder-setup/define-mcp-servers.ts";
import { scanFolder } from "../folder-setup/scan-folder.ts";
import { createFileFinder } from "./file-finder.ts";
import type { FolderAnswer, FolderAsk } from "./folder-protocol.ts";
import { readBytes, readEntries } from "./read-files.ts";
import { readGit } from "./read-git.ts";
import { readPrograms } from "./read-programs.ts";

/** The looking itself: runs in the folder process, where a look that never comes back hurts nobody else. */
export interface FolderReader {
	answer(ask: FolderAsk): Promise<FolderAnswer>;
	/** Looks that were given up; each holds a thread of this process for ever. */
	readonly stuck: number;
}

const MAX_CHILDREN = 500;
const NOT_THERE = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EACCES", "EPERM", "EINVAL"]);

export function createFolderReader(clock: Clock): FolderReader {
	const finder = createFileFinder(clock);

	async function look(path: string): Promise<FolderAnswer> {
		try {
			const realPath = await realpath(path);
			return { kind: "look", found: { realPath, isDirectory: (await stat(realPath)).isDirectory() } };
		} catch (error) {
			// A disk that fails, or a mount that lost its server, has not said that the folder is gone.
			if (NOT_THERE.has(codeOf(error))) return { kind: "look", found: null };
			return { kind: "failed", code: codeOf(error) };
		}
	}

	async function children(path: string): Promise<FolderAnswer> {
		try {
			const entries = await readdir(path, { withFileTypes: true });
			const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
			names.sort((a, b) => Number(a.startsWith(".")) - Number(b.startsWith(".")) || a.localeCompare(b));
			return { kind: "names", names: names.slice(0, MAX_CHILDREN) };
		} catch (error) {
			return { kind: "failed", code: codeOf(error) };
		}
	}

	return {
		async answer(ask) {
			switch (ask.kind) {
				case "look":
					return look(ask.path);
				case "children":
					return children(ask.path);
				case "find":
					return { kind: "names", names: await finder.find(ask.path, ask.query) };
				case "entries": {
					const found = await readEntries(ask.path, ask.view);
					return typeof found === "string" ? { kind: "refused", because: found } : { kind: "entries", ...found };
				}
				case "bytes": {
					const found = await readBytes(ask.path, ask.view);
					return typeof found === "string" ? { kind: "refused", because: found } : { kind: "bytes", ...found };
				}
				case "setup":
					return { kind: "setup", ...(await scanFolder(ask.path, ask.hidden)) };
				case "mcp":
					return { kind: "mcp", servers: await defineMcpServers(ask.path, ask.hidden) };
				case "programs":
					return { kind: "programs", programs: await readPrograms(ask.path, ask.names) };
				case "git":
					return { kind: "git", git: (await readGit(ask.path)) ?? null };
			}
		},
		get stuck() {
			return finder.stuck;
		},
	};
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "unknown");
