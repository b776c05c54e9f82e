import { dirname, join, relative } from "node:path";
import type { Clock } from "../../core/kernel/clock.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { textColumn } from "../../core/ports/sql-row.ts";
import type { TrustedFolders } from "../../core/ports/trusted-folders.ts";
import { cleanText } from "../sqlite/clean-text.ts";

/** Words about folders that are kept; beyond it the oldest trust ends, never a refusal alone. */
export const MAX_TRUSTED_FOLDERS = 1_000;

/** A work tree of a work tree of a work tree: nobody has more, and no row may lead in a circle. */
const MAX_JUMPS = 4;
const AT_OR_BELOW = "(path = ?1 OR substr(path, 1, length(?2)) = ?2)";

export function createTrustedFolders(sql: SqlDatabase, clock: Pick<Clock, "now">): TrustedFolders {
	/** A work tree of ours lies elsewhere and counts as its repository, as long as nothing is said about itself. */
	function isTrusted(path: string): boolean {
		const nearest = sql.prepare("SELECT trusted FROM trusted_folders WHERE path = ?");
		const worktree = sql.prepare("SELECT repository FROM worktrees WHERE path = ?");
		let start = cleanText(path);
		let jumps = 0;
		for (let folder = start; ; folder = dirname(folder)) {
			const row = nearest.get(folder);
			if (row !== undefined) return row.trusted === 1;
			const tree = worktree.get(folder);
			if (tree !== undefined && jumps < MAX_JUMPS) {
				jumps += 1;
				start = join(textColumn(tree, "repository"), relative(folder, start));
				// One level is gone up before the next look.
				folder = join(start, "x");
			} else if (dirname(folder) === folder) return false;
		}
	}

	/** With those of its work trees: a yes there must not outlive a no here. */
	function forget(path: string) {
		const trees = sql.prepare("SELECT path, repository FROM worktrees").all();
		const inTrees = trees.flatMap((row) => {
			const [tree, repository] = [textColumn(row, "path"), textColumn(row, "repository")];
			if (isAtOrBelow(path, repository)) return [tree];
			return isAtOrBelow(repository, path) ? [join(tree, relative(repository, path))] : [];
		});
		for (const each of [path, ...inTrees])
			sql.prepare(`DELETE FROM trusted_folders WHERE ${AT_OR_BELOW}`).run(each, each.endsWith("/") ? each : `${each}/`);
	}

	/** With the refusals below it: those alone would be worth nothing, and it without them would trust what was refused. */
	function makeRoom() {
		const count = sql.prepare("SELECT count(*) AS n FROM trusted_folders").get();
		if (Number(count?.n) < MAX_TRUSTED_FOLDERS) return;
		const oldest = sql.prepare("SELECT path FROM trusted_folders WHERE trusted = 1 ORDER BY said_at, path LIMIT 1").get();
		if (oldest !== undefined) forget(textColumn(oldest, "path"));
	}

	return {
		isTrusted,
		list: () =>
			sql
				.prepare("SELECT path, trusted FROM trusted_folders ORDER BY path")
				.all()
				.map((row) => ({ path: textColumn(row, "path"), trusted: row.trusted === 1 })),
		set(realPath, trusted) {
			const path = cleanText(realPath);
			sql.transaction(() => {
				forget(path);
				if (isTrusted(path) === trusted) return;
				makeRoom();
				// Room may have been made of the very trust that this one is an exception of.
				if (isTrusted(path) === trusted) return;
				sql.prepare("INSERT INTO trusted_folders (path, trusted, said_at) VALUES (?, ?, ?)").run(path, trusted ? 1 : 0, clock.now());
			});
			return sql.durable();
		},
	};
}

function isAtOrBelow(folder: string, path: string): boolean {
	const way = relative(folder, path);
	return way !== ".." && !way.startsWith("../");
}
