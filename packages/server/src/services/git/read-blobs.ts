import type { RunGit } from "./run-git.ts";

const MAX_BATCH_BYTES = 96 * 1_048_576;

/** The bytes of stored objects, by id; what is missing, or no longer fits, is not in the map. Runs no filter. */
export async function readBlobs(git: RunGit, cwd: string, ids: readonly string[]): Promise<Map<string, Buffer>> {
	const blobs = new Map<string, Buffer>();
	const wanted = [...new Set(ids)].filter((id) => /^[0-9a-f]{40,64}$/.test(id) && !/^0+$/.test(id));
	if (wanted.length === 0) return blobs;
	const { stdout } = await git({
		cwd,
		as: "ours",
		args: ["cat-file", "--batch"],
		input: `${wanted.join("\n")}\n`,
		maxBytes: MAX_BATCH_BYTES,
	});
	let at = 0;
	while (at < stdout.length) {
		const end = stdout.indexOf(10, at);
		if (end < 0) break;
		const [id = "", type, size] = stdout.toString("latin1", at, end).split(" ");
		at = end + 1;
		if (type !== "blob") continue;
		const bytes = stdout.subarray(at, at + Number(size));
		if (bytes.length < Number(size)) break;
		blobs.set(id, bytes);
		at += Number(size) + 1;
	}
	return blobs;
}
