import { basename, dirname, join, resolve } from "node:path";
import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import { fileQuery, treeQuery } from "@rightseat/protocol/http/files";
import { directoriesQuery, filesQuery } from "@rightseat/protocol/http/requests";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { EveryConversations } from "../../../../core/conversations/conversations.ts";
import { conversationId } from "../../../../core/kernel/ids.ts";
import type { Folders } from "../../../../core/ports/folders.ts";
import { MAX_FILE_BYTES } from "../../../../services/work-roots/read-files.ts";
import type { WorkRoots } from "../../../../services/work-roots/work-roots.ts";
import { untouchable } from "../untouchable.ts";

const MAX_RECENT = 10;
const params = z.object({ id: z.string().check(z.maxLength(200)) });

/** Choosing a directory for a conversation, and finding files in it. */
export function registerFileRoutes(
	app: FastifyInstance,
	deps: { conversations: EveryConversations; roots: WorkRoots; folders: Folders; workdir(): string },
) {
	app.get("/api/directories", async (request) => {
		const { path = "" } = directoriesQuery.parse(request.query);
		const directory = await deps.roots.check(path === "" ? deps.workdir() : path);
		const parent = dirname(directory);
		return {
			path: directory,
			...(parent !== directory && (await deps.roots.contains(parent)) ? { parent } : {}),
			directories: (await deps.folders.children(directory)).map((name) => ({ name, path: join(directory, name) })),
			roots: await deps.roots.list(),
			recent: recentDirectories(deps.conversations),
		};
	});

	/** For a conversation that the first prompt will begin. */
	app.get("/api/files", async (request) => {
		const { q } = filesQuery.parse(request.query);
		return { files: await deps.folders.find(deps.workdir(), q) };
	});

	app.get("/api/conversations/:id/files", async (request) => {
		const { id } = params.parse(request.params);
		const { q } = filesQuery.parse(request.query);
		const conversation = deps.conversations.get(conversationId(id));
		return { files: await deps.folders.find(conversation.cwd, q) };
	});

	/** Its repository, or else its working directory, and the folders that the server was told to show. */
	async function view(id: string) {
		const { cwd } = deps.conversations.get(conversationId(id));
		const [repository, roots] = [await deps.folders.git(cwd), await deps.roots.list()];
		return { cwd, within: [repository?.root ?? cwd, cwd, ...roots] };
	}

	app.get("/api/conversations/:id/tree", async (request) => {
		const { cwd, within } = await view(params.parse(request.params).id);
		const { realPath, entries, more } = await deps.folders.entries(resolve(cwd, treeQuery.parse(request.query).path), within);
		return { path: realPath, entries, more };
	});

	app.get("/api/conversations/:id/file", { config: { answerBytes: MAX_FILE_BYTES } }, async (request, reply) => {
		const { cwd, within } = await view(params.parse(request.params).id);
		const { base64, size, realPath } = await deps.folders.bytes(resolve(cwd, fileQuery.parse(request.query).path), within);
		reply.header("x-file-size", String(size));
		untouchable(reply, "application/octet-stream");
		reply.header("content-disposition", `attachment; filename*=UTF-8''${encodeURIComponent(basename(realPath))}`);
		return reply.send(Buffer.from(base64, "base64"));
	});
}

function recentDirectories(conversations: EveryConversations): string[] {
	const { conversations: newest } = conversations.list({ limit: 100 });
	// Folders of another host are none here.
	const here = newest.filter(({ id }) => splitRemoteId(id) === undefined);
	return [...new Set(here.map((conversation) => conversation.cwd))].slice(0, MAX_RECENT);
}
