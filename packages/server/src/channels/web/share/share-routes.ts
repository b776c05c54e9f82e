import type { IncomingMessage } from "node:http";
import { shareBody } from "@rightseat/protocol/http/shares";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Conversations } from "../../../core/conversations/conversations.ts";
import type { HtmlLanguage } from "../../../core/conversations/html-words.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { conversationId } from "../../../core/kernel/ids.ts";
import type { AuditLog } from "../../../core/ports/audit.ts";
import { pacedStream } from "../http/paced-stream.ts";
import { WATCH_POLICY } from "../http/security-headers.ts";
import type { MarkdownLoader } from "./load-markdown.ts";
import type { Shares } from "./shares.ts";

const params = z.object({ id: z.string().check(z.maxLength(200)) });
const watched = z.object({ token: z.string().check(z.maxLength(100)) });

/** Links for guests, and what a guest sees. */
export function registerShareRoutes(
	app: FastifyInstance,
	deps: {
		conversations: Pick<Conversations, "get" | "watchPage">;
		shares: Shares;
		audit: Pick<AuditLog, "record">;
		markdown: MarkdownLoader;
		sourceOf(request: { raw: IncomingMessage }): string;
	},
): void {
	const { conversations, shares, audit } = deps;

	app.get("/api/shares", async () => ({ shares: shares.list() }));

	app.post("/api/conversations/:id/shares", async (request, reply) => {
		const { hours } = shareBody.parse(request.body ?? {});
		const { id } = conversations.get(conversationId(params.parse(request.params).id));
		const { share, secret } = shares.make(conversationId(id), hours);
		audit.record({ kind: "share", source: deps.sourceOf(request), detail: `${share.id} of ${id} until ${share.expiresAt}` });
		return reply.code(201).send({ share, path: `/watch/${secret}` });
	});

	app.delete("/api/shares/:id", async (request, reply) => {
		const { id } = params.parse(request.params);
		if (!shares.revoke(id)) throw notThere();
		audit.record({ kind: "share", source: deps.sourceOf(request), detail: `${id} ended` });
		return reply.code(204).send();
	});

	app.get("/watch/:token", { config: { open: true, page: true } }, async (request, reply) => {
		const id = shares.find(watched.parse(request.params).token);
		if (id === undefined) throw notThere();
		reply.header("content-type", "text/html; charset=utf-8");
		reply.header("content-security-policy", WATCH_POLICY);
		const how = { language: languageOf(request.headers["accept-language"]), markdown: await deps.markdown() };
		return reply.send(pacedStream(conversations.watchPage(id, how)));
	});
}

/** The first that we speak. */
export const languageOf = (accepted: string | undefined): HtmlLanguage => (/^[^a-z]*zh/i.test(accepted ?? "") ? "zh-Hant" : "en");

const notThere = () => new AppError("share-not-found", "There is no such link any more. Ask for a new one.");
