import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diffText } from "@rightseat/protocol/diff/hunks";
import { afterEach, expect, test } from "vitest";
import { type CommitRequest, commit } from "./commit.ts";
import { createTestRepository, type TestRepository } from "./git-harness.ts";

const opened: TestRepository[] = [];
afterEach(() => {
	for (const repository of opened.splice(0)) repository.remove();
});
function repository(files?: Record<string, string>): TestRepository {
	const made = createTestRepository(files);
	opened.push(made);
	return made;
}
async function commitIn(repo: TestRepository, request: Partial<CommitRequest>) {
	const output: string[] = [];
	const whole = { cwd: repo.root, message: "change", paths: null, changedHere: [], seen: {}, hunks: {}, ...request };
	return { outcome: await commit(repo.runGit, whole, (text) => output.push(text)), output: output.join("") };
}
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("[GI1] chosen files are committed, and what was staged besides stays staged", async () => {
	const repo = repository({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
	repo.write("a.txt", "a2\n");
	repo.write("b.txt", "b2\n");
	repo.write("c.txt", "c2\n");
	repo.write("new/deep.txt", "new\n");
	repo.git("add", "b.txt");
	const { outcome } = await commitIn(repo, { paths: ["a.txt", "new"] });
	expect(outcome).toEqual({ kind: "committed", commit: repo.git("rev-parse", "HEAD") });
	expect(repo.git("show", "--name-status", "--format=", "HEAD")).toBe("M\ta.txt\nA\tnew/deep.txt");
	expect(repo.git("status", "--porcelain")).toBe("M  b.txt\n M c.txt");
});

test("[GI1] case 40: a half-staged file is committed as it is on disk while another file stays staged and a hook formats, and no MM is left", async () => {
	const repo = repository({ "a.txt": "a\n", "other.txt": "o\n" });
	const hook =
		'#!/bin/sh\nfor f in $(git diff --cached --name-only); do tr a-z A-Z < "$f" > "$f.tmp" && mv "$f.tmp" "$f" && git add "$f"; done\n';
	repo.write(".git/hooks/pre-commit", hook, 0o755);
	repo.write("other.txt", "staged\n");
	repo.git("add", "other.txt");
	repo.write("a.txt", "changed\n");
	const { outcome } = await commitIn(repo, { paths: ["a.txt"] });
	expect(outcome.kind).toBe("committed");
	expect(repo.git("show", "HEAD:a.txt")).toBe("CHANGED");
	expect(repo.git("status", "--porcelain")).toBe("M  other.txt");
});

test("[GI1] without names what is staged is committed, exactly as it was staged", async () => {
	const repo = repository({ "a.txt": "a\n", "b.txt": "b\n" });
	repo.write("a.txt", "staged\n");
	repo.git("add", "a.txt");
	repo.write("a.txt", "later\n");
	repo.write("b.txt", "b2\n");
	expect((await commitIn(repo, { changedHere: ["b.txt"] })).outcome.kind).toBe("committed");
	expect(repo.git("show", "HEAD:a.txt")).toBe("staged");
	expect(repo.git("status", "--porcelain")).toBe(" M a.txt\n M b.txt");
});

test("[GI1] without names and with nothing staged, what the conversation changed is committed", async () => {
	const repo = repository({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
	repo.write("a.txt", "a2\n");
	repo.write("b.txt", "b2\n");
	rmSync(join(repo.root, "c.txt"));
	expect((await commitIn(repo, { changedHere: ["a.txt", "c.txt", "unchanged.txt"] })).outcome.kind).toBe("committed");
	expect(repo.git("show", "--name-status", "--format=", "HEAD")).toBe("M\ta.txt\nD\tc.txt");
	expect(repo.git("status", "--porcelain")).toBe(" M b.txt");
});

test("[GI2] only the bytes that the person saw are committed", async () => {
	const repo = repository();
	repo.write("a.txt", "seen\n");
	const seen = { "a.txt": sha256("seen\n") };
	repo.write("a.txt", "other\n");
	const head = repo.git("rev-parse", "HEAD");
	expect((await commitIn(repo, { paths: ["a.txt"], seen })).outcome).toMatchObject({
		kind: "refused",
		reason: "changed-since",
		detail: "a.txt",
	});
	expect(repo.git("rev-parse", "HEAD")).toBe(head);
	repo.write("a.txt", "seen\n");
	expect((await commitIn(repo, { paths: ["a.txt"], seen })).outcome.kind).toBe("committed");
});

test("[GI3] a hook that refuses leaves everything as it was, and what it printed is told live and at the end", async () => {
	const repo = repository();
	repo.write(".git/hooks/pre-commit", "#!/bin/sh\necho checking\necho 'too long' >&2\nexit 1\n", 0o755);
	repo.write("a.txt", "x\n");
	const { outcome, output } = await commitIn(repo, { paths: ["a.txt"] });
	expect(outcome).toMatchObject({ kind: "refused", reason: "failed" });
	expect(outcome.kind === "refused" && outcome.detail).toContain("too long");
	expect(output).toContain("checking");
	expect(repo.git("status", "--porcelain")).toBe(" M a.txt");
});

test("[GI4] what cannot be committed says why, and nothing is changed", async () => {
	const repo = repository();
	expect((await commitIn(repo, {})).outcome).toMatchObject({ kind: "refused", reason: "nothing" });
	expect((await commitIn(repo, { paths: ["none.txt"] })).outcome).toMatchObject({ reason: "unknown-path", detail: "none.txt" });
	expect((await commitIn(repo, { paths: ["../outside"] })).outcome).toMatchObject({ reason: "unknown-path" });
	expect((await commitIn(repo, { message: " \n" })).outcome).toMatchObject({ reason: "empty-message" });
	repo.write("a.txt", "x\n");
	repo.write(".git/index.lock", "");
	expect((await commitIn(repo, { paths: ["a.txt"] })).outcome).toMatchObject({ reason: "locked" });
	rmSync(join(repo.root, ".git/index.lock"));
	repo.git("config", "--unset", "user.email");
	repo.git("config", "user.useConfigOnly", "true");
	expect((await commitIn(repo, { paths: ["a.txt"] })).outcome).toMatchObject({ reason: "no-identity" });
	expect((await commitIn(repo, { cwd: "/" })).outcome).toMatchObject({ reason: "no-repository" });
});

test("[GI4] in the middle of a merge only the merge itself can be committed", async () => {
	const repo = repository({ "a.txt": "a\n", "b.txt": "b\n" });
	repo.git("checkout", "-q", "-b", "side");
	repo.write("b.txt", "side\n");
	repo.git("commit", "-q", "-am", "side");
	repo.git("checkout", "-q", "main");
	repo.write("a.txt", "main\n");
	repo.git("commit", "-q", "-am", "main");
	repo.git("merge", "-q", "--no-commit", "--no-ff", "side");
	repo.write("a.txt", "more\n");
	expect((await commitIn(repo, { paths: ["a.txt"] })).outcome).toMatchObject({ reason: "in-progress", detail: "merge" });
	expect((await commitIn(repo, {})).outcome.kind).toBe("committed");
	expect(repo.git("log", "-1", "--format=%p").split(" ")).toHaveLength(2);
});

test("[GI1] the first commit, links, the executable bit and names that are no text", async () => {
	const repo = repository({});
	repo.write("run.sh", "#!/bin/sh\n");
	chmodSync(join(repo.root, "run.sh"), 0o755);
	symlinkSync("run.sh", join(repo.root, "link"));
	writeFileSync(Buffer.from(`${repo.root}/caf\xe9\n"x`, "latin1"), "bytes\n");
	const { outcome } = await commitIn(repo, { paths: ["run.sh", "link", 'caf\\xe9\\x0a"x'] });
	expect(outcome.kind).toBe("committed");
	const tree = execFileSync("git", ["-C", repo.root, "ls-tree", "-rz", "HEAD"], { encoding: "latin1" }).split("\0").filter(Boolean);
	expect(tree.map((line) => [line.slice(0, 6), line.slice(line.indexOf("\t") + 1)])).toEqual([
		["100644", 'caf\xe9\n"x'],
		["120000", "link"],
		["100755", "run.sh"],
	]);
	expect(repo.git("status", "--porcelain")).toBe("");
});

test("[GI1] a message keeps its lines that begin with #", async () => {
	const repo = repository();
	repo.write("a.txt", "x\n");
	await commitIn(repo, { paths: ["a.txt"], message: "#1 fix\n\nbody" });
	expect(repo.git("log", "-1", "--format=%B").trim()).toBe("#1 fix\n\nbody");
});

test("[GI5] chosen hunks of a file are committed alone, and the rest stays as a change that is not staged", async () => {
	const lines = Array.from({ length: 40 }, (_, index) => `${index}\n`);
	const repo = repository({ "a.txt": lines.join("") });
	const changed = lines.with(2, "two\n").with(35, "more\n").join("");
	repo.write("a.txt", changed);
	const [first] = diffText(lines.join(""), changed).hunks;
	const { outcome } = await commitIn(repo, { paths: ["a.txt"], hunks: { "a.txt": [first?.id ?? ""] } });
	expect(outcome.kind).toBe("committed");
	expect(repo.git("show", "HEAD:a.txt")).toBe(lines.with(2, "two\n").join("").trim());
	expect(repo.git("status", "--porcelain")).toBe(" M a.txt");
	expect(readFileSync(join(repo.root, "a.txt"), "utf8")).toBe(changed);
	expect((await commitIn(repo, { paths: ["a.txt"], hunks: { "a.txt": ["gone"] } })).outcome).toMatchObject({ reason: "changed-since" });
});
