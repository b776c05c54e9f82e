import { MAX_COMMIT_FILES } from "@rightseat/protocol/http/git";
import type { CommitRequest } from "./commit.ts";
import { type CommitRefusal, refused } from "./commit-refusal.ts";
import type { RawPath } from "./git-paths.ts";
import type { Status, StatusFile } from "./read-status.ts";

/** What a commit takes: what is staged as it is, or these files as they are on disk. */
export type CommitChoice = { kind: "staged" } | { kind: "files"; files: RawPath[] } | ({ kind: "refused" } & CommitRefusal);

/** Named files win; else what is staged; else what the conversation changed. */
export function chooseFiles(
	{ paths, changedHere }: Pick<CommitRequest, "paths" | "changedHere">,
	{ files }: Pick<Status, "files">,
): CommitChoice {
	if (paths === null && files.some((file) => file.staged)) return { kind: "staged" };
	const wanted = paths ?? changedHere.filter((path) => files.some((file) => covers(path, file)));
	const unknown = wanted.find((path) => !files.some((file) => covers(path, file)));
	if (unknown !== undefined) return refused("unknown-path", unknown);
	const chosen = new Set<RawPath>();
	for (const file of files) {
		if (!wanted.some((path) => covers(path, file))) continue;
		chosen.add(file.raw);
		// A rename is both: without the old name the file would be there twice.
		if (file.oldRaw !== undefined) chosen.add(file.oldRaw);
	}
	if (chosen.size === 0) return refused("nothing");
	if (chosen.size > MAX_COMMIT_FILES) return refused("too-many", String(MAX_COMMIT_FILES));
	return { kind: "files", files: [...chosen] };
}

/** The file itself, its old name, or a folder above it. */
function covers(path: string, file: StatusFile): boolean {
	const folder = path.endsWith("/") ? path : `${path}/`;
	return file.path === path || file.oldPath === path || file.path.startsWith(folder);
}
