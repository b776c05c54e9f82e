import {
	appendFileSync,
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { expect, test } from "vitest";
import { textOf } from "../../../../test/undo-proof/tree.ts";
import { withoutNative } from "./native.ts";
import { lines, TEN, useUndoBed } from "./undo-bed-harness.ts";

const { bed, at, write, read, edit } = useUndoBed();

test("[CH220] cases 1, 22, 34: what a command edited, moved and removed comes back; whatever else lies there keeps bytes, time and inode", () => {
	for (const name of ["edited", "removed", "moved", "untouched"]) write(name, `${name}\n${TEN}`);
	bed().begin();
	bed().change("turn", "agent-shell", () => {
		edit("edited", 3, "by the agent");
		unlinkSync(at("removed"));
		renameSync(at("moved"), at("moved away"));
		write("made", "new\n");
	});
	write("of somebody else", "untracked data");
	const others = ["untouched", "of somebody else"].map((name) => statSync(at(name)));
	expect(bed().undo(["turn"]).said).toEqual([
		"edited: restored",
		"made: restored",
		"moved away: restored",
		"moved: restored",
		"removed: restored",
	]);
	expect(["edited", "removed", "moved"].map(read)).toEqual(["edited", "removed", "moved"].map((name) => `${name}\n${TEN}`));
	expect([existsSync(at("made")), existsSync(at("moved away"))]).toEqual([false, false]);
	expect(["untouched", "of somebody else"].map((name) => statSync(at(name)))).toEqual(
		others.map(({ atimeMs: _, atime: __, ...rest }) => expect.objectContaining(rest)),
	);
});

test("[CH221] cases 27, 28: edits of others on other lines are kept, and the result says merged", () => {
	write("a", TEN);
	bed().begin();
	bed().change("one", "agent", () => edit("a", 1, "first conversation"));
	bed().change("two", "agent", () => edit("a", 8, "second conversation"));
	bed().change("mine", "person", () => chmodSync(at("a"), 0o755));
	expect(bed().undo(["one"]).said).toEqual(["a: merged"]);
	expect([read("a"), lstatSync(at("a")).mode & 0o7777]).toEqual([lines(10).with(8, "second conversation\n").join(""), 0o755]);
});

test("[CH222] cases 29, 31: edits of the same lines, and a file that somebody went on in, are left alone with the reason", () => {
	write("a", TEN);
	write("picture", "\0\x01");
	bed().begin();
	bed().change("turn", "agent", () => {
		edit("a", 4, "agent");
		write("made", "by the agent\n");
		write("picture", "\0\x02");
		write("gone", "x");
	});
	edit("a", 4, "mine");
	appendFileSync(at("made"), "and by me\n");
	write("picture", "\0\x03");
	unlinkSync(at("gone"));
	const before = textOf(bed().look());
	expect(bed().undo(["turn"]).said).toEqual([
		...["a: skipped same-lines", "gone: skipped already-undone", "made: skipped kept-edited", "picture: skipped changed-since"],
	]);
	expect(textOf(bed().look())).toBe(before);
});

test("[CH222] what is there again, is gone or is of another kind since is left alone with the reason", () => {
	for (const name of ["removed", "edited", "turned"]) write(name, TEN);
	bed().begin();
	bed().change("turn", "agent", () => {
		unlinkSync(at("removed"));
		edit("edited", 1, "x");
		edit("turned", 1, "x");
	});
	write("removed", "somebody made another\n");
	unlinkSync(at("edited"));
	unlinkSync(at("turned"));
	mkdirSync(at("turned"));
	expect(bed().undo(["turn"]).said).toEqual([
		"edited: skipped removed-since",
		"removed: skipped in-the-way",
		"turned: skipped kind-changed",
	]);
});

test.each([
	["in one step", undefined],
	["where names cannot be swapped", withoutNative],
])("[CH223] case 30: whoever saves in the very moment wins, %s", (_, native) => {
	for (const name of ["written", "saved", "removed", "made"]) write(name, TEN);
	unlinkSync(at("made"));
	bed().begin();
	bed().change("turn", "agent", () => {
		for (const name of ["written", "saved"]) edit(name, 1, "agent");
		write("made", "by the agent\n");
	});
	const moments = new Set<string>();
	const { said } = bed().undo(["turn"], {
		...(native !== undefined && { native }),
		between(step) {
			// Once each, in the last moment before the name changes hands.
			if (step === "before taking" && !moments.has(step)) appendFileSync(at("made"), "and mine\n");
			if (step === "prepared") {
				for (const name of ["saved", "written"]) {
					writeFileSync(at("fresh"), `mine ${name}\n`);
					renameSync(at("fresh"), at(name));
				}
			}
			moments.add(step);
		},
	});
	expect(said).toEqual(["made: skipped changed-meanwhile", "saved: skipped changed-meanwhile", "written: skipped changed-meanwhile"]);
	expect(["made", "saved", "written"].map(read)).toEqual(["by the agent\nand mine\n", "mine saved\n", "mine written\n"]);
	expect([...bed().look().keys()].sort()).toEqual(["made", "removed", "saved", "written"]);
});

test("[CH223] who writes before and after the swap loses neither: the later stays, the earlier is in the store", () => {
	write("a", TEN);
	bed().begin();
	bed().change("turn", "agent", () => edit("a", 1, "agent"));
	bed().undo(["turn"], {
		between(step) {
			if (step === "prepared" || step === "swapped") writeFileSync(at("a"), `mine when ${step}\n`);
		},
	});
	expect(read("a")).toBe("mine when swapped\n");
	const kept = bed()
		.journal.steps.get("undo-0")
		?.find(({ actors }) => actors[0] === "outside")?.before;
	expect(kept?.kind === "file" && Buffer.from(bed().blobs.get(kept.hash) ?? []).toString()).toBe("mine when prepared\n");
});

test("[CH224] case 33: redo is the undo of the undo, exactly, as often as one likes", () => {
	write("a", TEN, 0o640);
	write("b", "\0\xff", 0o4755);
	symlinkSync("a", at("link"));
	mkdirSync(at("folder"));
	write("folder/c", "c");
	bed().begin();
	const before = textOf(bed().look());
	bed().change("turn", "agent", () => {
		edit("a", 2, "agent");
		chmodSync(at("a"), 0o1600);
		unlinkSync(at("b"));
		unlinkSync(at("link"));
		symlinkSync("folder", at("link"));
		rmSync(at("folder"), { recursive: true });
		write("folder", "now a file");
	});
	const after = textOf(bed().look());
	let last = "turn";
	for (const wanted of [before, after, before, after]) {
		last = bed().undo([last]).changeId;
		expect(textOf(bed().look())).toBe(wanted);
	}
});

test("[CH225] cases 8, 35: bits, links, binary, empty folders, files that became folders, and names of any bytes come back; nothing is written through a link", () => {
	write("caf\xe9\n\"'", TEN, 0o600);
	write("set", "x", 0o6751);
	mkdirSync(at("empty"), 0o750);
	mkdirSync(at("becomes a file"));
	write("becomes a file/inner", "inner", 0o444);
	write("becomes a folder", "file");
	write("becomes a link", "file");
	bed().begin();
	const before = textOf(bed().look());
	bed().change("turn", "agent-shell", () => {
		edit("caf\xe9\n\"'", 1, "agent");
		write("set", "y", 0o644);
		rmSync(at("empty"), { recursive: true });
		rmSync(at("becomes a file"), { recursive: true });
		write("becomes a file", "x");
		unlinkSync(at("becomes a folder"));
		mkdirSync(at("becomes a folder"));
		write("becomes a folder/x", "x");
		unlinkSync(at("becomes a link"));
		symlinkSync("set", at("becomes a link"));
	});
	bed().undo(["turn"]);
	expect(textOf(bed().look())).toBe(before);
});
