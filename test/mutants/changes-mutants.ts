import type { Mutant } from "./mutant.ts";

const UNDO = "packages/changes/src/undo";
const PROOF = [`${UNDO}/proof.test.ts`];
const CASES = [`${UNDO}/undo.test.ts`, `${UNDO}/undo-paths.test.ts`];

/** The first three are how others undo: check and then overwrite, rename over without a look, put the whole tree back. */
export const CHANGES_MUTANTS: Mutant[] = [
	{
		name: "undo checks a file and then overwrites it",
		file: `${UNDO}/write-path.ts`,
		search: '	const code = bench.native.exchange(folder.at(entry.fresh), folder.at(name));\n	if (code === "ENOSYS")',
		replace:
			'	renameSync(folder.at(entry.fresh), folder.at(name));\n	if (entry.fresh !== "") return { done: true };\n	const code = bench.native.exchange(folder.at(entry.fresh), folder.at(name));\n	if (code === "ENOSYS")',
		tests: PROOF,
	},
	{
		name: "undo renames over a file and does not look at what came out",
		file: `${UNDO}/write-path.ts`,
		search: "if (isSameState(folder.read(entry.fresh).state, entry.expected)) {",
		replace: 'if (entry.fresh !== "") {',
		tests: PROOF,
	},
	{
		name: "undo puts the whole tree back, what others did included",
		file: `${UNDO}/plan.ts`,
		search: "choice.only === undefined ? steps.filter(isOwn) : steps",
		replace: "steps",
		tests: PROOF,
	},
	{
		name: "undo forces the old bytes over somebody's edit",
		file: `${UNDO}/fold.ts`,
		search: "if (isSameState(now.state, after)) return",
		replace: "if (now.state.kind === after.kind) return",
		tests: PROOF,
	},
	{
		name: "undo removes a file without a look at what it took",
		file: `${UNDO}/write-path.ts`,
		search: "if (isSameState(folder.read(entry.aside).state, entry.expected)) return { done: true };",
		replace: "return { done: true };",
		tests: PROOF,
	},
	{
		name: "after a crash the names beside the files stay",
		file: `${UNDO}/run-undo.ts`,
		search: "	tidyUp(undo, run);\n	run.journal.turn(",
		replace: "	run.journal.turn(",
		tests: PROOF,
	},
	{
		name: "undo follows a link on its way",
		file: `${UNDO}/folder.ts`,
		search: "O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW",
		replace: "O_PATH | constants.O_DIRECTORY",
		tests: CASES,
	},
	{
		name: "undo brings back only nine of twelve permission bits",
		file: `${UNDO}/write-bench.ts`,
		search: "fchmodSync(file, target.mode);",
		replace: "fchmodSync(file, target.mode & 0o777);",
		tests: CASES,
	},
	{
		name: "a merge takes edits that touch each other",
		file: "packages/changes/src/merge/merge-lines.ts",
		search: "its === undefined || own.oldEnd < its.oldStart",
		replace: "its === undefined || own.oldEnd <= its.oldStart",
		tests: ["packages/changes/src/merge/merge-lines.test.ts"],
	},
	{
		name: "a file that is named late is taken as it is by then",
		file: "packages/changes/src/steps/state-before.ts",
		search: "if (isTimely || isOlder(ctimeMs, since)) return now;",
		replace: "if (since !== -1) return now;",
		tests: ["packages/changes/src/steps/named-late.test.ts"],
	},
	{
		name: "a file of the root that is named late is taken as it is by then",
		file: "packages/changes/src/steps/cover-path.ts",
		search: "if (isInSight(walk, path)) {",
		replace: "if (isInSight(walk, path) && naming.isTimely) {",
		tests: ["packages/changes/src/steps/named-late.test.ts"],
	},
	{
		name: "an object of git is taken for a file that was written after git looked",
		file: "packages/changes/src/walk/git-files.ts",
		search: "isEntryOf(bytes, place, stat) && isSure(bytes, place, mtimeMs)",
		replace: "isEntryOf(bytes, place, stat)",
		tests: ["packages/changes/src/steps/not-copied.test.ts"],
	},
	{
		name: "an object of git is taken for a file that a filter made",
		file: "packages/changes/src/steps/recorder.ts",
		search: "object !== undefined && !isConverted(path)",
		replace: "object !== undefined",
		tests: ["packages/changes/src/steps/not-copied.test.ts"],
	},
];
