import { fieldOf } from "@rightseat/protocol/model/field";
import type { ToolDiff } from "@rightseat/protocol/model/turn";
import { type DiffLine, diffLines, type LineDiff } from "./line-diff.ts";

/** A change of one file, read from the arguments of a tool. */
export interface FileEdit {
	path: string;
	kind: "created" | "changed" | "deleted";
	lines: readonly DiffLine[];
	/** See `LineDiff`. */
	compared: boolean;
	added: number;
	removed: number;
}

const READERS = new Set(["view", "read", "read_file", "grep", "glob", "rg", "list", "search"]);

/** The file changes that a tool call makes: create, edit, str_replace, write and apply_patch as agents spell them. */
export function fileEditsOf(toolName: string, input: unknown): FileEdit[] {
	if (READERS.has(toolName.toLowerCase())) return [];
	const patch = patchText(input);
	if (patch !== undefined) return readPatch(patch);
	const path = text(input, "path", "file_path", "filePath", "filename", "file");
	if (path === undefined) return [];
	const before = text(input, "old_str", "old_string", "oldString", "old_text", "oldText");
	const after = text(input, "new_str", "new_string", "newString", "new_text", "newText");
	if (before !== undefined || after !== undefined) return [edit(path, "changed", diffLines(before ?? "", after ?? ""))];
	const whole = text(input, "file_text", "content", "contents", "fileText");
	if (whole !== undefined && /create|write|new/i.test(toolName)) return [edit(path, "created", diffLines("", whole))];
	return [];
}

/** The changes that an agent itself names; one that changes nothing is none. */
export function fileEditsOfDiffs(diffs: readonly ToolDiff[]): FileEdit[] {
	const edits = diffs.map(({ path, oldText, newText }) =>
		edit(path, oldText === undefined ? "created" : "changed", diffLines(oldText ?? "", newText)),
	);
	return edits.filter(({ lines }) => lines.length > 0);
}

function edit(path: string, kind: FileEdit["kind"], { lines, compared }: LineDiff): FileEdit {
	const count = (of: DiffLine["kind"]) => lines.filter((line) => line.kind === of).length;
	return { path, kind, lines, compared, added: count("added"), removed: count("removed") };
}

function text(input: unknown, ...names: string[]): string | undefined {
	for (const name of names) {
		const value = fieldOf(input, name);
		if (typeof value === "string") return value;
	}
	return undefined;
}

function patchText(input: unknown): string | undefined {
	const candidate = typeof input === "string" ? input : text(input, "patch", "input", "diff");
	return candidate !== undefined && /^\*\*\* (Begin Patch|Update File|Add File|Delete File)|^--- .*\n\+\+\+ /m.test(candidate)
		? candidate
		: undefined;
}

/** `*** Update File:` patches and unified diffs. */
function readPatch(patch: string): FileEdit[] {
	const files: { path: string; kind: FileEdit["kind"]; lines: DiffLine[] }[] = [];
	let previousPath = "";
	for (const line of patch.split("\n")) {
		const named = /^\*\*\* (Update|Add|Delete) File: (.+)$/.exec(line);
		if (named !== null) {
			files.push({ path: named[2] ?? "", kind: named[1] === "Add" ? "created" : named[1] === "Delete" ? "deleted" : "changed", lines: [] });
			continue;
		}
		if (line.startsWith("--- ")) {
			previousPath = cleanPath(line.slice(4));
			continue;
		}
		if (line.startsWith("+++ ")) {
			const path = cleanPath(line.slice(4));
			const kind = previousPath === "/dev/null" ? "created" : path === "/dev/null" ? "deleted" : "changed";
			files.push({ path: kind === "deleted" ? previousPath : path, kind, lines: [] });
			continue;
		}
		const file = files.at(-1);
		if (file === undefined || line.startsWith("*** ") || line.startsWith("diff ") || line.startsWith("index ")) continue;
		if (line.startsWith("@@")) {
			if (file.lines.length > 0) file.lines.push({ kind: "gap", text: "" });
		} else if (line.startsWith("+")) file.lines.push({ kind: "added", text: line.slice(1) });
		else if (line.startsWith("-")) file.lines.push({ kind: "removed", text: line.slice(1) });
		else if (line.startsWith(" ")) file.lines.push({ kind: "same", text: line.slice(1) });
	}
	return files.map(({ path, kind, lines }) => edit(path, kind, { lines, compared: true }));
}

function cleanPath(raw: string): string {
	const path = raw.split("\t")[0]?.trim() ?? "";
	return path.replace(/^[ab]\//, "");
}
