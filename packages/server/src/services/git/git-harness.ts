import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRunGit, type RunGit } from "./run-git.ts";

/** A repository of a test, with one commit of these files. */
export interface TestRepository {
	root: string;
	/** Runs git as a person would; trimmed output. */
	git(...args: string[]): string;
	write(path: string, content: string | Uint8Array, mode?: number): void;
	runGit: RunGit;
	remove(): void;
}

/** What the tests' git may see: no configuration of whoever runs them. */
export const TEST_ENVIRONMENT = {
	PATH: process.env.PATH ?? "",
	HOME: "/nonexistent",
	GIT_CONFIG_NOSYSTEM: "1",
};

export function createTestRepository(files: Readonly<Record<string, string>> = { "a.txt": "one\ntwo\nthree\n" }): TestRepository {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-git-")));
	const git = (...args: string[]) =>
		execFileSync("git", ["-C", root, ...args], { encoding: "utf8", env: TEST_ENVIRONMENT, stdio: ["ignore", "pipe", "pipe"] }).replace(
			/\n$/,
			"",
		);
	function write(path: string, content: string | Uint8Array, mode?: number) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), content, mode === undefined ? {} : { mode });
	}
	git("init", "-q", "-b", "main");
	git("config", "user.name", "Ann");
	git("config", "user.email", "ann@example.org");
	for (const [path, content] of Object.entries(files)) write(path, content);
	if (Object.keys(files).length > 0) {
		git("add", "-A");
		git("commit", "-q", "-m", "first");
	}
	return { root, git, write, runGit: createRunGit(TEST_ENVIRONMENT), remove: () => rmSync(root, { recursive: true, force: true }) };
}
