import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KeepReason } from "@rightseat/protocol/http/worktrees";
import type { RunGit } from "../../services/git/run-git.ts";
import { reasonsToKeep } from "../../services/git/worktrees/check-worktree.ts";
import { worktreeFolder } from "../../services/worktrees/worktrees.ts";
import { OWN_ENTRIES } from "../home/own-files.ts";
import type { ServicePlace } from "./service-place.ts";

/** Something that Rightseat made, or that lies where it makes things. */
export interface Made {
	path: string;
	bytes: number;
	kind: "service" | "data" | "runtime" | "worktree" | "unknown" | "trash";
	/** Of a work tree with something that is nowhere else. */
	keep?: KeepReason;
	/** Of a work tree. */
	repository?: string;
}

/** Everything on this machine that belongs to a home, found by looking. */
export async function listMade(
	place: ServicePlace,
	{ cacheFolder, versions, git }: { cacheFolder: string; versions: string; git: RunGit },
): Promise<Made[]> {
	const definition: Made[] = existsSync(place.definitionFile) ? [made(place.definitionFile, "service")] : [];
	const cache: Made[] = existsSync(cacheFolder) ? [made(cacheFolder, "runtime")] : [];
	const updates: Made[] = existsSync(versions) ? [made(versions, "runtime")] : [];
	const trees = worktreeFolder(place.home);
	const entries = namesIn(place.home)
		.filter((name) => join(place.home, name) !== trees)
		.map((name) => made(join(place.home, name), isOwn(name) ? "data" : "unknown"));
	// A folder with nothing of ours in it is not our home.
	const isHome = entries.some(({ kind }) => kind === "data");
	return [...definition, ...(isHome ? [...entries, ...(await listWorktrees(trees, git))] : []), ...updates, ...cache];
}

/** The database has companions while it is open, and after it was damaged. */
const isOwn = (name: string) => OWN_ENTRIES.includes(name) || name.startsWith("rightseat.db");

async function listWorktrees(folder: string, git: RunGit): Promise<Made[]> {
	const found: Made[] = [];
	for (const name of namesIn(folder)) {
		const path = join(folder, name);
		if (name === ".trash") {
			if (namesIn(path).length > 0) found.push(made(path, "trash"));
			continue;
		}
		const common = await git({ cwd: path, as: "ours", args: ["rev-parse", "--path-format=absolute", "--git-common-dir"] });
		const repository = dirname(common.stdout.toString("utf8").trim());
		const [keep] = common.code === 0 ? await reasonsToKeep(git, { path, repository }) : (["unreadable"] as const);
		found.push({ ...made(path, "worktree"), repository, ...(keep === undefined ? {} : { keep }) });
	}
	return found;
}

const made = (path: string, kind: Made["kind"]): Made => ({ path, kind, bytes: bytesOf(path) });

/** Links count as themselves, and are never followed. */
function bytesOf(path: string): number {
	const stat = lstatSync(path, { throwIfNoEntry: false });
	if (stat === undefined) return 0;
	if (!stat.isDirectory()) return stat.blocks * 512;
	return namesIn(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder).sort();
	} catch {
		// Not there, or not a folder: nothing in it.
		return [];
	}
}
