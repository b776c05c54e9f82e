import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createTestRepository, TEST_ENVIRONMENT, type TestRepository } from "./git-harness.ts";
import { openPullRequest, push } from "./push.ts";
import { createRunGit } from "./run-git.ts";

const undo: (() => void)[] = [];
afterEach(() => {
	for (const step of undo.splice(0)) step();
});
function repository(files?: Record<string, string>): TestRepository {
	const made = createTestRepository(files);
	undo.push(made.remove);
	return made;
}
function bare(): string {
	const made = repository({});
	made.git("config", "core.bare", "true");
	return join(made.root, ".git");
}
const quiet = () => undefined;

test("[GI20] the first push makes the upstream branch, the next ones follow it", async () => {
	const repo = repository();
	const far = bare();
	repo.git("remote", "add", "origin", far);
	expect(await push(repo.runGit, repo.root, quiet)).toEqual({ kind: "pushed", remote: "origin", branch: "main" });
	repo.write("a.txt", "b\n");
	repo.git("commit", "-q", "-am", "second");
	expect(await push(repo.runGit, repo.root, quiet)).toEqual({ kind: "pushed", remote: "origin", branch: "main" });
	expect(repo.git("rev-parse", "origin/main")).toBe(repo.git("rev-parse", "HEAD"));
});

test("[GI20] a push that the other side refuses says what it said, and is never forced", async () => {
	const [repo, other] = [repository(), repository({ "other.txt": "o\n" })];
	const far = bare();
	other.git("push", "-q", far, "main");
	repo.git("remote", "add", "origin", far);
	const refused = await push(repo.runGit, repo.root, quiet);
	expect(refused).toMatchObject({ kind: "refused", reason: "failed" });
	expect(refused.kind === "refused" && refused.detail).toContain("rejected");
	expect(other.git("ls-remote", far, "refs/heads/main").split("\t")[0]).toBe(other.git("rev-parse", "HEAD"));
});

test("[GI20] what cannot be pushed says why", async () => {
	const repo = repository();
	expect(await push(repo.runGit, repo.root, quiet)).toMatchObject({ reason: "no-remote" });
	repo.git("checkout", "-q", "--detach");
	expect(await push(repo.runGit, repo.root, quiet)).toMatchObject({ reason: "detached" });
	const fresh = repository({});
	expect(await push(fresh.runGit, fresh.root, quiet)).toMatchObject({ reason: "no-commit" });
	expect(await push(fresh.runGit, "/", quiet)).toMatchObject({ reason: "no-repository" });
});

test("[GI21] a pull request is opened by gh where it is there, and its address told", async () => {
	const repo = repository();
	const request = { cwd: repo.root, title: "A title", body: "A body", draft: true };
	const tools = mkdtempSync(join(tmpdir(), "rightseat-gh-"));
	undo.push(() => rmSync(tools, { recursive: true, force: true }));
	const without = createRunGit({ ...TEST_ENVIRONMENT, PATH: tools });
	expect(await openPullRequest(without, request, quiet)).toMatchObject({ kind: "refused", reason: "no-gh" });
	writeFileSync(join(tools, "gh"), '#!/bin/sh\nprintf "%s\\n" "$@" >&2\necho https://example.org/pull/7\n', { mode: 0o755 });
	const said: string[] = [];
	const withGh = createRunGit({ ...TEST_ENVIRONMENT, PATH: `${tools}:${TEST_ENVIRONMENT.PATH}` });
	expect(await openPullRequest(withGh, request, (text) => said.push(text))).toEqual({ kind: "opened", url: "https://example.org/pull/7" });
	expect(said.join("")).toContain("pr\ncreate\n--title\nA title\n--body\nA body\n--draft");
});

test("[GI400] commits that the other side lacks are pushed before the pull request, and a refused push ends it", async () => {
	const repo = repository();
	const far = bare();
	repo.git("remote", "add", "origin", far);
	const tools = mkdtempSync(join(tmpdir(), "rightseat-gh-"));
	undo.push(() => rmSync(tools, { recursive: true, force: true }));
	const request = { cwd: repo.root, title: "A title", body: "", draft: false };
	const pathWithout = TEST_ENVIRONMENT.PATH?.split(":")
		.filter((folder) => !existsSync(join(folder, "gh")))
		.join(":");
	const without = createRunGit({ ...TEST_ENVIRONMENT, PATH: pathWithout ?? "" });
	expect(await openPullRequest(without, request, quiet)).toMatchObject({ reason: "no-gh" });
	expect(repo.git("ls-remote", far)).toBe("");
	writeFileSync(join(tools, "gh"), `#!/bin/sh\n[ "$1" = pr ] || exit 0\ngit ls-remote origin main\necho https://example.org/pull/7\n`, {
		mode: 0o755,
	});
	const withGh = createRunGit({ ...TEST_ENVIRONMENT, PATH: `${tools}:${TEST_ENVIRONMENT.PATH}` });
	const said: string[] = [];
	expect(await openPullRequest(withGh, request, (text) => said.push(text))).toEqual({ kind: "opened", url: "https://example.org/pull/7" });
	expect(said.join("")).toContain(`${repo.git("rev-parse", "HEAD")}\trefs/heads/main`);
	writeFileSync(join(far, "hooks/pre-receive"), "#!/bin/sh\necho not today\nexit 1\n", { mode: 0o755 });
	repo.write("a.txt", "b\n");
	repo.git("commit", "-q", "-am", "second");
	const refused = await openPullRequest(withGh, request, quiet);
	expect(refused).toMatchObject({ kind: "refused", reason: "failed" });
	expect(refused.kind === "refused" && refused.detail).toContain("not today");
});
