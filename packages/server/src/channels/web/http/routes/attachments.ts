import { createReadStream } from "node:fs";
import { uploadQuery } from "@rightseat/protocol/http/requests";
import { MAX_ATTACHMENT_BYTES } from "@rightseat/protocol/limits";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { AppError } from "../../../../core/kernel/errors.ts";
import type { MemoryLedger } from "../../../../core/kernel/memory-ledger.ts";
import type { Attachments } from "../../../../services/attachments/attachments.ts";
import { INLINE_IMAGE_TYPES } from "../../../../services/attachments/sniff-type.ts";
import { ATTACHMENT_POLICY } from "../security-headers.ts";

/** An upload is in memory while it is checked. */
const MAX_CONCURRENT_UPLOADS = 4;

/** Uploading files for prompts and looking at them again. */
export function registerAttachmentRoutes(
	app: FastifyInstance,
	{ attachments, memory }: { attachments: Attachments; memory: MemoryLedger },
) {
	const account = memory.account("uploads");
	const uploading = new Set<object>();
	app.register((scope, _options, done) => {
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: MAX_ATTACHMENT_BYTES }, (_request, body, done) => done(null, body));
		scope.addHook("onRequest", async (request, reply) => {
			if (uploading.size >= MAX_CONCURRENT_UPLOADS)
				throw new AppError("rate-limited", "Too many uploads at once. Try again in a moment.", { params: { reason: "uploads" } });
			const bytes = bytesOf(request.headers["content-length"]);
			if (!account.reserve(bytes))
				throw new AppError("rate-limited", "There is no memory for this file now. Try again in a moment.", {
					params: { reason: "memory" },
				});
			uploading.add(request.raw);
			// Of the answer: a request whose body is refused unread never closes on a connection that stays open.
			reply.raw.once("close", () => {
				if (uploading.delete(request.raw)) account.add(-bytes);
			});
		});
		scope.post("/api/attachments", { config: { raw: true } }, async (request, reply) => {
			const { name } = uploadQuery.parse(request.query);
			if (!Buffer.isBuffer(request.body))
				throw new AppError("bad-request", "Send the file as the body.", { params: { reason: "no-file" } });
			// Kept as it came it would be a file with the form's own lines in it.
			if (/^multipart\//i.test(request.headers["content-type"] ?? ""))
				throw new AppError("bad-request", "Send the file itself as the body, with ?name=…, not as a form.", { params: { reason: "form" } });
			return reply.code(201).send({ attachment: await attachments.add({ name, content: request.body }) });
		});
		done();
	});

	app.get("/api/attachments/:id", async (request, reply) => {
		const { id } = z.object({ id: z.string().check(z.maxLength(200)) }).parse(request.params);
		const file = attachments.get(id);
		const inline = INLINE_IMAGE_TYPES.has(file.mimeType);
		reply.header("content-security-policy", ATTACHMENT_POLICY);
		reply.header("content-type", inline ? file.mimeType : "application/octet-stream");
		reply.header("content-length", file.size);
		reply.header("cache-control", "private, max-age=31536000, immutable");
		reply.header("content-disposition", `${inline ? "inline" : "attachment"}; filename*=UTF-8''${encodeName(file.name)}`);
		return reply.send(request.method === "HEAD" ? undefined : createReadStream(file.path));
	});
}

/** What an upload will hold; one that does not say counts as the largest. */
const bytesOf = (length: string | undefined) =>
	Math.min(length === undefined ? MAX_ATTACHMENT_BYTES : Number(length), MAX_ATTACHMENT_BYTES);

const encodeName = (name: string) => encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
