import {
	chmodSync,
	linkSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmdirSync,
	rmSync,
	symlinkSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { fsPath, parentOf } from "../../packages/changes/src/paths/byte-path.ts";
import type { Random } from "./random.ts";

/** Names that break what takes paths for text, and two that are a file at one time and a folder at another. */
const NAMES = [
	...["a.txt", "b with blank.txt", "two\nlines.txt", "caf\xe9.txt", "quote\"'\\.txt", "run.sh", "empty", "data.bin", "link"],
	...["both", "both/inner.txt", "folder/deep/x.txt", "folder/y.txt"],
] as const;

/** Few enough that actors meet. */
export function someNames(random: Random): readonly [string, ...string[]] {
	return [random.pick(NAMES), random.pick(NAMES), random.pick(NAMES), random.pick(NAMES), random.pick(NAMES)];
}

/** What one actor does once. Returns the paths that it may have changed; an action that cannot be done does nothing. */
export function act({ root, names }: { root: string; names: readonly [string, ...string[]] }, random: Random, word: string): string[] {
	const path = random.pick(names);
	const place = fsPath(root, path);
	const other = random.pick(names);
	try {
		switch (random.below(17)) {
			case 0:
			case 1:
				return write(root, path, lines(random, word));
			case 2:
			case 3:
			case 4:
			case 14:
			case 15:
			case 16:
				return write(root, path, edited(readFileSync(place, "latin1"), random, word));
			case 5:
				writeFileSync(place, `${readFileSync(place, "latin1")}more ${word}\n`, "latin1");
				return [path];
			case 6: {
				const fresh = fsPath(root, `${path}.saving`);
				writeFileSync(fresh, edited(readFileSync(place, "latin1"), random, word), "latin1");
				renameSync(fresh, place);
				return [path];
			}
			case 7:
				if (lstatSync(place).isDirectory()) return [];
				makeParents(root, other);
				renameSync(place, fsPath(root, other));
				return [path, other];
			case 8:
				if (!lstatSync(place).isFile()) return [];
				chmodSync(place, random.pick([0o644, 0o755, 0o600, 0o4755, 0o664, 0o1644]));
				return [path];
			case 9:
				makeParents(root, path);
				symlinkSync(random.pick(["a.txt", `nowhere-${word}`, "folder", ".."]), place);
				return [path];
			case 10:
				return write(root, path, `\0\xff${word}`);
			case 11:
				if (lstatSync(place).isDirectory()) rmdirSync(place);
				else unlinkSync(place);
				return [path];
			case 12:
				if (random.chance(0.7)) makeParents(root, `${path}/x`);
				else rmSync(place, { recursive: true, force: true });
				return [path];
			default:
				if (!lstatSync(place).isFile()) return [];
				makeParents(root, other);
				linkSync(place, fsPath(root, other));
				return [path, other];
		}
	} catch (error) {
		// What was tried is not there, or is a folder: so be it.
		if (error instanceof Error && "code" in error) return [];
		throw error;
	}
}

function write(root: string, path: string, content: string): string[] {
	makeParents(root, path);
	if (lstatSync(fsPath(root, path), { throwIfNoEntry: false })?.isSymbolicLink() === true) unlinkSync(fsPath(root, path));
	writeFileSync(fsPath(root, path), content, "latin1");
	return [path];
}

function makeParents(root: string, path: string): void {
	const parent = parentOf(path);
	if (parent !== "") mkdirSync(fsPath(root, parent), { recursive: true });
}

const lines = (random: Random, word: string) =>
	Array.from({ length: 10 + random.below(60) }, (_, at) => `line ${at} ${random.chance(0.2) ? word : ""}\n`).join("");

function edited(text: string, random: Random, word: string): string {
	const list = text.split("\n");
	const at = random.below(list.length);
	const change = random.below(3);
	return list.toSpliced(at, change === 0 ? 0 : 1, ...(change === 1 ? [] : [`${word} ${random.below(5)}`])).join("\n");
}
