import { compileName, type NameMatch } from "./glob.ts";

/** The rules of one `.gitignore`, or of one of the files that git reads besides. */
export interface IgnoreRules {
	/** `path` relative to where the rules stand. Undefined: they say nothing about it. The folders above it are judged by the caller. */
	judge(path: string, isFolder: boolean): boolean | undefined;
}

/** Lines beyond this are not read. */
export const MAX_RULES = 5_000;

interface Rule {
	negated: boolean;
	foldersOnly: boolean;
	/** One name at any depth, or a path from where the rules stand; `undefined` in it stands for `**`. */
	name: NameMatch | undefined;
	path: readonly (NameMatch | undefined)[];
}

/** Reads rules from the bytes of a file, as latin1. Never throws: a line that means nothing is skipped. */
export function parseIgnoreRules(text: string): IgnoreRules {
	const lines = text.replace(/^\xef\xbb\xbf/, "").split("\n");
	const rules = lines.slice(0, MAX_RULES).flatMap((line) => parseRule(line) ?? []);
	rules.reverse();
	return {
		judge(path, isFolder) {
			const names = path.split("/");
			const name = names.at(-1) ?? "";
			const decides = (rule: Rule) =>
				(isFolder || !rule.foldersOnly) && (rule.name === undefined ? matchPath(rule.path, names) : rule.name(name));
			const found = rules.find(decides);
			return found && !found.negated;
		},
	};
}

function parseRule(line: string): Rule | undefined {
	let pattern = line.replace(/\r$/, "").replace(/(?<!\\)((?:\\\\)*)[ ]+$/, "$1");
	if (pattern === "" || pattern.startsWith("#")) return undefined;
	const negated = pattern.startsWith("!");
	if (negated) pattern = pattern.slice(1);
	const foldersOnly = pattern.endsWith("/");
	if (foldersOnly) pattern = pattern.slice(0, -1);
	if (pattern === "") return undefined;
	if (!pattern.includes("/")) {
		const name = compileName(pattern);
		return name && { negated, foldersOnly, name, path: [] };
	}
	const path: (NameMatch | undefined)[] = [];
	for (const part of pattern.replace(/^\//, "").split("/")) {
		const match = part === "**" ? undefined : compileName(part);
		if (match === undefined && part !== "**") return undefined;
		path.push(match);
	}
	return { negated, foldersOnly, name: undefined, path };
}

/** As in `glob.ts`, with names instead of characters and `**` instead of `*`. A `**` at the end stands for at least one name. */
function matchPath(path: readonly (NameMatch | undefined)[], names: readonly string[]): boolean {
	let part = 0;
	let starPart = -1;
	let starName = 0;
	for (let at = 0; at < names.length; ) {
		const now = path[part];
		if (part < path.length && now === undefined) {
			if (part === path.length - 1) return true;
			starPart = part++;
			starName = at;
		} else if (now?.(names[at] ?? "") === true) {
			part += 1;
			at += 1;
		} else if (starPart >= 0) {
			part = starPart + 1;
			at = ++starName;
		} else return false;
	}
	return part === path.length;
}
