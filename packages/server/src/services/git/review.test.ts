import { chmodSync, existsSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createTestRepository, type TestRepository } from "./git-harness.ts";
import { readStatus } from "./read-status.ts";
import { MAX_REVIEW_BYTES, MAX_REVIEW_FILE_BYTES, MAX_REVIEW_FILES, review, reviewFile } from "./review.ts";
import { reviewHunks } from "./review-hunks.ts";

const opened: TestRepository[] = [];
afterEach(() => {
	for (const repository of opened.splice(0)) repository.remove();
});
function repository(files?: Record<string, string>): TestRepository {
	const made = createTestRepository(files);
	opened.push(made);
	return made;
}

test("[GI480] what a repository does not have itself is not fetched: its own commands for that do not run", async () => {
	const repo = repository({ "a.txt": "a\n", "b.txt": "b\n" });
	const mark = join(repo.root, ".git", "ran");
	const missing = repo.git("rev-parse", "HEAD:a.txt");
	for (const [name, value] of [
		["core.repositoryformatversion", "1"],
		["extensions.partialClone", "origin"],
		["remote.origin.promisor", "true"],
		["remote.origin.url", repo.root],
		["remote.origin.uploadpack", `touch '${mark}'; git-upload-pack`],
	] as const)
		repo.git("config", name, value);
	rmSync(join(repo.root, ".git/objects", missing.slice(0, 2), missing.slice(2)));
	repo.write("a.txt", "other\n");
	await readStatus(repo.runGit, repo.root);
	await review(repo.runGit, repo.root, "uncommitted");
	expect(existsSync(mark)).toBe(false);
	// As a person does it, git asks for it.
	await repo.runGit({ cwd: repo.root, as: "person", args: ["diff"] });
	expect(existsSync(mark)).toBe(true);
});

test("[GI30] what is not committed is compared with the last commit, file by file, with lines counted", async () => {
	const repo = repository({
		"a.txt": "1\n2\n3\n",
		"gone.txt": "g\n",
		"run.sh": "#!/bin/sh\n",
		"touched.txt": "t\n",
		".gitignore": "ignored\n",
	});
	repo.write("a.txt", "1\ntwo\n3\n4\n");
	rmSync(join(repo.root, "gone.txt"));
	chmodSync(join(repo.root, "run.sh"), 0o755);
	utimesSync(join(repo.root, "touched.txt"), 1, 1);
	repo.write("new.bin", Buffer.from([1, 0, 2]));
	repo.write("ignored", "no\n");
	repo.write("huge.txt", Buffer.alloc(MAX_REVIEW_FILE_BYTES + 1, 97));
	symlinkSync("a.txt", join(repo.root, "link"));
	const found = await review(repo.runGit, repo.root, "uncommitted");
	expect(found?.files.map(({ sha256, ...file }) => file)).toEqual([
		{ path: "a.txt", status: "modified", binary: false, added: 2, removed: 1 },
		{ path: "gone.txt", status: "deleted", binary: false, added: 0, removed: 1 },
		{ path: "huge.txt", status: "added", binary: true, added: 0, removed: 0, uncounted: true },
		{ path: "link", status: "added", binary: false, added: 1, removed: 0 },
		{ path: "new.bin", status: "added", binary: true, added: 0, removed: 0 },
		{ path: "run.sh", status: "mode", binary: false, added: 0, removed: 0 },
	]);
	expect(found?.base).toEqual({ commit: repo.git("rev-parse", "HEAD"), name: null });
});

test("[GI30] a branch is compared with where it left the main one, commits and disk together", async () => {
	const repo = repository({ "a.txt": "a\n" });
	repo.git("checkout", "-q", "-b", "topic");
	repo.write("b.txt", "b\n");
	repo.git("add", "b.txt");
	repo.git("commit", "-q", "-m", "topic");
	repo.write("b.txt", "b\nc\n");
	const left = repo.git("rev-parse", "main");
	expect(await review(repo.runGit, repo.root, "branch")).toMatchObject({
		base: { commit: left, name: "main" },
		files: [{ path: "b.txt", status: "added", added: 2, removed: 0 }],
	});
	repo.write("b.txt", "b\n");
	repo.git("checkout", "-q", "main");
	expect(await review(repo.runGit, repo.root, "branch")).toBeUndefined();
});

test("[GI30] before the first commit everything is new, and outside of a repository there is nothing to compare", async () => {
	const repo = repository({});
	repo.write("a.txt", "a\n");
	expect((await review(repo.runGit, repo.root, "uncommitted"))?.files).toMatchObject([{ path: "a.txt", status: "added", added: 1 }]);
	expect(await review(repo.runGit, "/", "uncommitted")).toBeUndefined();
});

test("[GI31] the hunks of one file, with text that is no UTF-8, with line ends that git converts, and of a file that does not differ", async () => {
	const repo = repository({ "a.txt": "one\ntwo\n", "same.txt": "s\n" });
	repo.write("a.txt", "one\r\ntwo\r\ncaf\u00e9\r\n");
	const pair = await reviewFile(repo.runGit, repo.root, "uncommitted", "a.txt");
	const hunks = pair && reviewHunks(pair, { ignoreWhitespace: false });
	expect(hunks?.hunks[0]?.lines.map(({ kind, text }) => kind + text)).toEqual([" one", " two", "+caf\u00e9"]);
	expect(await reviewFile(repo.runGit, repo.root, "uncommitted", "same.txt")).toBeUndefined();
	expect(await reviewFile(repo.runGit, repo.root, "uncommitted", "../../etc/passwd")).toBeUndefined();
});

test("[GI30] so many files and bytes are compared; what is beyond is named as such", async () => {
	const repo = repository({});
	for (let index = 0; index <= MAX_REVIEW_FILES; index++) repo.write(`many/${index}.txt`, "x\n");
	const many = await review(repo.runGit, repo.root, "uncommitted");
	expect([many?.files.length, many?.truncated]).toEqual([MAX_REVIEW_FILES, true]);
	rmSync(join(repo.root, "many"), { recursive: true });
	const count = Math.floor(MAX_REVIEW_BYTES / MAX_REVIEW_FILE_BYTES) + 1;
	for (let index = 0; index < count; index++) repo.write(`large-${index}.txt`, Buffer.alloc(MAX_REVIEW_FILE_BYTES, 97));
	const large = await review(repo.runGit, repo.root, "uncommitted");
	expect(large?.files.filter(({ uncounted }) => uncounted)).toHaveLength(1);
});
