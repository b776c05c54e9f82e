import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readGit } from "./read-git.ts";

let root: string;
beforeEach(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-git-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function git(...args: string[]): string {
	const identity = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"];
	return execFileSync("git", [...identity, ...args], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}
function commit(): string {
	git("commit", "-q", "--allow-empty", "-m", "x");
	return git("rev-parse", "HEAD");
}

test("[PG209] the branch and its commit are read in the folder and below it, loose or packed, also before the first commit", async () => {
	git("init", "-q");
	expect(await readGit(root)).toEqual({ root, branch: "main", head: null, detached: false });
	const head = commit();
	git("checkout", "-q", "-b", "feature/a-b");
	mkdirSync(join(root, "deep/er"), { recursive: true });
	expect(await readGit(join(root, "deep/er"))).toEqual({ root, branch: "feature/a-b", head, detached: false });
	git("pack-refs", "--all");
	expect(await readGit(root)).toEqual({ root, branch: "feature/a-b", head, detached: false });
	git("checkout", "-q", "--detach");
	expect(await readGit(root)).toEqual({ root, branch: null, head, detached: true });
});

test("[PG209] a worktree has a branch of its own", async () => {
	git("init", "-q");
	const head = commit();
	const tree = join(root, "tree");
	git("worktree", "add", "-q", "-b", "other", tree);
	expect(await readGit(tree)).toEqual({ root: tree, branch: "other", head, detached: false });
});

test("[PG209] what is no repository, or broken, or not a plain file, has no branch and holds nothing up", async () => {
	expect(await readGit(root)).toBeUndefined();
	mkdirSync(join(root, ".git"));
	expect(await readGit(root)).toBeUndefined();
	execFileSync("mkfifo", [join(root, ".git/HEAD")]);
	expect(await readGit(root)).toBeUndefined();
	rmSync(join(root, ".git"), { recursive: true });
	writeFileSync(join(root, ".git"), "gitdir: nowhere\n");
	expect(await readGit(root)).toBeUndefined();
	mkdirSync(join(root, "nowhere"));
	writeFileSync(join(root, "nowhere/HEAD"), "ref: refs/heads/../../secret\n");
	writeFileSync(join(root, "secret"), "not a commit");
	expect(await readGit(root)).toEqual({ root, branch: "../../secret", head: null, detached: false });
});
