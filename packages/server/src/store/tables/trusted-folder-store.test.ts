import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { randomIds } from "../../core/kernel/ids.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import { openStore } from "../open-store.ts";
import { createTrustedFolders, MAX_TRUSTED_FOLDERS } from "./trusted-folder-store.ts";

function bed() {
	const clock = createFakeClock();
	const { sql } = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	const folders = createTrustedFolders(sql, clock);
	const trusted = (...paths: string[]) => paths.filter(folders.isTrusted);
	const count = () => Number(sql.prepare("SELECT count(*) AS n FROM trusted_folders").get()?.n);
	return { clock, sql, folders, trusted, count };
}

test("[FS10] trust holds for a folder and those below it, not for one whose name only begins alike, and is kept on disk", async () => {
	const { folders, trusted, sql, clock } = bed();
	expect(trusted("/", "/a", "/a/b")).toEqual([]);
	await folders.set("/a/b%_", true);
	const all = ["/", "/a", "/a/b%_", "/a/b%_/c/d", "/a/b%_c", "/a/bxy", "/a/bxy/c", "/A/B%_"];
	expect(trusted(...all)).toEqual(["/a/b%_", "/a/b%_/c/d"]);
	expect(all.filter(createTrustedFolders(sql, clock).isTrusted)).toEqual(["/a/b%_", "/a/b%_/c/d"]);
});

test("[FS11] the last word about a folder holds for all below it: an exception inside, taken back as a whole, given again", async () => {
	const { folders, trusted, count } = bed();
	const all = ["/a", "/a/b", "/a/b/c", "/a/x", "/ab"];
	await folders.set("/a", true);
	await folders.set("/a/b", false);
	expect(trusted(...all)).toEqual(["/a", "/a/x"]);
	await folders.set("/a/b/c", true);
	expect(trusted(...all)).toEqual(["/a", "/a/b/c", "/a/x"]);
	await folders.set("/a", false);
	expect([trusted(...all), count()]).toEqual([[], 0]);
	await folders.set("/ab", true);
	await folders.set("/", true);
	expect([trusted("/", ...all).length, count()]).toEqual([6, 1]);
	await folders.set("/", false);
	expect([trusted("/", ...all), count()]).toEqual([[], 0]);
});

test("[FS12] words about folders are bounded: the oldest trust ends with the exceptions inside, and no exception ends alone", async () => {
	const { clock, folders, trusted, count } = bed();
	await folders.set("/old", true);
	await folders.set("/old/no", false);
	for (let i = 2; i < MAX_TRUSTED_FOLDERS; i += 1) {
		await clock.advance(1);
		await folders.set(`/f/${i}`, true);
	}
	expect([trusted("/old", "/old/no"), count()]).toEqual([["/old"], MAX_TRUSTED_FOLDERS]);
	await clock.advance(1);
	await folders.set("/old/never", false);
	expect([trusted("/old", "/old/no", "/old/never", "/f/2"), count()]).toEqual([["/f/2"], MAX_TRUSTED_FOLDERS - 2]);
	await folders.set("/new", true);
	await folders.set("/newer", true);
	await folders.set("/newest", true);
	expect([trusted("/f/2", "/f/3", "/newest"), count()]).toEqual([["/f/3", "/newest"], MAX_TRUSTED_FOLDERS]);
});

test("[FS32] a work tree of ours has the trust of its repository, folder by folder, until there is a word about itself", async () => {
	const { folders, trusted, sql, count } = bed();
	const add = sql.prepare("INSERT INTO worktrees (path, conversation_id, branch, repository, created_at) VALUES (?, 'c', 'b', ?, 1)");
	add.run("/home/seat/trees/one", "/code/one");
	add.run("/circle/a", "/circle/b");
	add.run("/circle/b", "/circle/a");
	const tree = ["/home/seat/trees/one", "/home/seat/trees/one/lib", "/home/seat/trees/one/lib/x"];
	expect(trusted(...tree, "/circle/a/x")).toEqual([]);
	await folders.set("/code", true);
	await folders.set("/code/one/lib", false);
	expect(trusted(...tree)).toEqual(tree.slice(0, 1));
	await folders.set("/code", false);
	// What lies above a work tree says nothing about it.
	await folders.set("/home", true);
	expect(trusted(...tree, "/home/seat/other")).toEqual(["/home/seat/other"]);
	await folders.set("/home/seat/trees/one/lib", true);
	expect(trusted(...tree)).toEqual(tree.slice(1));
	expect(folders.list()).toEqual([
		{ path: "/home", trusted: true },
		{ path: "/home/seat/trees/one/lib", trusted: true },
	]);
	await folders.set("/code/one/lib", false);
	expect([trusted(...tree), count()]).toEqual([[], 1]);
	await folders.set("/home/seat/trees/one", true);
	await folders.set("/code", false);
	expect([trusted(...tree), count()]).toEqual([[], 1]);
});
