import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findRoot } from "./find-root.ts";

test("[CH14] the root of a folder is the top of its work tree, else itself, by its real path; home, temporary directory and / are refused", async () => {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-root-")));
	const places = { home: join(folder, "home"), temporary: join(folder, "tmp") };
	for (const path of ["home/plain/deep", "home/tree/a/b", "tmp/work", "home/main"]) mkdirSync(join(folder, path), { recursive: true });
	const git = (...args: string[]) =>
		execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@a", ...args], { cwd: join(folder, "home/main"), stdio: "pipe" });
	execFileSync("git", ["init", "-q", join(folder, "home/tree")]);
	git("init", "-q");
	git("commit", "-qm", "first", "--allow-empty");
	git("worktree", "add", "-q", "../linked");
	mkdirSync(join(folder, "home/linked/sub"));
	symlinkSync(join(folder, "home/tree/a"), join(folder, "link"));
	const find = async (path: string) => {
		const { root, refused } = await findRoot(join(folder, path), places);
		return `${root.slice(folder.length)}${refused ? " refused" : ""}`;
	};
	expect(await Promise.all(["home/plain/deep", "home/tree/a/b", "link/b", "home/linked/sub", "home", "tmp", "tmp/work"].map(find))).toEqual(
		[...["/home/plain/deep", "/home/tree", "/home/tree", "/home/linked", "/home refused", "/tmp refused", "/tmp/work"]],
	);
	expect(await findRoot("/", places)).toEqual({ root: "/", refused: true });
	await expect(findRoot(join(folder, "missing"), places)).rejects.toThrow("ENOENT");
	rmSync(folder, { recursive: true, force: true });
});
