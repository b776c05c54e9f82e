import type { IncomingMessage } from "node:http";
import {
	agentSessionsQuery,
	conversationsQuery,
	createConversationBody,
	exportQuery,
	forkConversationBody,
	messagesQuery,
	type NewConversation,
	patchConversationBody,
	searchQuery,
	sendMessageBody,
} from "@rightseat/protocol/http/requests";
import { deleteConversationQuery } from "@rightseat/protocol/http/worktrees";
import { MAX_FRAME_BYTES } from "@rightseat/protocol/limits";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { cutText } from "@rightseat/protocol/text";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { EveryConversations } from "../../../../core/conversations/conversations.ts";
import type { Everywhere } from "../../../../core/fleet/everywhere.ts";
import { conversationId, messageId } from "../../../../core/kernel/ids.ts";
import type { Attachments } from "../../../../services/attachments/attachments.ts";
import type { WorkRoots } from "../../../../services/work-roots/work-roots.ts";
import type { Worktrees } from "../../../../services/worktrees/worktrees.ts";
import type { MarkdownLoader } from "../../share/load-markdown.ts";
import { createPictures } from "../../share/pictures.ts";
import { languageOf } from "../../share/share-routes.ts";
import { pacedStream } from "../paced-stream.ts";
import { EXPORT_POLICY } from "../security-headers.ts";

const MAX_NAME_CHARS = 80;
const EXPORTS = { markdown: ["text/markdown", "md"], json: ["application/json", "json"], html: ["text/html", "html"] } as const;

const params = z.object({ id: z.string().check(z.maxLength(200)) });
const messageParams = z.object({ ...params.shape, messageId: z.string().check(z.maxLength(200)) });
const toolParams = z.object({ ...messageParams.shape, toolCallId: z.string() });

export interface ConversationRoutesDeps {
	markdown: MarkdownLoader;
	attachments: Pick<Attachments, "get">;
	conversations: EveryConversations;
	worktrees: Pick<Worktrees, "add" | "bind" | "discard" | "of" | "remove">;
	/** In a fleet: on all hosts, and which of them could not be asked. */
	searchHosts?: Everywhere["search"] | undefined;
	/** In a fleet: the list of all hosts, or for another host of this one alone. */
	listHosts?: Everywhere["list"] | undefined;
	/** Where people may work. */
	roots: Pick<WorkRoots, "check">;
	/** Where a conversation works that names no folder. */
	workdir(): string;
	sourceOf(request: { raw: IncomingMessage }): string;
}

/** Conversations, their messages, search and export. */
export function registerConversationRoutes(app: FastifyInstance, deps: ConversationRoutesDeps) {
	const { conversations } = deps;
	const actor = (request: { raw: IncomingMessage }) => ({ origin: "web" as const, from: deps.sourceOf(request) });
	const find = (request: { params: unknown }) => conversations.get(conversationId(params.parse(request.params).id));

	app.get("/api/conversations", async (request) => (deps.listHosts ?? conversations.list)(conversationsQuery.parse(request.query)));

	app.post("/api/conversations", async (request, reply) => {
		const { permissions, worktree, host: _, ...input } = createConversationBody.parse(request.body ?? {});
		const created = worktree === undefined ? await conversations.create(input) : await createInWorktree(deps, input, worktree);
		const conversation =
			permissions === undefined || permissions === created.permissions
				? created
				: await conversations.update(conversationId(created.id), { permissions }, actor(request));
		return reply.code(201).send({ conversation });
	});

	app.get("/api/agents/:id/sessions", async (request) =>
		conversations.agentSessions(params.parse(request.params).id, agentSessionsQuery.parse(request.query).cursor),
	);

	app.get("/api/conversations/:id", async (request) => ({ conversation: find(request) }));

	app.patch("/api/conversations/:id", async (request) => {
		const patch = patchConversationBody.parse(request.body ?? {});
		return { conversation: await conversations.update(conversationId(find(request).id), patch, actor(request)) };
	});

	app.delete("/api/conversations/:id", async (request, reply) => {
		const { worktree: wish, force } = deleteConversationQuery.parse(request.query);
		const id = conversationId(find(request).id);
		const worktree = deps.worktrees.of(id);
		await conversations.delete(id, actor(request));
		if (worktree === undefined || wish === undefined) return reply.code(204).send();
		const { path } = worktree;
		return { worktree: wish === "keep" ? { path, kept: true } : await deps.worktrees.remove(path, { force: force === "1" }) };
	});

	app.get("/api/conversations/:id/messages", async (request) => {
		const { before, limit: count } = messagesQuery.parse(request.query);
		const conversation = conversationId(find(request).id);
		return conversations.messages(conversation, { limit: count, ...(before === undefined ? {} : { before: messageId(before) }) });
	});

	// As large as the frame that says the same.
	app.post("/api/conversations/:id/messages", { bodyLimit: MAX_FRAME_BYTES }, async (request, reply) => {
		const body = sendMessageBody.parse(request.body);
		const conversation = conversationId(find(request).id);
		const sent = { ...body, conversationId: conversation, origin: "api" as const, from: deps.sourceOf(request) };
		const { messageId: stored, duplicate, delivery } = await conversations.prompt(sent);
		return reply.code(202).send({ messageId: stored, duplicate, delivery });
	});

	app.get("/api/conversations/:id/messages/:messageId", async (request, reply) => {
		const { id, messageId: message } = messageParams.parse(request.params);
		const pieces = await conversations.message(conversationId(id), messageId(message));
		reply.header("content-type", "application/json; charset=utf-8");
		return reply.send(pacedStream(wrapped(pieces)));
	});

	app.get("/api/conversations/:id/messages/:messageId/tools/:toolCallId", async (request) => {
		const { id, messageId: message, toolCallId } = toolParams.parse(request.params);
		return { tool: await conversations.tool(conversationId(id), messageId(message), toolCallId) };
	});

	app.get("/api/search", async (request) => {
		const { q, limit: count } = searchQuery.parse(request.query);
		if (deps.searchHosts === undefined) return { results: await conversations.search(q, count) };
		const { results, missing } = await deps.searchHosts(q, count);
		return { results, ...(missing.length === 0 ? {} : { missing: missing.map(({ id, name }) => ({ id, name })) }) };
	});

	app.post("/api/conversations/:id/fork", { bodyLimit: MAX_FRAME_BYTES }, async (request, reply) => {
		const { beforeMessageId, ...rest } = forkConversationBody.parse(request.body ?? {});
		const before = beforeMessageId === undefined ? undefined : messageId(beforeMessageId);
		// Browsers say where a request comes from; who forks or edits on the page has spoken there.
		const origin = request.headers["sec-fetch-site"] === undefined ? "api" : "web";
		return reply.code(201).send({ conversation: await conversations.fork(conversationId(find(request).id), { ...rest, before }, origin) });
	});

	app.post("/api/conversations/:id/handover", async (request) => conversations.handOver(conversationId(find(request).id)));

	app.get("/api/conversations/:id/forks", async (request) => ({ conversations: conversations.forks(conversationId(find(request).id)) }));

	app.get("/api/conversations/:id/export", async (request, reply) => {
		const { format, preview, lang, pictures } = exportQuery.parse(request.query);
		const conversation = find(request);
		const name = exportName(conversation.title);
		const [type, extension] = EXPORTS[format];
		const isShown = format === "html" && preview === "1";
		reply.header("content-type", `${type}; charset=utf-8`);
		// Whatever was said is text in it, and here it could not run if it were not.
		if (format === "html") reply.header("content-security-policy", EXPORT_POLICY);
		reply.header(
			"content-disposition",
			`${isShown ? "inline" : "attachment"}; filename="conversation.${extension}"; filename*=UTF-8''${encodeURIComponent(name)}.${extension}`,
		);
		const language = lang ?? languageOf(request.headers["accept-language"]);
		const picture = pictures === "1" ? createPictures(deps.attachments) : undefined;
		const how = { language, ...(format === "html" ? { markdown: await deps.markdown(), picture } : {}) };
		return reply.send(pacedStream(await conversations.export(conversationId(conversation.id), format, how)));
	});
}

/** What a file may be called everywhere. Half a character would make the header impossible to write. */
export function exportName(title: string): string {
	return cutText(title.replace(/[^\p{L}\p{N} _-]+/gu, "").trim(), MAX_NAME_CHARS).trimEnd() || "conversation";
}

function* wrapped(message: Iterable<string>): Generator<string> {
	yield '{"message":';
	yield* message;
	yield "}";
}

/** The work tree first: a conversation that has none after all must not be there. One that no conversation wants goes again. */
async function createInWorktree(
	{ conversations, worktrees, roots, workdir }: ConversationRoutesDeps,
	input: NewConversation,
	wanted: true | { branch?: string | undefined; setup?: string | undefined },
): Promise<Conversation> {
	const { branch, setup } = wanted === true ? {} : wanted;
	const worktree = await worktrees.add({ cwd: await roots.check(input.cwd ?? workdir()), branch });
	const created = await conversations.create({ ...input, cwd: worktree.cwd }).catch(async (error: unknown) => {
		await worktrees.discard(worktree);
		throw error;
	});
	const id = conversationId(created.id);
	worktrees.bind(worktree, id);
	if (setup !== undefined) await conversations.exec({ conversationId: id, command: setup, origin: "web" });
	return conversations.get(id);
}
