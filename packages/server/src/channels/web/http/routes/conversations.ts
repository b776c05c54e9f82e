import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import * as z from "zod";
import type { Conversations } from "../../../../core/conversations/conversations.ts";
import { cutText } from "../../../../core/kernel/bounds.ts";
import { conversationId, messageId } from "../../../../core/kernel/ids.ts";

const MAX_PAGE = 200;
const DEFAULT_MESSAGES = 50;
const DEFAULT_CONVERSATIONS = 100;
const MAX_NAME_CHARS = 80;

const id = z.string().regex(/^[\w-]{1,128}$/, "This is not an id.");
const params = z.object({ id: z.string().max(200) });
/** Who asks for more than a page holds gets a full page and the cursor of the next one. */
const limit = (fallback: number) =>
	z
		.string()
		.regex(/^0*[1-9]\d*$/, `Give a number from 1 to ${MAX_PAGE}.`)
		.transform((text) => Math.min(Number(text), MAX_PAGE))
		.default(fallback);
const listQuery = z.object({
	limit: limit(DEFAULT_CONVERSATIONS),
	cursor: z.string().min(1).max(500).optional(),
	archived: z
		.enum(["true", "false"])
		.transform((value) => value === "true")
		.optional(),
});
const messagesQuery = z.object({ before: id.optional(), limit: limit(DEFAULT_MESSAGES) });
const searchQuery = z.object({ q: z.string().trim().min(1, "Say what to look for.").max(200), limit: limit(50) });
const exportQuery = z.object({ format: z.enum(["markdown", "json"], { error: "Choose markdown or json." }).default("markdown") });

const title = z.string().trim().min(1, "A title has at least one character.").max(200);
const model = z.string().min(1).max(200);
const createBody = z
	.object({
		title: title.optional(),
		model: model.optional(),
		cwd: z.string().min(1).max(4096).optional(),
		permissions: z.enum(["auto", "ask"]).optional(),
	})
	.default({});
const patchBody = z.object({
	title: title.optional(),
	pinned: z.boolean().optional(),
	archived: z.boolean().optional(),
	model: model.optional(),
	permissions: z.enum(["auto", "ask"]).optional(),
	cwd: z.string().min(1).max(4096).optional(),
});

/** Conversations, their messages, search and export. */
export function registerConversationRoutes(
	app: FastifyInstance,
	deps: { conversations: Conversations; sourceOf(request: { raw: IncomingMessage }): string },
) {
	const { conversations } = deps;
	const actor = (request: { raw: IncomingMessage }) => ({ origin: "web" as const, from: deps.sourceOf(request) });
	const find = (request: { params: unknown }) => conversations.get(conversationId(params.parse(request.params).id));

	app.get("/api/conversations", async (request) => conversations.list(listQuery.parse(request.query)));

	app.post("/api/conversations", async (request, reply) => {
		const { permissions, ...input } = createBody.parse(request.body ?? {});
		const created = await conversations.create(input);
		const conversation =
			permissions === undefined || permissions === created.permissions
				? created
				: await conversations.update(conversationId(created.id), { permissions }, actor(request));
		return reply.code(201).send({ conversation });
	});

	app.get("/api/conversations/:id", async (request) => ({ conversation: find(request) }));

	app.patch("/api/conversations/:id", async (request) => {
		const patch = patchBody.parse(request.body ?? {});
		return { conversation: await conversations.update(conversationId(find(request).id), patch, actor(request)) };
	});

	app.delete("/api/conversations/:id", async (request, reply) => {
		await conversations.delete(conversationId(find(request).id), actor(request));
		return reply.code(204).send();
	});

	app.get("/api/conversations/:id/messages", async (request) => {
		const { before, limit: count } = messagesQuery.parse(request.query);
		const conversation = conversationId(find(request).id);
		return conversations.messages(conversation, { limit: count, ...(before === undefined ? {} : { before: messageId(before) }) });
	});

	app.get("/api/search", async (request) => {
		const { q, limit: count } = searchQuery.parse(request.query);
		return { results: conversations.search(q, count) };
	});

	app.get("/api/conversations/:id/export", async (request, reply) => {
		const { format } = exportQuery.parse(request.query);
		const conversation = find(request);
		const name = exportName(conversation.title);
		const extension = format === "json" ? "json" : "md";
		reply.header("content-type", format === "json" ? "application/json; charset=utf-8" : "text/markdown; charset=utf-8");
		reply.header(
			"content-disposition",
			`attachment; filename="conversation.${extension}"; filename*=UTF-8''${encodeURIComponent(name)}.${extension}`,
		);
		return reply.send(Readable.from(conversations.export(conversationId(conversation.id), format)));
	});
}

/** What a file may be called everywhere. Half a character would make the header impossible to write. */
export function exportName(title: string): string {
	return cutText(title.replace(/[^\p{L}\p{N} _-]+/gu, "").trim(), MAX_NAME_CHARS).trimEnd() || "conversation";
}
