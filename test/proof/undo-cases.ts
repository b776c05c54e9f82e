import type { CaseTest, ProofCase } from "./proof-case.ts";

const UNDO = "packages/changes/src/undo/undo.test.ts";
const COVERED_FILES = "packages/changes/src/steps/covered-files.test.ts";
const SHOWN_PATH = "packages/changes/src/paths/shown-path.test.ts";
const READ_PATH = "packages/changes/src/walk/read-path.test.ts";
const LIVING_TREE = "packages/changes/src/steps/living-tree.test.ts";
const RECORDER = "packages/changes/src/steps/recorder.test.ts";
const UNDO_CHANGES = "packages/changes/src/undo/undo-changes.test.ts";
const UNDO_PATHS = "packages/changes/src/undo/undo-paths.test.ts";
const RECORDER_UNDO = "packages/changes/src/client/undo.test.ts";
const PROOF = "packages/changes/src/undo/proof.test.ts";
const WORKTREES = "packages/server/src/services/git/worktrees/worktrees.test.ts";
const COMMIT = "packages/server/src/services/git/commit.test.ts";

const at = (file: string, name: string, row?: string): CaseTest => ({ file, name, ...(row === undefined ? {} : { row }) });

/** Forty cases in which ways to undo have failed elsewhere, each with the tests that play it here. */
export const UNDO_CASES: readonly ProofCase[] = [
	{
		number: 1,
		what: "untracked data of others lies in the folder",
		outcome: "undo does not touch it: same bytes, time and inode",
		tests: [at(UNDO, "[CH220] cases 1, 22, 34:")],
	},
	{
		number: 2,
		what: "the turn edits `.gitignore`, and ignored files are there",
		outcome: "they are no change, and stay",
		tests: [at(COVERED_FILES, "[CH11] case 2:")],
	},
	{
		number: 3,
		what: "a nested repository with commits",
		outcome: "its files are covered; its `.git` is never opened",
		tests: [at(COVERED_FILES, "[CH12] case 3, case 4, case 7:")],
	},
	{
		number: 4,
		what: "a nested repository without a commit",
		outcome: "it is covered, and so is everything beside it",
		tests: [at(COVERED_FILES, "[CH12] case 3, case 4, case 7:")],
	},
	{
		number: 5,
		what: "one file cannot be read",
		outcome: "it is named; the rest is recorded",
		tests: [at(COVERED_FILES, "[CH13] case 5, case 6:")],
	},
	{
		number: 6,
		what: "a folder becomes unreadable",
		outcome: "it is named as unknown; nothing in it counts as deleted",
		tests: [at(COVERED_FILES, "[CH13] case 5, case 6:")],
	},
	{
		number: 7,
		what: "a file called `.GIT`",
		outcome: "covered like any other",
		tests: [at(COVERED_FILES, "[CH12] case 3, case 4, case 7:")],
	},
	{
		number: 8,
		what: "line feeds, quotes and bytes that are no UTF-8 in a name",
		outcome: "back byte for byte, shown escaped",
		tests: [
			at(SHOWN_PATH, "[CH1] case 8:"),
			at(COVERED_FILES, "[CH1] case 8:"),
			at(UNDO, "[CH225] cases 8, 35:"),
			at(READ_PATH, "[CH1] case 8:"),
		],
	},
	{
		number: 9,
		what: "pipe, socket, device",
		outcome: "named, never opened",
		tests: [at(COVERED_FILES, "[CH3] case 9:"), at(READ_PATH, "[CH3] case 9:")],
	},
	{
		number: 10,
		what: "a file is cut and written again while it is read",
		outcome: "no crash; what it is at the end is known",
		tests: [at(LIVING_TREE, "[CH26] case 10:")],
	},
	{
		number: 11,
		what: "files come and go during the look",
		outcome: "no other file loses its record",
		tests: [at(LIVING_TREE, "[CH26] case 11:")],
	},
	{
		number: 12,
		what: "a conversation in the home directory",
		outcome: "refused with the reason; what an edit tool names is still undoable",
		tests: [at(COVERED_FILES, "[CH14] case 12:")],
	},
	{
		number: 13,
		what: "`node_modules` that nobody ignores",
		outcome: "bounded, and the change says so",
		tests: [at(RECORDER, "[CH30] case 13:")],
	},
	{ number: 14, what: "a thousand turns", outcome: "below 50 MB, and nothing to collect", tests: [at(LIVING_TREE, "[CH32] case 14:")] },
	{
		number: 15,
		what: "CRLF, `autocrlf`, `text=auto`",
		outcome: "the same bytes come back",
		tests: [at(COVERED_FILES, "[CH15] case 15, case 16:"), at(UNDO_CHANGES, "[CH254] cases 15, 17, 18:")],
	},
	{ number: 16, what: "LFS or another filter", outcome: "never run; raw bytes", tests: [at(COVERED_FILES, "[CH15] case 15, case 16:")] },
	{ number: 17, what: "a half-staged file", outcome: "the index is untouched", tests: [at(UNDO_CHANGES, "[CH254] cases 15, 17, 18:")] },
	{
		number: 18,
		what: "every file under `.git` hashed, with its times",
		outcome: "nothing has changed after a hundred turns",
		tests: [at(COVERED_FILES, "[CH15] case 18:"), at(UNDO_CHANGES, "[CH254] cases 15, 17, 18:")],
	},
	{
		number: 19,
		what: "`index.lock` is held",
		outcome: "recorded as ever",
		tests: [at(COVERED_FILES, "[CH15] case", "19: a held index.lock")],
	},
	{
		number: 20,
		what: "no git, no commit, a broken repository",
		outcome: "recorded as ever",
		tests: [at(COVERED_FILES, "[CH15] case", "20: a broken repository"), at(COVERED_FILES, "[CH15] case", "20: no git")],
	},
	{
		number: 21,
		what: "same size, time put back in the same second",
		outcome: "seen all the same",
		tests: [at(COVERED_FILES, "[CH16] case 21:")],
	},
	{
		number: 22,
		what: "`sed -i`, `rm`, `mv` in a command of the agent",
		outcome: "in the change, and undone",
		tests: [at(RECORDER, "[CH20] case 22:"), at(UNDO, "[CH220] cases 1, 22, 34:")],
	},
	{
		number: 23,
		what: "a command edits between two edits of a tool",
		outcome: "three steps, each with its author; no byte is lost",
		tests: [at(RECORDER, "[CH21] case 23:")],
	},
	{
		number: 24,
		what: "`rm -rf *` together with `.git`",
		outcome: "every covered file comes back; it is said that `.git` does not",
		tests: [at(COVERED_FILES, "[CH17] case 24:"), at(UNDO_PATHS, "[CH233] case 24:")],
	},
	{
		number: 25,
		what: "`git checkout` or `reset --hard` in a turn",
		outcome: "marked with both commits; taken back only by name",
		tests: [at(RECORDER, "[CH22] case 25:"), at(UNDO_PATHS, "[CH229] cases 25, 26:")],
	},
	{
		number: 26,
		what: "a dev server writes during a turn",
		outcome: "both are named; undone and said to be shared, or left alone",
		tests: [at(RECORDER, "[CH21] case 26:"), at(UNDO_CHANGES, "[CH229] case 26:"), at(UNDO_PATHS, "[CH229] cases 25, 26:")],
	},
	{
		number: 27,
		what: "two conversations in one folder",
		outcome: "undo of one keeps the lines of the other",
		tests: [at(UNDO, "[CH221] cases 27, 28:")],
	},
	{
		number: 28,
		what: "a person edited other lines since",
		outcome: "merged, and the result says so",
		tests: [at(UNDO, "[CH221] cases 27, 28:")],
	},
	{
		number: 29,
		what: "a person edited the same lines since",
		outcome: "left alone, with the reason",
		tests: [at(UNDO, "[CH222] cases 29, 31:")],
	},
	{
		number: 30,
		what: "a person saves in the very moment",
		outcome: "theirs wins, and the undo says so",
		tests: [at(UNDO, "[CH223] case 30:")],
	},
	{ number: 31, what: "the turn made a file, and a person went on in it", outcome: "kept", tests: [at(UNDO, "[CH222] cases 29, 31:")] },
	{
		number: 32,
		what: "a crash or `kill -9` in the middle",
		outcome: "ended or taken back, byte for byte",
		tests: [
			at(RECORDER_UNDO, "[CH257] case 32:"),
			at(PROOF, "[CH240] cases 32, 33:"),
			at(PROOF, "[CH241] case 32:"),
			at(UNDO_CHANGES, "[CH253] case 32:"),
		],
	},
	{
		number: 33,
		what: "redo, and undo of an undo",
		outcome: "exact, as often as one likes",
		tests: [at(PROOF, "[CH240] cases 32, 33:"), at(UNDO, "[CH224] case 33:")],
	},
	{
		number: 34,
		what: "files that the turn did not change",
		outcome: "same bytes, time and inode",
		tests: [at(COVERED_FILES, "[CH18] case 34:"), at(UNDO, "[CH220] cases 1, 22, 34:")],
	},
	{
		number: 35,
		what: "exec bit, link, binary, empty folder, file in place of a folder",
		outcome: "as before, and never through a link",
		tests: [at(RECORDER, "[CH18] case 35:"), at(UNDO, "[CH225] cases 8, 35:")],
	},
	{
		number: 36,
		what: "a file above 5 MB is changed or removed",
		outcome: "named as not covered before anything is written",
		tests: [at(RECORDER, "[CH30] case 36:"), at(UNDO_PATHS, "[CH232] case 36:"), at(READ_PATH, "[CH3] case 36:")],
	},
	{
		number: 37,
		what: "a work tree with `.env`, or with a repository in an ignored folder, is removed",
		outcome: "refused, or kept in the trash",
		tests: [at(WORKTREES, "[GI42] cases 37 and 38:")],
	},
	{
		number: 38,
		what: "a work tree that is dirty, detached or not pushed, or in which a process stands",
		outcome: "never swept",
		tests: [at(WORKTREES, "[GI42] cases 37 and 38:"), at(WORKTREES, "[GI42] case 38:")],
	},
	{
		number: 39,
		what: "a work tree with submodules, or inside another",
		outcome: "removed after the same checks; never hangs",
		tests: [at(WORKTREES, "[GI42] case 39:")],
	},
	{
		number: 40,
		what: "one file is committed while another is staged and a hook formats",
		outcome: "what was chosen is committed, the rest stays staged, no `MM`",
		tests: [at(COMMIT, "[GI1] case 40:")],
	},
];
