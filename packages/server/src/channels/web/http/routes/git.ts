import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { commitBody, gitQuery } from "@rightseat/protocol/http/git";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Conversations } from "../../../../core/conversations/conversations.ts";
import { AppError } from "../../../../core/kernel/errors.ts";
import { type ConversationId, conversationId } from "../../../../core/kernel/ids.ts";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import type { Folders } from "../../../../core/ports/folders.ts";
import { commitProblem } from "../../../../services/git/commit-problem.ts";
import type { Git } from "../../../../services/git/git-client.ts";
import type { HttpProblem } from "../http-errors.ts";

export interface GitRoutesDeps {
	conversations: Pick<Conversations, "get" | "changes">;
	folders: Pick<Folders, "git">;
	git: Pick<Git, "status" | "commit">;
	audit: AuditLog;
	sourceOf(request: { raw: IncomingMessage }): string;
	problemOf(error: unknown): HttpProblem;
}

const params = z.object({ id: z.string().check(z.maxLength(200)) });
/** Output of hooks that waits for a client that does not read: more is not kept. */
const MAX_WAITING_BYTES = 1_048_576;

/** The repository of a conversation's directory. */
export function registerGitRoutes(app: FastifyInstance, deps: GitRoutesDeps) {
	const find = (request: { params: unknown }) => deps.conversations.get(conversationId(params.parse(request.params).id));

	app.get("/api/conversations/:id/git", async (request, reply) => {
		const { cwd } = find(request);
		const { optional } = gitQuery.parse(request.query);
		// Read from files first: it costs nothing, and holds also where git is not installed.
		const found = await deps.folders.git(cwd);
		if (found === undefined && optional === "1") return reply.code(204).send();
		if (found === undefined) throw noRepository(cwd);
		const status = await deps.git.status({ cwd });
		if (status === null) return { ...found, files: [], unavailable: true };
		const { head, branch, detached, ahead, behind, files, truncated } = status;
		return {
			...{ root: found.root, branch, head, detached },
			...(ahead === null ? {} : { ahead }),
			...(behind === null ? {} : { behind }),
			files,
			...(truncated ? { truncated } : {}),
		};
	});

	app.post("/api/conversations/:id/commit", async (request, reply) => {
		const { id, cwd } = find(request);
		const { message, paths, seen = {} } = commitBody.parse(request.body);
		const ours = paths === undefined ? await changedHere(deps, conversationId(id)) : [];
		async function commit(onOutput: (text: string) => void) {
			const outcome = await deps.git.commit({ cwd, message, paths: paths ?? null, changedHere: ours, seen }, onOutput);
			if (outcome.kind === "refused") throw commitProblem(outcome, cwd);
			deps.audit.record({ kind: "commit", source: deps.sourceOf(request), detail: `${outcome.commit} in ${cwd}` });
			return { commit: outcome.commit, ...(outcome.left === true ? { indexLeft: true } : {}) };
		}
		if (!String(request.headers.accept ?? "").includes("application/x-ndjson")) return commit(() => undefined);
		const lines = new PassThrough();
		const say = (line: object) => lines.write(`${JSON.stringify(line)}\n`);
		void commit((output) => {
			if (lines.writableLength < MAX_WAITING_BYTES) say({ output });
		})
			.then(say, (error: unknown) => say(deps.problemOf(error).body))
			.finally(() => lines.end());
		return reply.header("content-type", "application/x-ndjson; charset=utf-8").send(lines);
	});
}

const noRepository = (cwd: string) => new AppError("no-repository", `${cwd} is not in a git repository.`, { params: { path: cwd } });

/** What the conversation changed, relative to the work tree; nothing where that is not known. */
async function changedHere({ conversations }: Pick<GitRoutesDeps, "conversations">, id: ConversationId): Promise<string[]> {
	try {
		const { files } = await conversations.changes.get(id, "conversation");
		return files.filter(({ by }) => by !== "outside").flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [oldPath, path]));
	} catch (error) {
		if (error instanceof AppError && (error.code === "change-not-found" || error.code === "changes-unavailable")) return [];
		throw error;
	}
}
