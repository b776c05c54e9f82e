import { isGitsOwn, isInside, placesIn, resolvePath } from "./inside-folder.ts";
import { isGuarded, onlyReadsInput, prefixOf } from "./prefix-policy.ts";
import type { CommandPart, ReadCommand } from "./read-command.ts";
import type { Unread } from "./shell-words.ts";

/** What a person allowed in a folder for good. */
export interface RuleShape {
	words: string[];
	/** True: these words and no others, in exactly the folder where they were allowed. False: these and any arguments, anywhere in its repository. */
	exact: boolean;
	/** It may also write its output to files of the folder. */
	writes: boolean;
}

/** Why a person is asked although there are rules. */
export type Uncovered = Unread | "no-rule" | "outside" | "variable" | "input" | "too-many";

/** `covered` holds if the disk agrees: every folder of `cwds` belongs to the rule's folder, every one of `opens` and `writes` leads into it. */
export type Match<Rule extends RuleShape = RuleShape> =
	| { covered: true /** One for each part that needed one. */; rules: Rule[]; cwds: string[]; opens: string[]; writes: string[] }
	| { covered: false; why: Uncovered };

/** Places that are looked at for one command; with more of them a person is asked. */
const MAX_PLACES = 48;
const MAX_FOLDERS = 4;
// They change how output looks, and nothing else.
const HARMLESS_VARIABLES = ["CI", "NO_COLOR", "FORCE_COLOR"];

/** The rule that would cover this part from now on. */
export function ruleFor(part: CommandPart): RuleShape {
	const prefix = prefixOf(part.words);
	const guarded = prefix !== undefined && part.words.slice(prefix.length).some((word) => isGuarded(part.words[0] ?? "", word));
	const exact = prefix === undefined || guarded;
	return { words: exact ? part.words : prefix, exact, writes: part.writes.some((path) => path !== "/dev/null") };
}

/** Whether rules of this folder cover every part of a command that is given in `cwd`, a real path. */
export function matchRules<Rule extends RuleShape>(
	rules: readonly Rule[],
	command: ReadCommand,
	{ folder, cwd }: { folder: string; cwd: string },
): Match<Rule> {
	if (!command.read) return { covered: false, why: command.why };
	if (!isInside(folder, cwd)) return { covered: false, why: "outside" };
	// A `cd` may fail, or be undone at the end of a group: what follows it must be covered in each of these.
	const cwds = new Set([cwd]);
	const opens = new Set<string>();
	const writes = new Set<string>();
	const used = new Set<Rule>();
	for (const part of command.parts) {
		const target = changesFolder(part);
		const found = target === undefined ? ruleThatCovers(part, rules, { folder, cwds, opens, writes }) : enter(target, folder, cwds);
		if (typeof found === "string") return { covered: false, why: found };
		if (found !== undefined) used.add(found);
	}
	if (opens.size + writes.size > MAX_PLACES) return { covered: false, why: "too-many" };
	return { covered: true, rules: [...used], cwds: [...cwds], opens: [...opens], writes: [...writes] };
}

interface Places {
	folder: string;
	cwds: ReadonlySet<string>;
	opens: Set<string>;
	writes: Set<string>;
}

/** `cd FOLDER` and nothing else at it. */
function changesFolder({ words, assigned, reads, writes }: CommandPart): string | undefined {
	const [program, folder] = words;
	if (program !== "cd" || words.length !== 2 || assigned.length + reads.length + writes.length > 0) return undefined;
	return folder === undefined || folder === "" || folder.startsWith("-") ? undefined : folder;
}

function enter(target: string, folder: string, cwds: Set<string>): Uncovered | undefined {
	for (const cwd of [...cwds]) {
		const next = resolvePath(cwd, target);
		if (next === undefined || !isInside(folder, next) || isGitsOwn(next)) return "outside";
		cwds.add(next);
	}
	return cwds.size > MAX_FOLDERS ? "too-many" : undefined;
}

function ruleThatCovers<Rule extends RuleShape>(part: CommandPart, rules: readonly Rule[], places: Places): Rule | Uncovered {
	if (part.assigned.some((name) => !HARMLESS_VARIABLES.includes(name))) return "variable";
	const written = part.writes.filter((path) => path !== "/dev/null");
	const rule = rules.find((candidate) => fits(candidate, part, places) && (candidate.writes || written.length === 0));
	if (rule === undefined) return "no-rule";
	// `… | sh`: the words are the same, and what runs is something else.
	if ((part.piped || part.reads.length > 0) && (rule.exact || !onlyReadsInput(part.words[0] ?? ""))) return "input";
	for (const cwd of places.cwds) {
		const opened = part.reads.filter((path) => path !== "/dev/null").map((path) => resolvePath(cwd, path));
		// An exact rule was read to its last word by a person; arguments that a prefix lets through were not.
		if (!rule.exact) opened.push(...part.words.filter((word, at) => at > 0 || word.includes("/")).flatMap((word) => placesIn(cwd, word)));
		if (!keep(opened, places.opens, places.folder)) return "outside";
		const targets = written.map((path) => resolvePath(cwd, path));
		if (targets.some((path) => path !== undefined && isGitsOwn(path)) || !keep(targets, places.writes, places.folder)) return "outside";
	}
	return rule;
}

function fits(rule: RuleShape, { words }: CommandPart, { cwds }: Places): boolean {
	const begins = rule.words.every((word, at) => word === words[at]);
	if (rule.exact) return begins && rule.words.length === words.length && cwds.size === 1;
	// Asked again of the table as it is today: a rule may be older than what is known of its program.
	const prefix = prefixOf(words);
	if (!begins || prefix === undefined || rule.words.length < prefix.length) return false;
	return words.slice(rule.words.length).every((word) => !isGuarded(words[0] ?? "", word));
}

function keep(paths: readonly (string | undefined)[], kept: Set<string>, folder: string): boolean {
	for (const path of paths) {
		if (path === undefined || !isInside(folder, path)) return false;
		kept.add(path);
	}
	return true;
}
