import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { latin1Of } from "../paths/byte-path.ts";
import { lookAtEverything, lookAtPath } from "./look.ts";
import { createWalk, type Walk } from "./tree.ts";

let root = "";
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "rightseat-watches-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Numbers stand for folders and not for names, as those of the kernel do: a folder that was moved keeps its own. */
function startWalk() {
	const numbers = new Map<number, number>();
	const removed: number[] = [];
	let last = 0;
	const nothing = () => undefined;
	const walk: Walk = createWalk({
		...{ root: latin1Of(root), outerRules: [], excluded: new Set<string>(), maxFiles: 100, maxCopyBytes: 100 },
		...{ store: () => "", readObject: nothing },
		events: { progress: nothing, difference: nothing, missed: nothing, touched: nothing, copied: nothing },
		watcher: {
			add(folder) {
				const { ino } = statSync(folder);
				const number = numbers.get(ino) ?? ++last;
				numbers.set(ino, number);
				return number;
			},
			remove(number) {
				removed.push(number);
				for (const [ino, known] of numbers) if (known === number) numbers.delete(ino);
			},
			drain: () => true,
			close: nothing,
		},
	});
	lookAtEverything(walk);
	walk.mode = "record";
	/** Which known folder the kernel's number of this name leads to. */
	const leadsTo = (name: string) => walk.watched.get(numbers.get(statSync(join(root, name)).ino) ?? -1)?.path;
	return { walk, removed, leadsTo };
}

test("[CH425] a folder that was moved keeps its watch when another takes its old name, in whichever order they are looked at", () => {
	for (const order of [
		["moved", "old"],
		["old", "moved"],
	]) {
		mkdirSync(join(root, "old"));
		const { walk, removed, leadsTo } = startWalk();
		renameSync(join(root, "old"), join(root, "moved"));
		mkdirSync(join(root, "old"));
		for (const name of order) lookAtPath(walk, name);
		expect([order, leadsTo("moved"), leadsTo("old")]).toEqual([order, "moved", "old"]);
		expect(removed).toHaveLength(order[0] === "old" ? 1 : 0);
		for (const name of order) rmSync(join(root, name), { recursive: true });
	}
});

test("[CH425] the name that a folder was moved from takes no watch with it when it goes", () => {
	mkdirSync(join(root, "old"));
	const { walk, removed, leadsTo } = startWalk();
	renameSync(join(root, "old"), join(root, "moved"));
	for (const name of ["moved", "old"]) lookAtPath(walk, name);
	expect([leadsTo("moved"), removed]).toEqual(["moved", []]);
	rmSync(join(root, "moved"), { recursive: true });
	lookAtPath(walk, "moved");
	expect([removed.length, walk.watched.size]).toEqual([1, 1]);
});
