import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { commitBody, gitQuery, pullRequestBody, reviewContentQuery, reviewHunksQuery, reviewQuery } from "@rightseat/protocol/http/git";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { EveryConversations } from "../../../../core/conversations/conversations.ts";
import { AppError } from "../../../../core/kernel/errors.ts";
import { type ConversationId, conversationId } from "../../../../core/kernel/ids.ts";
import type { Redactor } from "../../../../core/kernel/redact.ts";
import type { AuditLog } from "../../../../core/ports/audit.ts";
import type { Folders } from "../../../../core/ports/folders.ts";
import type { Git } from "../../../../services/git/git-client.ts";
import { commitProblem, pushProblem } from "../../../../services/git/git-problems.ts";
import { MAX_REVIEW_FILE_BYTES } from "../../../../services/git/review.ts";
import type { HttpProblem } from "../http-errors.ts";
import { untouchable } from "../untouchable.ts";

export interface GitRoutesDeps {
	conversations: Pick<EveryConversations, "get" | "changes">;
	folders: Pick<Folders, "git">;
	git: Omit<Git, "close">;
	audit: AuditLog;
	sourceOf(request: { raw: IncomingMessage }): string;
	problemOf(error: unknown): HttpProblem;
	/** For what hooks and remotes print: they may print a secret of ours. */
	redactor: Pick<Redactor, "stream">;
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
		const { message, paths, hunks = {}, seen = {} } = commitBody.parse(request.body);
		const ours = paths === undefined ? await changedHere(deps, conversationId(id)) : [];
		async function commit(onOutput: (text: string) => void) {
			const outcome = await deps.git.commit({ cwd, message, paths: paths ?? null, changedHere: ours, hunks, seen }, onOutput);
			if (outcome.kind === "refused") throw commitProblem(outcome, cwd);
			deps.audit.record({ kind: "commit", source: deps.sourceOf(request), detail: `${outcome.commit} in ${cwd}` });
			return { commit: outcome.commit, ...(outcome.left === true ? { indexLeft: true } : {}) };
		}
		return told(request, reply, commit);
	});

	app.post("/api/conversations/:id/push", async (request, reply) => {
		const { cwd } = find(request);
		return told(request, reply, async (onOutput) => {
			const outcome = await deps.git.push({ cwd }, onOutput);
			if (outcome.kind === "refused") throw pushProblem(outcome, cwd);
			deps.audit.record({ kind: "git-push", source: deps.sourceOf(request), detail: `${outcome.branch} to ${outcome.remote} in ${cwd}` });
			return { remote: outcome.remote, branch: outcome.branch };
		});
	});

	app.post("/api/conversations/:id/pull-request", async (request, reply) => {
		const { cwd } = find(request);
		const asked = pullRequestBody.parse(request.body);
		return told(request, reply, async (onOutput) => {
			const outcome = await deps.git.pullRequest({ cwd, ...asked }, onOutput);
			if (outcome.kind === "refused") throw pushProblem(outcome, cwd);
			deps.audit.record({ kind: "pull-request", source: deps.sourceOf(request), detail: outcome.url });
			return { url: outcome.url };
		});
	});

	registerReviewRoutes(app, deps, find);

	/** Answers at the end, or line by line for who wants to watch. What it does goes on when the client leaves. */
	async function told(request: FastifyRequest, reply: FastifyReply, act: (onOutput: (text: string) => void) => Promise<object>) {
		if (!String(request.headers.accept ?? "").includes("application/x-ndjson")) return act(() => undefined);
		const lines = new PassThrough();
		const say = (line: object) => void lines.write(`${JSON.stringify(line)}\n`);
		const clean = deps.redactor.stream();
		function print(output: string): void {
			if (output !== "" && lines.writableLength < MAX_WAITING_BYTES) say({ output });
		}
		void act((output) => print(clean.take(output)))
			.finally(() => print(clean.rest()))
			.then(say, (error: unknown) => say(deps.problemOf(error).body))
			.finally(() => lines.end());
		return reply.header("content-type", "application/x-ndjson; charset=utf-8").send(lines);
	}
}

/** What differs from the last commit, or from the main branch. */
function registerReviewRoutes(app: FastifyInstance, { git }: GitRoutesDeps, find: (request: { params: unknown }) => { cwd: string }) {
	app.get("/api/conversations/:id/review", async (request) => {
		const { cwd } = find(request);
		const { scope } = reviewQuery.parse(request.query);
		const found = await git.review({ cwd, scope });
		if (found !== null) return found;
		if (scope === "uncommitted") throw noRepository(cwd);
		throw new AppError("no-repository", "There is no other branch that this one could be compared with.", {
			params: { reason: "no-base", path: cwd },
		});
	});

	app.get("/api/conversations/:id/review/hunks", async (request) => {
		const { cwd } = find(request);
		const { scope, path, whitespace } = reviewHunksQuery.parse(request.query);
		return (await git.reviewHunks({ cwd, scope, path, ignoreWhitespace: whitespace === "ignore" })) ?? raise(sameFile(path));
	});

	app.get("/api/conversations/:id/review/content", { config: { answerBytes: MAX_REVIEW_FILE_BYTES } }, async (request, reply) => {
		const { cwd } = find(request);
		const { scope, path, side } = reviewContentQuery.parse(request.query);
		const found = (await git.reviewContent({ cwd, scope, path, side })) ?? raise(sameFile(path));
		if (found.kind === "large") throw new AppError("too-large", `${path} is too large to be shown.`, { params: { reason: "file", path } });
		return untouchable(reply, "application/octet-stream").send(Buffer.from(found.base64, "base64"));
	});
}

function raise(error: AppError): never {
	throw error;
}
const sameFile = (path: string) => new AppError("not-found", `${path} does not differ.`, { params: { reason: "same-file", path } });
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
