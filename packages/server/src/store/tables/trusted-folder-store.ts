import { dirname } from "node:path";
import type { Clock } from "../../core/kernel/clock.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { textColumn } from "../../core/ports/sql-row.ts";
import type { TrustedFolders } from "../../core/ports/trusted-folders.ts";
import { cleanText } from "../sqlite/clean-text.ts";

/** Words about folders that are kept; beyond it the oldest trust ends, never a refusal alone. */
export const MAX_TRUSTED_FOLDERS = 1_000;

const AT_OR_BELOW = "(path = ?1 OR substr(path, 1, length(?2)) = ?2)";

export function createTrustedFolders(sql: SqlDatabase, clock: Pick<Clock, "now">): TrustedFolders {
	function isTrusted(path: string): boolean {
		const nearest = sql.prepare("SELECT trusted FROM trusted_folders WHERE path = ?");
		for (let folder = path; ; folder = dirname(folder)) {
			const row = nearest.get(cleanText(folder));
			if (row !== undefined) return row.trusted === 1;
			if (dirname(folder) === folder) return false;
		}
	}

	function forget(path: string) {
		sql.prepare(`DELETE FROM trusted_folders WHERE ${AT_OR_BELOW}`).run(path, path.endsWith("/") ? path : `${path}/`);
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
