import { type RawPath, shownPath, splitNul } from "./git-paths.ts";
import type { RunGit } from "./run-git.ts";

/** A file that is not as the last commit has it; one that is staged and changed again stands here twice. */
export interface StatusFile {
	path: string;
	raw: RawPath;
	status: FileStatus;
	staged: boolean;
	/** Of a rename. */
	oldPath?: string;
	oldRaw?: RawPath;
}
export type FileStatus = "added" | "modified" | "deleted" | "renamed" | "untracked" | "conflicted";

/** Where a work tree stands. */
export interface Status {
	/** Null before the first commit. */
	head: string | null;
	branch: string | null;
	detached: boolean;
	upstream: string | null;
	ahead: number | null;
	behind: number | null;
	files: StatusFile[];
	/** There are more; these are the first. */
	truncated: boolean;
}

/** Files that one answer names. */
export const MAX_STATUS_FILES = 2_000;
/** To see whether a submodule has edits, git would start itself there, with filters that only its own configuration names. */
export const IGNORE_SUBMODULES = "--ignore-submodules=dirty";
const UNTRACKED_LIMIT_MS = 5_000;

/** Undefined: git is not installed, or refuses this repository. */
export async function readStatus(git: RunGit, cwd: string): Promise<Status | undefined> {
	const filters = await withoutFilters(git, cwd);
	const args = (untracked: "all" | "normal") => [
		...filters,
		"status",
		"--porcelain=v2",
		"-z",
		"--branch",
		IGNORE_SUBMODULES,
		`--untracked-files=${untracked}`,
	];
	const whole = await git({ cwd, as: "ours", args: args("all"), limitMs: UNTRACKED_LIMIT_MS });
	// Endless untracked folders: their names must do.
	const found = whole.timedOut || whole.truncated ? await git({ cwd, as: "ours", args: args("normal") }) : whole;
	if (found.code !== 0 && !found.truncated) return undefined;
	return parseStatus(found.stdout);
}

/** A filter is a program that the repository names; `status` would run it to compare a file with what is stored. */
export async function withoutFilters(git: RunGit, cwd: string): Promise<string[]> {
	const { stdout } = await git({ cwd, as: "ours", args: ["config", "-z", "--name-only", "--get-regexp", "^filter\\."] });
	const names = new Set(splitNul(stdout).map((key) => key.slice("filter.".length, key.lastIndexOf("."))));
	return [...names].flatMap((name) =>
		["clean=", "smudge=", "process=", "required=false"].flatMap((setting) => ["-c", `filter.${name}.${setting}`]),
	);
}

/** `git status --porcelain=v2 -z --branch`. */
export function parseStatus(output: Buffer): Status {
	const status: Status = {
		head: null,
		branch: null,
		detached: false,
		upstream: null,
		ahead: null,
		behind: null,
		files: [],
		truncated: false,
	};
	const entries = splitNul(output)[Symbol.iterator]();
	for (let next = entries.next(); next.done !== true; next = entries.next()) {
		const entry = next.value;
		if (entry.startsWith("# ")) {
			readHeader(status, entry);
			continue;
		}
		// The old name of a rename stands in a record of its own.
		const oldRaw = entry.startsWith("2 ") ? entries.next().value : undefined;
		for (const file of filesOf(entry, oldRaw)) {
			if (status.files.length < MAX_STATUS_FILES) status.files.push(file);
			else status.truncated = true;
		}
	}
	return status;
}

function readHeader(status: Status, line: string): void {
	const [, key, ...rest] = line.split(" ");
	const value = rest.join(" ");
	if (key === "branch.oid") status.head = value === "(initial)" ? null : value;
	else if (key === "branch.head") {
		status.detached = value === "(detached)";
		status.branch = status.detached ? null : shownPath(value);
	} else if (key === "branch.upstream") status.upstream = shownPath(value);
	else if (key === "branch.ab") {
		const [ahead, behind] = value.split(" ").map((count) => Math.abs(Number(count)));
		status.ahead = ahead ?? null;
		status.behind = behind ?? null;
	}
}

/** How many fields stand before the name in each kind of record. */
const FIELDS_BEFORE_NAME: Readonly<Record<string, number>> = { "1": 8, "2": 9, u: 10, "?": 1 };

function filesOf(entry: string, oldRaw: RawPath | undefined): StatusFile[] {
	const kind = entry.charAt(0);
	const nameAt = FIELDS_BEFORE_NAME[kind];
	if (nameAt === undefined) return [];
	const fields = entry.split(" ");
	const raw = fields.slice(nameAt).join(" ");
	const path = shownPath(raw);
	if (kind === "?") return [{ path, raw, status: "untracked", staged: false }];
	if (kind === "u") return [{ path, raw, status: "conflicted", staged: false }];
	const [index = ".", work = "."] = fields[1] ?? "";
	const named = (letter: string, staged: boolean): StatusFile[] => {
		const status = WORDS[letter];
		if (status === undefined) return [];
		const before = status === "renamed" && oldRaw !== undefined ? { oldPath: shownPath(oldRaw), oldRaw } : {};
		return [{ path, raw, status, staged, ...before }];
	};
	return [...named(index, true), ...named(work, false)];
}

const WORDS: Readonly<Record<string, FileStatus>> = {
	M: "modified",
	T: "modified",
	A: "added",
	C: "added",
	D: "deleted",
	R: "renamed",
};
