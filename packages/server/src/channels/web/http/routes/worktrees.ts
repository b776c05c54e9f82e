import type { IncomingMessage } from "node:http";
import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import { mergeWorktreeBody, removeWorktreeBody } from "@rightseat/protocol/http/worktrees";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { EveryConversations } from "../../../../core/conversations/conversations.ts";
import { AppError } from "../../../../core/kernel/errors.ts";
import { conversationId } from "../../../../core/kernel/ids.ts";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import { worktreeProblem } from "../../../../services/git/git-problems.ts";
import type { Worktrees } from "../../../../services/worktrees/worktrees.ts";

const params = z.object({ id: z.string().check(z.maxLength(200)) });

/** The work trees of conversations. */
export function registerWorktreeRoutes(
	app: FastifyInstance,
	deps: { conversations: EveryConversations; worktrees: Worktrees; audit: AuditLog; sourceOf(request: { raw: IncomingMessage }): string },
) {
	const { conversations, worktrees } = deps;

	app.get("/api/worktrees", async () => ({ worktrees: await worktrees.list() }));

	app.post("/api/worktrees/remove", async (request) => {
		const { path, force } = removeWorktreeBody.parse(request.body);
		const worktree = await worktrees.remove(path, { force });
		deps.audit.record({ kind: "worktree", source: deps.sourceOf(request), detail: `${worktree.kept ? "kept" : "removed"} ${path}` });
		return { worktree };
	});

	app.post("/api/conversations/:id/worktree/merge", async (request) => {
		const id = conversationId(params.parse(request.params).id);
		conversations.get(id);
		const { method } = mergeWorktreeBody.parse(request.body ?? {});
		const worktree = worktrees.of(id);
		if (worktree === undefined)
			throw new AppError("not-found", "This conversation has no work tree of its own.", { params: { reason: "no-worktree" } });
		// An agent at work in either folder would find its files changed under its hands.
		const here = conversations.active().filter((running) => splitRemoteId(running) === undefined);
		const busy = here.map((running) => conversations.get(running).cwd);
		const isInside = (root: string) => busy.some((cwd) => cwd === root || cwd.startsWith(`${root}/`));
		if (isInside(worktree.repository) || isInside(worktree.path)) throw worktreeProblem({ reason: "busy", detail: "" }, worktree.path);
		const merged = await worktrees.merge(worktree, method, () => undefined);
		deps.audit.record({
			kind: "worktree",
			source: deps.sourceOf(request),
			detail: `${method} of ${worktree.branch} into ${merged.branch}`,
		});
		return merged;
	});
}
