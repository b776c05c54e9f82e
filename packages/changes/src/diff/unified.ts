import { diffText, type Hunk } from "@rightseat/protocol/diff/hunks";
import { binaryPatch, gitBlobId } from "./binary-patch.ts";
import { quotePath } from "./quote-path.ts";
import { fromLatin1, isPatchText, latin1, readable } from "./text-bytes.ts";

/** One side of a difference. Folders have no place in a patch: git knows only files. */
export type PatchSide =
	| { readonly kind: "absent" }
	| { readonly kind: "file"; readonly bytes: Uint8Array; readonly mode: number }
	/** `target` as latin1. */
	| { readonly kind: "link"; readonly target: string };

export interface FileDifference {
	/** Bytes of the path as latin1. */
	readonly path: string;
	/** Of a rename. */
	readonly oldPath?: string | undefined;
	readonly before: PatchSide;
	readonly after: PatchSide;
}

/** A patch of one file that `git apply` takes in both directions: text, binary, mode, link, rename, new and deleted. Empty where git would see no difference. */
export function unifiedDiff({ path, oldPath = path, before, after }: FileDifference): string {
	if (before.kind === "absent" && after.kind === "absent") return "";
	// A file that became a link, or the other way round, is two patches in git's eyes.
	if (before.kind !== "absent" && after.kind !== "absent" && before.kind !== after.kind) {
		const gone = unifiedDiff({ path: oldPath, before, after: { kind: "absent" } });
		return gone + unifiedDiff({ path, before: { kind: "absent" }, after });
	}
	const sides = { old: contentOf(before), next: contentOf(after) };
	const head = header({ path, oldPath, before, after });
	const body = bodyOf({ path, oldPath, before, after }, sides);
	if (head === "" && body === "") return "";
	return `diff --git ${quotePath(`a/${oldPath}`)} ${quotePath(`b/${path}`)}\n${head}${body}`;
}

const contentOf = (side: PatchSide): Uint8Array =>
	side.kind === "file" ? side.bytes : side.kind === "link" ? fromLatin1(side.target) : new Uint8Array();

function header({ path, oldPath, before, after }: Required<FileDifference>): string {
	if (before.kind === "absent") return `new file mode ${gitMode(after)}\n`;
	if (after.kind === "absent") return `deleted file mode ${gitMode(before)}\n`;
	const [old, next] = modes(before, after);
	const mode = old === next ? "" : `old mode ${old}\nnew mode ${next}\n`;
	return oldPath === path ? mode : `${mode}rename from ${quotePath(oldPath)}\nrename to ${quotePath(path)}\n`;
}

/** Git knows two modes of a file; where only other bits differ they are written as they are, which `git apply` reads and people understand. */
function modes(before: PatchSide, after: PatchSide): readonly [string, string] {
	const [old, next] = [gitMode(before), gitMode(after)];
	if (old !== next || before.kind !== "file" || after.kind !== "file" || before.mode === after.mode) return [old, next];
	return [exactMode(before.mode), exactMode(after.mode)];
}

const gitMode = (side: PatchSide) =>
	side.kind === "link" ? "120000" : side.kind === "file" && (side.mode & 0o100) !== 0 ? "100755" : "100644";
const exactMode = (mode: number) => `10${mode.toString(8).padStart(4, "0")}`;

function bodyOf(difference: Required<FileDifference>, { old, next }: { old: Uint8Array; next: Uint8Array }): string {
	if (Buffer.compare(old, next) === 0) return "";
	if (!isPatchText(old) || !isPatchText(next))
		return `index ${idOf(difference.before, old)}..${idOf(difference.after, next)}\n${binaryPatch(old, next)}`;
	const { hunks } = diffText(latin1(old), latin1(next));
	const names = `--- ${nameOf("a/", difference.oldPath, difference.before)}\n+++ ${nameOf("b/", difference.path, difference.after)}\n`;
	return names + readable(hunks.map(hunkText).join(""));
}

const idOf = (side: PatchSide, bytes: Uint8Array) => (side.kind === "absent" ? "0".repeat(40) : gitBlobId(bytes));

function nameOf(prefix: string, path: string, side: PatchSide): string {
	if (side.kind === "absent") return "/dev/null";
	// A tab ends the name: without it a blank in the name does.
	return `${quotePath(prefix + path)}${path.includes(" ") ? "\t" : ""}`;
}

function hunkText({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string {
	const range = (start: number, count: number) => (count === 1 ? `${start}` : `${start},${count}`);
	const text = lines.map(({ kind, text, noNewline }) => `${kind}${text}\n${noNewline === true ? "\\ No newline at end of file\n" : ""}`);
	return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n${text.join("")}`;
}
