import {
	chmodSync,
	existsSync,
	linkSync,
	mkdirSync,
	readlinkSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { diffText } from "@rightseat/protocol/diff/hunks";
import koffi from "koffi";
import { expect, test } from "vitest";
import { textOf } from "../../../../test/undo-proof/tree.ts";
import { lines, TEN, useUndoBed } from "./undo-bed-harness.ts";

const { bed, at, write, read, edit } = useUndoBed();

test("[CH226] links are never followed: a folder that is a link by now is left alone with all that lies behind it", () => {
	mkdirSync(at("folder"));
	mkdirSync(at("elsewhere"));
	write("folder/a", TEN);
	write("elsewhere/a", "not mine\n");
	bed().begin();
	bed().change("turn", "agent", () => {
		edit("folder/a", 1, "agent");
		write("folder/made", "x");
	});
	renameSync(at("folder"), at("moved"));
	symlinkSync("elsewhere", at("folder"));
	expect(bed().undo(["turn"]).said).toEqual(["folder/a: skipped removed-since", "folder/made: skipped already-undone"]);
	bed().change("later", "agent", () => rmSync(at("elsewhere/a")));
	unlinkSync(at("folder"));
	renameSync(at("elsewhere"), at("real"));
	symlinkSync("real", at("elsewhere"));
	expect(bed().undo(["later"]).said).toEqual(["elsewhere/a: skipped link-in-path"]);
	expect([readlinkSync(at("elsewhere")), existsSync(at("real/a"))]).toEqual(["real", false]);
});

test("[CH226] a folder that becomes a link while the undo writes does not lead it away", () => {
	mkdirSync(at("folder"));
	mkdirSync(at("trap"));
	write("folder/a", TEN);
	write("trap/a", TEN);
	bed().begin();
	bed().change("turn", "agent", () => edit("folder/a", 1, "agent"));
	bed().undo(["turn"], {
		between(step) {
			if (step !== "prepared") return;
			renameSync(at("folder"), at("kept"));
			symlinkSync("trap", at("folder"));
		},
	});
	expect([read("kept/a"), read("trap/a"), readlinkSync(at("folder"))]).toEqual([TEN, TEN, "trap"]);
});

test("[CH435] a name that became another one of a file is what it was before, and the file is written in place for its third name", () => {
	write("a", TEN);
	linkSync(at("a"), at("z"));
	symlinkSync("elsewhere", at("b"));
	bed().begin();
	bed().change("turn", "agent", () => {
		edit("a", 3, "agent");
		unlinkSync(at("b"));
		linkSync(at("a"), at("b"));
	});
	const { ino } = statSync(at("a"));
	expect(bed().undo(["turn"]).said).toEqual(["a: restored", "b: restored", "z: restored"]);
	expect([read("a"), readlinkSync(at("b")), read("z")]).toEqual([TEN, "elsewhere", TEN]);
	expect([statSync(at("a")).ino, statSync(at("z")).ino]).toEqual([ino, ino]);
});

test("[CH227] a file with other names, or with attributes, is written in place", () => {
	write("a", TEN);
	linkSync(at("a"), at("same file"));
	bed().begin();
	const { ino } = statSync(at("a"));
	bed().change("turn", "agent", () => writeFileSync(at("a"), "agent\n"));
	bed().change("other", "agent", () => unlinkSync(at("same file")));
	expect(bed().undo(["other"]).said).toEqual(["same file: restored"]);
	linkSync(at("a"), at("third"));
	bed().undo(["turn"]);
	expect([read("a"), read("third"), statSync(at("a")).ino]).toEqual([TEN, TEN, ino]);
});

test("[CH227] names that a change made one file are two files again", () => {
	write("a", TEN);
	write("b", "another\n", 0o600);
	write("c", TEN, 0o755);
	bed().begin();
	const before = textOf(bed().look());
	bed().change("turn", "agent", () => {
		for (const name of ["b", "c"]) {
			unlinkSync(at(name));
			linkSync(at("a"), at(name));
		}
		write("a", "all three\n");
	});
	bed().undo(["turn"]);
	expect(textOf(bed().look())).toBe(before);
});

test("[CH227] attributes stay with their file", async () => {
	write("a", TEN);
	bed().begin();
	const set: (...values: unknown[]) => number = koffi.load(null).func("int setxattr(str, str, str, size_t, int)");
	// Not every file system has them.
	if (set(join(bed().root, "a"), "user.note", "mine", 4, 0) !== 0) return;
	const { ino } = statSync(at("a"));
	bed().change("turn", "agent", () => writeFileSync(at("a"), "agent\n"));
	bed().undo(["turn"]);
	expect([read("a"), statSync(at("a")).ino, bed().native.hasAttributes(at("a"))]).toEqual([TEN, ino, true]);
});

test("[CH232] a root that is gone is said of every path", () => {
	write("a", TEN);
	bed().begin();
	bed().change("turn", "agent", () => unlinkSync(at("a")));
	rmSync(bed().root, { recursive: true });
	expect(bed().plan(["turn"]).paths).toEqual([{ path: "a", isFolder: false, isShared: false, result: "skipped", reason: "folder-gone" }]);
});

test("[CH228] a folder goes only when it is empty, and comes back when something needs it", () => {
	bed().begin();
	bed().change("turn", "agent", () => {
		mkdirSync(at("made/inner"), { recursive: true });
		write("made/inner/a", "x");
	});
	write("made/of somebody", "y");
	bed().undo(["turn"]);
	expect([...bed().look().keys()]).toEqual(["made", "made/of somebody"]);
	bed().change("cleaned", "agent", () => unlinkSync(at("made/of somebody")));
	rmSync(at("made"), { recursive: true });
	expect(bed().undo(["cleaned"]).said).toEqual(["made/of somebody: restored"]);
	expect(read("made/of somebody")).toBe("y");
});

test("[CH229] cases 25, 26: what others did, and what git did, is listed and undone only by name", () => {
	for (const name of ["own", "server.log", "checked out"]) write(name, TEN);
	bed().begin();
	bed().change("turn", "agent", () => edit("own", 1, "agent"));
	bed().change("turn", "outside", () => edit("server.log", 1, "server"));
	bed().change("turn", "agent-shell", () => edit("checked out", 1, "other branch"), { head: { from: "main", to: "other" } });
	expect(bed().undo(["turn"]).said).toEqual(["checked out: skipped git", "own: restored", "server.log: skipped outside"]);
	expect(bed().undo(["turn"], { choice: { only: new Set(["server.log"]) } }).said).toEqual(["server.log: restored"]);
	expect([read("server.log"), read("checked out") === TEN]).toEqual([TEN, false]);
});

test("[CH230] several turns are folded newest first; one file and one hunk can be taken alone", () => {
	write("a", lines(30).join(""));
	write("b", TEN);
	bed().begin();
	bed().change("one", "agent", () => edit("a", 2, "one"));
	bed().change("two", "agent", () => {
		edit("a", 2, "two");
		edit("a", 20, "two");
		edit("b", 1, "two");
	});
	const state = { before: read("a").replace(/two/g, (_, offset: number) => (offset < 60 ? "one" : "line 20")), after: read("a") };
	const { hunks } = diffText(state.before, state.after);
	expect(hunks).toHaveLength(2);
	const chosen = { only: new Set(["a"]), hunks: new Map([["a", new Set([hunks[1]?.id ?? ""])]]) };
	expect(bed().undo(["two"], { choice: chosen }).said).toEqual(["a: restored"]);
	expect(read("a")).toBe(lines(30).with(2, "two\n").join(""));
	expect(bed().undo(["two"], { choice: { hunks: new Map([["a", new Set(["no such id"])]]) } }).said).toEqual([
		"a: skipped no-such-hunk",
		"b: restored",
	]);
	expect(bed().undo(["one", "two"], { choice: { only: new Set(["a"]) } }).said).toEqual(["a: merged"]);
	expect(read("a")).toBe(lines(30).join(""));
});

test("[CH231] who went on in a file under its new name keeps that edit under the old one", () => {
	write("old", TEN);
	bed().begin();
	bed().change("turn", "agent", () => renameSync(at("old"), at("new")));
	edit("new", 8, "mine");
	expect(bed().undo(["turn"], { choice: { renames: new Map([["new", "old"]]) } }).said).toEqual(["new: merged", "old: merged"]);
	expect([existsSync(at("new")), read("old")]).toEqual([false, lines(10).with(8, "mine\n").join("")]);
});

test("[CH232] case 36: what could not be recorded is said before anything is written", () => {
	write("large", "");
	truncateSync(at("large"), 6 * 1024 * 1024);
	write("a", TEN);
	bed().begin();
	bed().change("turn", "agent", () => {
		unlinkSync(at("large"));
		edit("a", 1, "agent");
	});
	expect(
		bed()
			.plan(["turn"])
			.paths.map(({ path, reason }) => [path, reason]),
	).toEqual([
		["a", undefined],
		["large", "not-covered"],
	]);
	expect(bed().undo(["turn"]).said).toEqual(["a: restored", "large: skipped not-covered"]);
});

test("[CH232] a plan changes nothing", () => {
	write("a", TEN);
	bed().begin();
	bed().change("turn", "agent", () => edit("a", 1, "agent"));
	edit("a", 8, "mine");
	const before = statSync(at("a"));
	expect(bed().plan(["turn"]).paths).toEqual([{ path: "a", isFolder: false, isShared: false, result: "merged" }]);
	expect(statSync(at("a"))).toEqual({ ...before, atimeMs: expect.anything(), atime: expect.anything() });
	expect([...bed().look().keys()]).toEqual(["a"]);
});

test("[CH233] case 24: everything comes back after rm -rf of the whole folder", () => {
	for (let index = 0; index < 60; index++) {
		mkdirSync(at(`folder ${index % 6}/deep`), { recursive: true });
		write(`folder ${index % 6}/deep/${index}`, `${index}\n`, index % 2 === 0 ? 0o755 : 0o600);
	}
	bed().begin();
	const before = textOf(bed().look());
	bed().change("turn", "agent-shell", () => {
		for (const name of bed().look().keys()) rmSync(at(name), { recursive: true, force: true });
	});
	bed().undo(["turn"]);
	expect(textOf(bed().look())).toBe(before);
});

test.skipIf(process.getuid?.() === 0)("[CH232] a folder that may not be written is said, and the rest goes on", () => {
	mkdirSync(at("locked"));
	write("locked/a", TEN);
	write("free", TEN);
	bed().begin();
	bed().change("turn", "agent", () => {
		edit("locked/a", 1, "agent");
		edit("free", 1, "agent");
	});
	chmodSync(at("locked"), 0o555);
	try {
		expect(bed().undo(["turn"]).said).toEqual(["free: restored", "locked/a: skipped not-allowed"]);
	} finally {
		chmodSync(join(bed().root, "locked"), 0o755);
	}
});
