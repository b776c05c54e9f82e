import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import * as z from "zod";
import type { Conversations } from "../../../core/conversations.ts";
import { AppError } from "../../../core/errors.ts";
import { conversationId } from "../../../core/ids.ts";
import type { FileFinder } from "../file-finder.ts";
import type { WorkRoots } from "../work-roots.ts";

const MAX_ENTRIES = 500;
const MAX_RECENT = 10;

/** Choosing a directory for a conversation, and finding files in it. */
export function registerFileRoutes(
	app: FastifyInstance,
	deps: { conversations: Conversations; roots: WorkRoots; finder: FileFinder; workdir: string },
) {
	app.get("/api/directories", async (request) => {
		const { path } = z.object({ path: z.string().max(4096).default(deps.workdir) }).parse(request.query);
		const directory = deps.roots.check(path === "" ? deps.workdir : path);
		const parent = dirname(directory);
		return {
			path: directory,
			...(parent !== directory && deps.roots.contains(parent) ? { parent } : {}),
			directories: childrenOf(directory),
			roots: deps.roots.list(),
			recent: recentDirectories(deps.conversations),
		};
	});

	/** For a conversation that the first prompt will begin. */
	app.get("/api/files", async (request) => {
		const { q } = z.object({ q: z.string().max(200).default("") }).parse(request.query);
		return { files: await deps.finder.find(deps.workdir, q) };
	});

	app.get("/api/conversations/:id/files", async (request) => {
		const { id } = z.object({ id: z.string().max(200) }).parse(request.params);
		const { q } = z.object({ q: z.string().max(200).default("") }).parse(request.query);
		const conversation = deps.conversations.get(conversationId(id));
		return { files: await deps.finder.find(conversation.cwd, q) };
	});
}

function childrenOf(directory: string): { name: string; path: string }[] {
	try {
		return readdirSync(directory, { withFileTypes: true })
			.filter((entry) => entry.isDirectory())
			.map((entry) => ({ name: entry.name, path: join(directory, entry.name) }))
			.sort((a, b) => Number(a.name.startsWith(".")) - Number(b.name.startsWith(".")) || a.name.localeCompare(b.name))
			.slice(0, MAX_ENTRIES);
	} catch (error) {
		throw new AppError("forbidden", `${directory} cannot be read.`, { cause: error });
	}
}

function recentDirectories(conversations: Conversations): string[] {
	const { conversations: newest } = conversations.list({ limit: 100 });
	return [...new Set(newest.map((conversation) => conversation.cwd))].slice(0, MAX_RECENT);
}
