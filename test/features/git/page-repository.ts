import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface PageRepository {
	/** Everything of it; the repository is the folder `shop` below. */
	readonly home: string;
	readonly root: string;
	git(...args: string[]): string;
	/** In another folder, such as a work tree. */
	gitIn(folder: string, ...args: string[]): string;
	write(path: string, text: string): void;
	commit(path: string, text: string): void;
	remove(): void;
}

/** A real repository with one commit on `main`. */
export function createPageRepository(): PageRepository {
	const home = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-shop-")));
	const root = join(home, "shop");
	const gitIn = (folder: string, ...args: string[]) => execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" }).trim();
	const git = (...args: string[]) => gitIn(root, ...args);
	function write(path: string, text: string): void {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
	function commit(path: string, text: string): void {
		write(path, text);
		git("add", "-A");
		git("commit", "-q", "-m", `change ${path}`);
	}
	mkdirSync(root);
	git("init", "-q", "-b", "main");
	git("config", "user.name", "Ann");
	git("config", "user.email", "ann@example.org");
	git("config", "commit.gpgsign", "false");
	write("a.txt", "a\n");
	write(".gitignore", ".env\nsecret/\n");
	git("add", "-A");
	git("commit", "-q", "-m", "first");
	return { home, root, git, gitIn, write, commit, remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }) };
}
