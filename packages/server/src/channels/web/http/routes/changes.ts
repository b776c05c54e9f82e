import type { IncomingMessage } from "node:http";
import {
	changeContentQuery,
	changeDiffQuery,
	changeHunksQuery,
	changesQuery,
	undoBody,
	undoSeveralBody,
} from "@rightseat/protocol/http/change-requests";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { EveryConversations } from "../../../../core/conversations/conversations.ts";
import { conversationId } from "../../../../core/kernel/ids.ts";
import { untouchable } from "../untouchable.ts";

/** The recorder keeps files up to 5 MB. */
const READ = { config: { answerBytes: 5 * 1_048_576 } };
const id = z.string().check(z.maxLength(200));
const params = z.object({ id });
const changeParams = z.object({ id, changeId: id });

/** What a conversation changed in files, as lists, diffs and bytes, and the way back. */
export function registerChangeRoutes(
	app: FastifyInstance,
	deps: { conversations: Pick<EveryConversations, "changes">; sourceOf(request: { raw: IncomingMessage }): string },
) {
	const { changes } = deps.conversations;
	const actor = (request: { raw: IncomingMessage }) => ({ origin: "web" as const, from: deps.sourceOf(request) });
	function named(request: { params: unknown }) {
		const { id: conversation, changeId } = changeParams.parse(request.params);
		return { conversation: conversationId(conversation), changeId };
	}

	app.get("/api/conversations/:id/changes", async (request) => {
		const { before, cursor, limit } = changesQuery.parse(request.query);
		const from = before ?? cursor;
		return changes.list(conversationId(params.parse(request.params).id), { limit, ...(from === undefined ? {} : { before: from }) });
	});

	app.post("/api/conversations/:id/changes/undo", async (request) => {
		const part = undoSeveralBody.parse(request.body);
		return changes.undo(conversationId(params.parse(request.params).id), { ...part, kind: "undo" }, actor(request));
	});

	app.get("/api/conversations/:id/changes/:changeId", async (request) => {
		const { conversation, changeId } = named(request);
		return changes.get(conversation, changeId);
	});

	app.get("/api/conversations/:id/changes/:changeId/diff", READ, async (request, reply) => {
		const { conversation, changeId } = named(request);
		const { path } = changeDiffQuery.parse(request.query);
		return untouchable(reply, "text/plain; charset=utf-8").send(Buffer.from(await changes.diff(conversation, changeId, path)));
	});

	app.get("/api/conversations/:id/changes/:changeId/hunks", async (request) => {
		const { conversation, changeId } = named(request);
		const { path, whitespace } = changeHunksQuery.parse(request.query);
		return changes.hunks(conversation, changeId, { path, ignoreWhitespace: whitespace === "ignore" });
	});

	app.get("/api/conversations/:id/changes/:changeId/content", READ, async (request, reply) => {
		const { conversation, changeId } = named(request);
		const bytes = await changes.content(conversation, changeId, changeContentQuery.parse(request.query));
		return untouchable(reply, "application/octet-stream").send(Buffer.from(bytes));
	});

	for (const kind of ["undo", "redo"] as const) {
		app.post(`/api/conversations/:id/changes/:changeId/${kind}`, async (request) => {
			const { conversation, changeId } = named(request);
			const part = undoBody.parse(request.body ?? undefined);
			return changes.undo(conversation, { ...part, changeIds: [changeId], kind }, actor(request));
		});
	}
}
