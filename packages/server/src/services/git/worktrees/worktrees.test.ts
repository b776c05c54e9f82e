import { spawn } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createTestRepository, type TestRepository } from "../git-harness.ts";
import { type AddedWorktree, addWorktree } from "./add-worktree.ts";
import { reasonsToKeep } from "./check-worktree.ts";
import { MAX_INCLUDED_BYTES, MAX_INCLUDED_FILES } from "./copy-included.ts";
import { mergeWorktree } from "./merge-worktree.ts";
import { emptyTrash, removeWorktree, TRASH_DAYS } from "./remove-worktree.ts";

const undo: (() => void)[] = [];
afterEach(() => {
	for (const step of undo.splice(0).reverse()) step();
});
const NOW = 1_800_000_000_000;
const quiet = () => undefined;

function bed(files: Record<string, string> = { "a.txt": "a\n" }) {
	const repo = createTestRepository(files);
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-trees-")));
	undo.push(repo.remove, () => rmSync(folder, { recursive: true, force: true }));
	const trash = join(folder, ".trash");
	return {
		repo,
		folder,
		trash,
		add: (branch: string | null = null, cwd = repo.root) => addWorktree(repo.runGit, { cwd, branch, folder, id: "c1" }, quiet),
		remove: (path: string, force = false) => removeWorktree(repo.runGit, { path, repository: repo.root, trash, force, now: NOW }),
	};
}
async function added(made: ReturnType<typeof bed>, branch: string | null = null): Promise<AddedWorktree> {
	const worktree = await made.add(branch);
	if (worktree.kind === "refused") throw new Error(`${worktree.reason}: ${worktree.detail}`);
	return worktree;
}
const inTree = (repo: TestRepository, path: string, ...args: string[]) => repo.git("-C", path, ...args);

test("[GI40] a conversation's work tree lies outside the repository, on a branch of its own, and leaves what is not committed alone", async () => {
	const made = bed({ "a.txt": "a\n", "sub/b.txt": "b\n" });
	made.repo.write("a.txt", "mine\n");
	const worktree = await made.add(null, join(made.repo.root, "sub"));
	expect(worktree).toMatchObject({ kind: "added", branch: "rs/c1", repository: made.repo.root });
	const { path, cwd } = (await worktree) as AddedWorktree;
	expect([path.startsWith(`${made.folder}/`), cwd]).toEqual([true, join(path, "sub")]);
	expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("a\n");
	expect(made.repo.git("status", "--porcelain")).toBe(" M a.txt");
	expect((await added(made)).branch).toBe("rs/c1-2");
});

test("[GI40] a branch that is there is used, one that is checked out elsewhere, a bad name and a repository without a commit are refused", async () => {
	const made = bed();
	made.repo.git("branch", "topic");
	expect(await made.add("topic")).toMatchObject({ kind: "added", branch: "topic" });
	expect(await made.add("topic")).toMatchObject({ kind: "refused", reason: "branch-in-use" });
	for (const name of ["@", "a..b", "-x", "a b", "x.lock", "/a", "a/", "a//b", `${"x".repeat(61)}`])
		expect(await made.add(name)).toMatchObject({ kind: "refused", reason: "bad-branch" });
	expect(await bed({}).add()).toMatchObject({ kind: "refused", reason: "no-commit" });
	expect(await made.add(null, "/")).toMatchObject({ kind: "refused", reason: "no-repository" });
});

test("[GI41] what .worktreeinclude names and git ignores comes along, with its mode, and nothing else", async () => {
	const made = bed({ "a.txt": "a\n", ".gitignore": ".env*\ncache/\n", ".worktreeinclude": ".env\na.txt\n" });
	made.repo.write(".env", "SECRET=1\n", 0o600);
	made.repo.write(".env.local", "no\n");
	made.repo.write("cache/x", "no\n");
	const { path } = await added(made);
	expect(readdirSync(path).sort()).toEqual([".env", ".git", ".gitignore", ".worktreeinclude", "a.txt"]);
	expect(statSync(join(path, ".env")).mode & 0o777).toBe(0o600);
});

test("[GI41] a file that a hook has made in the new work tree is not written over", async () => {
	const made = bed({ "a.txt": "a\n", ".gitignore": ".env\n", ".worktreeinclude": ".env\n" });
	made.repo.write(".env", "OURS=1\n");
	made.repo.write(".git/hooks/post-checkout", "#!/bin/sh\necho HOOK=1 > .env\n", 0o755);
	const { path } = await added(made);
	expect(readFileSync(join(path, ".env"), "utf8")).toBe("HOOK=1\n");
});

test("[GI42] a repository inside is named, ignored or not", async () => {
	const made = bed();
	const { path } = await added(made);
	mkdirSync(join(path, "inner"));
	inTree(made.repo, join(path, "inner"), "init", "-q");
	writeFileSync(join(path, "inner", "b.txt"), "b\n");
	expect(await reasonsToKeep(made.repo.runGit, { path, repository: made.repo.root })).toEqual(["uncommitted", "nested-repository"]);
});

test("[GI41] so many files and bytes come along", async () => {
	const made = bed({ ".gitignore": "kept/\n", ".worktreeinclude": "kept/\n" });
	for (let index = 0; index <= MAX_INCLUDED_FILES; index++) made.repo.write(`kept/${String(index).padStart(5, "0")}`, "");
	expect(readdirSync(join((await added(made)).path, "kept"))).toHaveLength(MAX_INCLUDED_FILES);
	rmSync(join(made.repo.root, "kept"), { recursive: true });
	made.repo.write("kept/huge", "");
	truncateSync(join(made.repo.root, "kept/huge"), MAX_INCLUDED_BYTES + 1);
	made.repo.write("kept/small", "s");
	expect(readdirSync(join((await added(made)).path, "kept"))).toEqual(["small"]);
});

test("[GI42] a clean and merged work tree goes to the trash, and its branch stays", async () => {
	const made = bed();
	const { path } = await added(made);
	const removed = await made.remove(path);
	expect(removed).toMatchObject({ kept: false });
	expect(existsSync(path)).toBe(false);
	expect(existsSync(join(removed.path ?? "", "a.txt"))).toBe(true);
	expect(made.repo.git("worktree", "list").split("\n")).toHaveLength(1);
	expect(made.repo.git("branch", "--list", "rs/c1").trim()).toBe("rs/c1");
	expect(await made.remove(path)).toEqual({ kept: false, path: null });
});

test("[GI42] cases 37 and 38: whatever would be lost with it keeps a work tree, unless somebody insists; then it is in the trash", async () => {
	const made = bed({ "a.txt": "a\n", ".gitignore": ".env\nvendor/\nnode_modules/\n" });
	const reasons: Record<string, (path: string) => void> = {
		uncommitted: (path) => writeFileSync(join(path, "new.txt"), "n\n"),
		unmerged(path) {
			writeFileSync(join(path, "a.txt"), "b\n");
			inTree(made.repo, path, "commit", "-q", "-am", "mine");
		},
		"ignored-files": (path) => writeFileSync(join(path, ".env"), "SECRET=1\n"),
		"nested-repository"(path) {
			mkdirSync(join(path, "vendor/lib"), { recursive: true });
			made.repo.git("init", "-q", join(path, "vendor/lib"));
			writeFileSync(join(path, "vendor/lib/x"), "x");
		},
		"hidden-edits"(path) {
			inTree(made.repo, path, "update-index", "--assume-unchanged", "a.txt");
			writeFileSync(join(path, "a.txt"), "hidden\n");
		},
		locked: (path) => void made.repo.git("worktree", "lock", path),
	};
	for (const [reason, make] of Object.entries(reasons)) {
		const { path } = await added(made);
		make(path);
		expect(await made.remove(path), reason).toEqual({ kept: true, path, reason });
		expect(existsSync(path)).toBe(true);
		const forced = await made.remove(path, true);
		expect([forced.kept, existsSync(path), existsSync(join(forced.path ?? "", "a.txt"))], reason).toEqual([false, false, true]);
	}
	const { path } = await added(made);
	mkdirSync(join(path, "node_modules/x"), { recursive: true });
	writeFileSync(join(path, "node_modules/x/index.js"), "made again");
	expect(await made.remove(path)).toMatchObject({ kept: false });
});

test("[GI42] case 38: a process that stands in it keeps a work tree", async () => {
	const made = bed();
	const { path } = await added(made);
	const sleeper = spawn("sleep", ["60"], { cwd: path });
	undo.push(() => sleeper.kill("SIGKILL"));
	await new Promise((resolve) => sleeper.once("spawn", resolve));
	expect(await made.remove(path)).toMatchObject({ kept: true, reason: "in-use" });
});

test("[GI42] case 39: a work tree with a submodule, and one inside another, are removed after the same checks", async () => {
	const made = bed();
	const library = createTestRepository({ "lib.txt": "l\n" });
	undo.push(library.remove);
	const allow = ["-c", "protocol.file.allow=always"];
	made.repo.git(...allow, "submodule", "add", "-q", library.root, "lib");
	made.repo.git("commit", "-q", "-m", "with a library");
	const { path } = await added(made);
	inTree(made.repo, path, ...allow, "submodule", "update", "-q", "--init");
	writeFileSync(join(path, "lib/lib.txt"), "changed\n");
	expect(await made.remove(path)).toMatchObject({ kept: true, reason: "uncommitted" });
	writeFileSync(join(path, "lib/lib.txt"), "l\n");
	made.repo.git("worktree", "add", "-q", "-b", "inner", join(path, "inner"));
	expect(await made.remove(path)).toMatchObject({ kept: true, reason: "uncommitted" });
	made.repo.git("worktree", "remove", join(path, "inner"));
	expect(await made.remove(path)).toMatchObject({ kept: false });
	expect(made.repo.git("worktree", "list").split("\n")).toHaveLength(1);
});

test("[GI43] a commit that only a detached head held gets a branch before the work tree goes", async () => {
	const made = bed();
	const { path } = await added(made);
	inTree(made.repo, path, "checkout", "-q", "--detach");
	writeFileSync(join(path, "a.txt"), "b\n");
	inTree(made.repo, path, "commit", "-q", "-am", "nameless");
	const commit = inTree(made.repo, path, "rev-parse", "HEAD");
	expect(await made.remove(path)).toMatchObject({ kept: true, reason: "unmerged" });
	const removed = await made.remove(path, true);
	expect(removed.rescued).toBe(`rs/rescue-${NOW}`);
	expect(made.repo.git("rev-parse", removed.rescued ?? "")).toBe(commit);
});

test("[GI44] the trash keeps what is in it for a week, and names that are not ours for good", async () => {
	const { trash } = bed();
	const week = TRASH_DAYS * 86_400_000;
	for (const name of [`${NOW - week - 1}-old`, `${NOW - week + 1}-new`, "somebody else's"])
		mkdirSync(join(trash, name), { recursive: true });
	expect(await emptyTrash(trash, NOW)).toBe(1);
	expect(readdirSync(trash).sort()).toEqual([`${NOW - week + 1}-new`, "somebody else's"]);
	expect(await emptyTrash(join(trash, "missing"), NOW)).toBe(0);
});

test.each(["merge", "rebase"] as const)("[GI45] the commits of a work tree come into the repository's branch by %s", async (method) => {
	const made = bed({ "a.txt": "a\n", "b.txt": "b\n" });
	const { path } = await added(made);
	writeFileSync(join(path, "a.txt"), "tree\n");
	inTree(made.repo, path, "commit", "-q", "-am", "tree");
	made.repo.write("b.txt", "main\n");
	made.repo.git("commit", "-q", "-am", "main");
	const merged = await mergeWorktree(made.repo.runGit, { path, repository: made.repo.root, method }, quiet);
	expect(merged).toEqual({ kind: "merged", branch: "main", commit: made.repo.git("rev-parse", "HEAD") });
	expect([readFileSync(join(made.repo.root, "a.txt"), "utf8"), readFileSync(join(made.repo.root, "b.txt"), "utf8")]).toEqual([
		"tree\n",
		"main\n",
	]);
	expect(made.repo.git("log", "-1", "--format=%p").split(" ")).toHaveLength(method === "merge" ? 2 : 1);
	expect(await made.remove(path)).toMatchObject({ kept: false });
});

test("[GI45] a merge that would end in a conflict, or in a folder with changes, is not begun", async () => {
	const made = bed({ "a.txt": "a\n" });
	const { path } = await added(made);
	const merge = () => mergeWorktree(made.repo.runGit, { path, repository: made.repo.root, method: "merge" }, quiet);
	writeFileSync(join(path, "a.txt"), "tree\n");
	expect(await merge()).toMatchObject({ kind: "refused", reason: "uncommitted" });
	inTree(made.repo, path, "commit", "-q", "-am", "tree");
	made.repo.write("a.txt", "main\n");
	expect(await merge()).toMatchObject({ kind: "refused", reason: "main-dirty" });
	made.repo.git("commit", "-q", "-am", "main");
	const head = made.repo.git("rev-parse", "HEAD");
	const refused = await merge();
	expect(refused).toMatchObject({ kind: "refused", reason: "conflicts" });
	expect(refused.kind === "refused" && refused.detail).toContain("a.txt");
	expect([made.repo.git("rev-parse", "HEAD"), made.repo.git("status", "--porcelain")]).toEqual([head, ""]);
});
