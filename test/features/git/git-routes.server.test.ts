import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
let id: string;
beforeEach(async () => {
	bed = await createWebBed();
	id = await bed.begin();
});
afterEach(() => bed.close());

const git = (...args: string[]) => execFileSync("git", ["-C", bed.home, ...args], { encoding: "utf8" }).trim();
const write = (path: string, content: string) => writeFileSync(join(bed.home, path), content);
async function call(path: string, body?: object, headers: Record<string, string> = {}) {
	const response = await bed.api(path, {
		...(body === undefined ? {} : { method: "POST", body }),
		headers: { "content-type": "application/json", ...headers },
	});
	const text = await response.text();
	return { status: response.status, text, body: text.startsWith("{") && !text.includes("\n") ? JSON.parse(text) : undefined };
}

function makeRepository() {
	git("init", "-q", "-b", "main");
	git("config", "user.name", "Ann");
	git("config", "user.email", "ann@example.org");
	write(".gitignore", "*\n!*.txt\n!.gitignore\n");
	write("a.txt", "a\n");
	git("add", "-A");
	git("commit", "-q", "-m", "first");
}

test("[GI10] the state of the repository names what is not committed", async () => {
	makeRepository();
	write("a.txt", "b\n");
	write("new.txt", "n\n");
	git("add", "new.txt");
	expect(await call(`/api/conversations/${id}/git`)).toMatchObject({
		status: 200,
		body: {
			...{ root: bed.home, branch: "main", head: git("rev-parse", "HEAD"), detached: false },
			files: [
				{ path: "a.txt", status: "modified", staged: false },
				{ path: "new.txt", status: "added", staged: true },
			],
		},
	});
});

test("[GI12] a repository that git refuses still has its branch", async () => {
	mkdirSync(join(bed.home, ".git"));
	write(".git/HEAD", "ref: refs/heads/topic\n");
	expect((await call(`/api/conversations/${id}/git`)).body).toEqual({
		...{ root: bed.home, branch: "topic", head: null, detached: false, files: [], unavailable: true },
	});
});

test("[GI1] a commit by name answers with its id, is in the audit, and leaves the rest as it was", async () => {
	makeRepository();
	write("a.txt", "b\n");
	write("new.txt", "n\n");
	const { status, body } = await call(`/api/conversations/${id}/commit`, { message: "change a", paths: ["a.txt"] });
	expect({ status, body }).toEqual({ status: 200, body: { commit: git("rev-parse", "HEAD") } });
	expect(git("log", "-1", "--format=%s")).toBe("change a");
	expect(git("status", "--porcelain")).toBe("?? new.txt");
	expect((await call("/api/audit")).body.entries[0]).toMatchObject({ kind: "commit" });
});

test("[GI3] a hook's refusal is a 409 with what it printed, and its output comes line by line for who wants it", async () => {
	makeRepository();
	write("a.txt", "b\n");
	writeFileSync(join(bed.home, ".git/hooks/pre-commit"), "#!/bin/sh\necho looking\nexit 3\n", { mode: 0o755 });
	const path = `/api/conversations/${id}/commit`;
	const refused = await call(path, { message: "m", paths: ["a.txt"] });
	expect(refused).toMatchObject({ status: 409, body: { error: { code: "commit-refused", params: { reason: "failed" } } } });
	expect(refused.body.error.message).toContain("looking");
	const { status, text } = await call(path, { message: "m", paths: ["a.txt"] }, { accept: "application/x-ndjson" });
	const lines = text
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	expect(status).toBe(200);
	expect(lines[0]).toEqual({ output: "looking\n" });
	expect(lines.at(-1)).toMatchObject({ error: { code: "commit-refused" } });
});

test("[SE400] what a hook prints shows none of our secrets, live or in the refusal, however it is cut", async () => {
	makeRepository();
	write("a.txt", "b\n");
	const [first, second] = [bed.token.slice(0, 10), bed.token.slice(10)];
	const hook = `#!/bin/sh\nprintf 'it is ${first}'\nsleep 0.1\necho '${second} 中'\nexit 3\n`;
	writeFileSync(join(bed.home, ".git/hooks/pre-commit"), hook, { mode: 0o755 });
	const { text } = await call(`/api/conversations/${id}/commit`, { message: "m", paths: ["a.txt"] }, { accept: "application/x-ndjson" });
	const lines = text
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	const printed = lines.map(({ output = "" }) => output).join("");
	expect(printed).toBe("it is [redacted] 中\n");
	expect(lines.at(-1)).toMatchObject({ error: { code: "commit-refused" } });
	expect(text).not.toContain(second);
});

test("[GI4] what cannot be committed is refused, and nothing is written", async () => {
	const path = `/api/conversations/${id}/commit`;
	expect(await call(path, { message: "m" })).toMatchObject({ status: 409, body: { error: { code: "no-repository" } } });
	makeRepository();
	const head = git("rev-parse", "HEAD");
	expect(await call(path, { message: "m" })).toMatchObject({ status: 409, body: { error: { code: "commit-refused" } } });
	expect(await call(path, { message: "  " })).toMatchObject({ status: 400 });
	expect(await call(path, { message: "m", paths: ["../../etc/passwd"] })).toMatchObject({
		status: 400,
		body: { error: { code: "bad-request" } },
	});
	expect(await call("/api/conversations/none/commit", { message: "m" })).toMatchObject({ status: 404 });
	expect(git("rev-parse", "HEAD")).toBe(head);
});
