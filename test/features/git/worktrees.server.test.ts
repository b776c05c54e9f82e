import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalGit } from "../../support/local-git.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
let repository: string;
beforeEach(async () => {
	bed = await createWebBed();
	makeRepository();
});
afterEach(() => bed.close());

function makeRepository() {
	repository = join(bed.home, "shop");
	mkdirSync(repository);
	git("init", "-q", "-b", "main");
	git("config", "user.name", "Ann");
	git("config", "user.email", "ann@example.org");
	writeFileSync(join(repository, "a.txt"), "a\n");
	git("add", "-A");
	git("commit", "-q", "-m", "first");
}

const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" }).trim();
async function call(method: string, path: string, body?: object) {
	const response = await bed.api(path, { method, ...(body === undefined ? {} : { body }) });
	const text = await response.text();
	return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}
async function beginInWorktree(worktree: true | object = true): Promise<{ id: string; cwd: string }> {
	const { status, body } = await call("POST", "/api/conversations", { cwd: repository, worktree });
	expect(status).toBe(201);
	return body.conversation;
}

test("[GI40] a conversation works in a work tree of its own, on the branch that was asked for", async () => {
	const { id, cwd } = await beginInWorktree({ branch: "topic" });
	expect(cwd.startsWith(join(bed.home, "worktrees"))).toBe(true);
	expect((await call("GET", `/api/conversations/${id}/git`)).body).toMatchObject({ root: cwd, branch: "topic", files: [] });
	expect(await call("POST", "/api/conversations", { cwd: repository, worktree: { branch: "topic" } })).toMatchObject({
		status: 409,
		body: { error: { code: "worktree-refused", params: { reason: "branch-in-use" } } },
	});
	expect(await call("POST", "/api/conversations", { cwd: bed.home, worktree: true })).toMatchObject({
		status: 409,
		body: { error: { code: "no-repository" } },
	});
});

test("[GI40] a conversation that cannot be made leaves no work tree behind", async () => {
	expect((await call("POST", "/api/conversations", { cwd: repository, worktree: true, agent: "none" })).status).toBe(400);
	expect(git("worktree", "list").split("\n")).toHaveLength(1);
});

test("[GI40] the set-up command runs there as the person's own, in sight", async () => {
	const { id, cwd } = await beginInWorktree({ setup: "npm ci" });
	await expect
		.poll(() => bed.shell.commands.map(({ request }) => [request.conversationId, request.command, request.defaultCwd]))
		.toEqual([[id, "npm ci", cwd]]);
});

test("[GI46] deleting keeps the work tree unless asked, and says where it is", async () => {
	const plain = await beginInWorktree();
	expect((await call("DELETE", `/api/conversations/${plain.id}`)).status).toBe(204);
	expect(existsSync(plain.cwd)).toBe(true);
	const kept = await beginInWorktree();
	expect(await call("DELETE", `/api/conversations/${kept.id}?worktree=keep`)).toEqual({
		status: 200,
		body: { worktree: { path: kept.cwd, kept: true } },
	});
	const dirty = await beginInWorktree();
	writeFileSync(join(dirty.cwd, "new.txt"), "n\n");
	expect(await call("DELETE", `/api/conversations/${dirty.id}?worktree=remove`)).toEqual({
		status: 200,
		body: { worktree: { path: dirty.cwd, kept: true, reason: "uncommitted" } },
	});
	const { worktrees } = (await call("GET", "/api/worktrees")).body;
	expect(worktrees.map(({ path, state, keep }: Record<string, unknown>) => ({ path, state, keep }))).toEqual(
		expect.arrayContaining([{ path: dirty.cwd, state: "there", keep: ["uncommitted"] }]),
	);
	const forced = await call("POST", "/api/worktrees/remove", { path: dirty.cwd, force: true });
	expect(forced.body.worktree).toMatchObject({ kept: false });
	expect([existsSync(dirty.cwd), existsSync(join(forced.body.worktree.path, "new.txt"))]).toEqual([false, true]);
	expect((await call("POST", "/api/worktrees/remove", { path: repository, force: true })).status).toBe(404);
	const clean = await beginInWorktree();
	expect((await call("DELETE", `/api/conversations/${clean.id}?worktree=remove`)).body).toMatchObject({ worktree: { kept: false } });
	expect(existsSync(clean.cwd)).toBe(false);
});

test("[SE402] pushes, pull requests, and work trees that are merged or removed are in the audit log with who it was", async () => {
	await bed.close();
	const local = createLocalGit();
	bed = await createWebBed({
		deps: {
			git: {
				...local,
				push: async () => ({ kind: "pushed", remote: "origin", branch: "main" }),
				pullRequest: async () => ({ kind: "opened", url: "https://example.org/1" }),
			},
		},
	});
	makeRepository();
	const { id, cwd } = await beginInWorktree();
	writeFileSync(join(cwd, "b.txt"), "b\n");
	expect((await call("POST", `/api/conversations/${id}/commit`, { message: "b", paths: ["b.txt"] })).status).toBe(200);
	expect((await call("POST", `/api/conversations/${id}/push`, {})).status).toBe(200);
	expect((await call("POST", `/api/conversations/${id}/pull-request`, { title: "b" })).status).toBe(200);
	expect((await call("POST", `/api/conversations/${id}/worktree/merge`, {})).status).toBe(200);
	expect((await call("POST", "/api/worktrees/remove", { path: cwd })).status).toBe(200);
	const { entries } = (await call("GET", "/api/audit")).body;
	const told = entries.map(({ kind, source }: { kind: string; source: string }) => `${kind} ${source}`);
	expect(told.slice(0, 5)).toEqual([
		"worktree 127.0.0.1",
		"worktree 127.0.0.1",
		"pull-request 127.0.0.1",
		"git-push 127.0.0.1",
		"commit 127.0.0.1",
	]);
});

test("[GI45] nothing is merged while an agent is at work in one of the two folders", async () => {
	const { id, cwd } = await beginInWorktree();
	writeFileSync(join(cwd, "a.txt"), "tree\n");
	execFileSync("git", ["-C", cwd, "commit", "-q", "-am", "tree"]);
	await call("POST", `/api/conversations/${id}/messages`, { prompt: "Go" });
	const turn = await bed.runtime.nextTurn();
	expect(await call("POST", `/api/conversations/${id}/worktree/merge`)).toMatchObject({
		status: 409,
		body: { error: { params: { reason: "busy" } } },
	});
	turn.end();
	await bed.idle();
	expect(await call("POST", `/api/conversations/${id}/worktree/merge`)).toMatchObject({
		status: 200,
		body: { branch: "main", commit: git("rev-parse", "main") },
	});
	expect(git("show", "main:a.txt")).toBe("tree");
	const other = await bed.begin();
	expect((await call("POST", `/api/conversations/${other}/worktree/merge`)).status).toBe(404);
});
