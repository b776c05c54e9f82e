import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createTestRepository, type TestRepository } from "./git-harness.ts";
import { MAX_STATUS_FILES, parseStatus, readStatus } from "./read-status.ts";
import { review } from "./review.ts";

const opened: TestRepository[] = [];
afterEach(() => {
	for (const repository of opened.splice(0)) repository.remove();
});
function repository(files?: Record<string, string>): TestRepository {
	const made = createTestRepository(files);
	opened.push(made);
	return made;
}
const shortly = (files: readonly { path: string; status: string; staged: boolean; oldPath?: string }[] = []) =>
	files.map(({ path, status, staged, oldPath }) => [path, status, staged ? "staged" : "", oldPath ?? ""].filter(Boolean).join(" ")).sort();

test("[GI10] every file that is not committed is named, staged or not, in any bytes", async () => {
	const repo = repository({ "both.txt": "a\n", "gone.txt": "g\n", "old name.txt": "o\n".repeat(20), "plain.txt": "p\n" });
	repo.write("both.txt", "staged\n");
	repo.git("add", "both.txt");
	repo.write("both.txt", "again\n");
	repo.git("rm", "-q", "gone.txt");
	repo.git("mv", "old name.txt", "new name.txt");
	repo.write("dir/new.txt", "n\n");
	writeFileSync(Buffer.from(`${repo.root}/\xff\n.txt`, "latin1"), "bytes");
	const status = await readStatus(repo.runGit, repo.root);
	expect(shortly(status?.files)).toEqual(
		[
			"both.txt modified",
			"both.txt modified staged",
			"dir/new.txt untracked",
			"gone.txt deleted staged",
			"new name.txt renamed staged old name.txt",
			"\\xff\\x0a.txt untracked",
		].sort(),
	);
	expect(status).toMatchObject({ branch: "main", detached: false, head: repo.git("rev-parse", "HEAD"), ahead: null, behind: null });
});

test("[GI10] distance to the upstream, a detached head and a repository without a commit", async () => {
	const far = repository();
	const near = repository({});
	expect(await readStatus(near.runGit, near.root)).toMatchObject({ branch: "main", head: null, files: [] });
	near.git("remote", "add", "origin", far.root);
	near.git("fetch", "-q", "origin");
	near.git("reset", "-q", "--hard", "origin/main");
	near.git("branch", "-q", "--set-upstream-to=origin/main");
	near.write("a.txt", "mine\n");
	near.git("commit", "-q", "-am", "mine");
	expect(await readStatus(near.runGit, near.root)).toMatchObject({ upstream: "origin/main", ahead: 1, behind: 0 });
	near.git("checkout", "-q", "--detach");
	expect(await readStatus(near.runGit, near.root)).toMatchObject({ branch: null, detached: true });
});

test("[GI11] looking runs no hook, filter or monitor and leaves every file below .git as it was", async () => {
	const repo = repository({ "a.txt": "a\n", ".gitattributes": "*.txt filter=loud\n" });
	const mark = join(repo.root, ".git", "ran");
	for (const hook of ["post-index-change", "fsmonitor-watchman"]) {
		repo.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch '${mark}'\n`);
		chmodSync(join(repo.root, ".git/hooks", hook), 0o755);
	}
	repo.git("config", "filter.loud.clean", `touch '${mark}'; cat`);
	repo.git("config", "core.fsmonitor", join(repo.root, ".git/hooks/fsmonitor-watchman"));
	repo.write("a.txt", "b\n");
	const before = fingerprint(join(repo.root, ".git"));
	expect(shortly((await readStatus(repo.runGit, repo.root))?.files)).toEqual(["a.txt modified"]);
	expect(fingerprint(join(repo.root, ".git"))).toEqual(before);
});

test("[GI481] edits in a submodule are not looked for by a filter that its configuration names; a new commit in it is seen", async () => {
	const repo = repository({ "a.txt": "a\n" });
	const sub = repository({ "b.txt": "b\n", ".gitattributes": "*.txt filter=loud\n" });
	repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.root, "sub");
	repo.git("commit", "-qm", "with a submodule");
	const mark = join(repo.root, ".git/ran");
	const inside = (...args: string[]) => repo.git("-C", "sub", "-c", "user.name=a", "-c", "user.email=a@a", ...args);
	inside("config", "filter.loud.clean", `touch '${mark}'; cat`);
	repo.write("sub/b.txt", "edited\n");
	expect((await readStatus(repo.runGit, repo.root))?.files).toEqual([]);
	expect((await review(repo.runGit, repo.root, "uncommitted"))?.files).toEqual([]);
	expect(existsSync(mark)).toBe(false);
	inside("commit", "-qam", "second");
	expect(shortly((await readStatus(repo.runGit, repo.root))?.files)).toEqual(["sub modified"]);
});

test("[GI12] a folder that is no repository has no status", async () => {
	expect(await readStatus(repository({}).runGit, "/")).toBeUndefined();
});

test("[GI10] so many files are named, and that there are more is said", () => {
	const many = Array.from({ length: MAX_STATUS_FILES + 1 }, (_, index) => `? file-${index}\0`).join("");
	const { files, truncated } = parseStatus(Buffer.from(many));
	expect([files.length, truncated]).toEqual([MAX_STATUS_FILES, true]);
});

/** Bytes, times and inode of every file. */
function fingerprint(folder: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: "utf8" })
		.sort()
		.map((name) => {
			const path = join(folder, name);
			const { mtimeNs, ctimeNs, ino } = lstatSync(path, { bigint: true });
			const hash = lstatSync(path).isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
			return [name, mtimeNs, ctimeNs, ino, hash].join(" ");
		});
}
