import { chmodSync, lstatSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashOf } from "../walk/read-path.ts";
import { filesIn, missedIn, REPOSITORY, useRecorderBeds, WAYS } from "./recorder-harness.ts";

const { startBed } = useRecorderBeds();

test("[CH11] case 2: a turn edits .gitignore: what was ignored before stays out of the change, what is ignored now stays in sight", async () => {
	const bed = await startBed({ before: "git init -q .; echo '*.log' > .gitignore; echo old > a.log; echo 1 > seen" });
	expect(filesIn(bed.change("echo seen > .gitignore; echo new > made; echo 2 > seen"))).toEqual([
		...["modified .gitignore agent-shell", "added made agent-shell", "modified seen agent-shell"],
	]);
	while (bed.recorder.copy(1_000));
	expect(filesIn(bed.change("echo more >> a.log"))).toEqual(["modified a.log agent-shell"]);
});

test("[CH11] ignored files are not covered, unless they are tracked or an edit tool names them", async () => {
	const bed = await startBed({
		before:
			"git init -q .; mkdir out kept; echo 1 > kept/tracked; git add -A; printf 'out/\\nkept/\\n*.log\\n' > .gitignore; echo 1 > out/a; echo 1 > b.log",
	});
	expect(filesIn(bed.change("echo 2 > out/a; echo 2 > b.log; echo 2 > kept/tracked; echo 2 > kept/other"))).toEqual([
		"modified kept/tracked agent-shell",
	]);
	const names = { paths: [join(bed.root, "out/a"), join(bed.root, "out/new/deep")], actor: "agent" as const };
	expect(filesIn(bed.change("echo 3 > out/a; mkdir out/new; echo 1 > out/new/deep; echo 3 > out/new/other", names))).toEqual([
		...["modified out/a agent", "added out/new/deep agent"],
	]);
});

test("[CH12] case 3, case 4, case 7: nested repositories with and without a commit, and a file called .GIT, are covered; no .git is opened", async () => {
	const bed = await startBed({
		files: { "with/a": "1", "without/a": "1", ".GIT": "1" },
		before: `${REPOSITORY}; (cd with; ${REPOSITORY}); (cd without; git init -q .)`,
	});
	expect(filesIn(bed.change("echo 2 > with/a; echo 2 > without/a; echo 2 > .GIT; echo 1 > without/b"))).toEqual([
		...["modified .GIT agent-shell", "modified with/a agent-shell", "modified without/a agent-shell", "added without/b agent-shell"],
	]);
	expect(bed.change("cd with; git commit -qam second; git gc -q; touch .git/index")).toBe(undefined);
});

test("[CH13] case 5, case 6: an unreadable file or folder is named, and nothing of it counts as deleted", async () => {
	const isRoot = process.geteuid?.() === 0;
	if (isRoot) process.seteuid?.(65_534);
	try {
		const bed = await startBed({ files: { a: "1", "folder/b": "1", "folder/c": "1" } });
		bed.during("c", () => {
			writeFileSync(join(bed.root, "a"), "2");
			chmodSync(join(bed.root, "a"), 0);
			chmodSync(join(bed.root, "folder"), 0);
			writeFileSync(join(bed.root, "fine"), "1");
		});
		const detail = bed.settle("c");
		expect(filesIn(detail)).toEqual(["added fine agent-shell"]);
		expect(missedIn(detail)).toEqual(["a unreadable", "folder unreadable"]);
		chmodSync(join(bed.root, "folder"), 0o755);
		bed.during("d", () => writeFileSync(join(bed.root, "folder/b"), "2"));
		expect(filesIn(bed.settle("d"))).toEqual(["modified folder/b agent-shell"]);
	} finally {
		if (isRoot) process.seteuid?.(0);
	}
});

test("[CH1] case 8: names with newlines, quotes and bytes that are no UTF-8 are recorded byte by byte", async () => {
	const bed = await startBed();
	const detail = bed.change(
		`printf 1 > $'caf\\xe9'; printf 1 > $'two\\nlines'; printf 1 > "it's"; mkdir $'\\xff'; printf 1 > $'\\xff/\\xfe'`,
	);
	expect(detail?.files.map(({ path }) => path)).toEqual(["caf\\xe9", "it's", "two\\x0alines", "\\xff/\\xfe"]);
	expect(bed.steps("c1").map(({ path }) => path)).toContain("\xff/\xfe");
	bed.restart();
	expect(filesIn(bed.change(`rm $'\\xff/\\xfe' $'caf\\xe9'`))).toEqual(["deleted caf\\xe9 agent-shell", "deleted \\xff/\\xfe agent-shell"]);
});

test("[CH3] case 9: a pipe that a command makes is named and not opened", async () => {
	const bed = await startBed();
	expect(missedIn(bed.change("mkfifo pipe; echo 1 > a"))).toEqual(["pipe special"]);
});

test("[CH14] case 12: in a refused root only named files are covered, and the change says so", async () => {
	const bed = await startBed({ refused: true, files: { a: "1", b: "1" } });
	const detail = bed.change("echo 2 > a; echo 2 > b");
	expect([filesIn(detail), missedIn(detail)]).toEqual([[], [" root-refused"]]);
	const named = bed.change("echo 3 > a; echo 3 > b", { paths: [join(bed.root, "a")], actor: "agent" });
	expect(filesIn(named)).toEqual([`modified a agent`]);
	expect(missedIn(named)).toEqual([]);
});

test("[CH14] a file outside the root is covered when an edit tool names it, also one that is not there yet, and where a link leads", async () => {
	const bed = await startBed();
	const [outside, fresh] = [join(bed.folder, "outside"), join(bed.folder, "new/fresh")];
	writeFileSync(outside, "1");
	symlinkSync(outside, join(bed.root, "link"));
	const names = { paths: [join(bed.root, "link"), fresh], actor: "agent" as const };
	expect(filesIn(bed.change("echo 2 > link; mkdir ../new; echo 1 > ../new/fresh", names))).toEqual([
		`added ${fresh} agent`,
		`modified ${outside} agent`,
	]);
});

test("[CH480] our own files and those of git are not recorded when an edit tool names them, by a link either, and the change says so", async () => {
	const bed = await startBed();
	const [token, other, config] = ["own/token", "own/work", "other/.git/config"].map((path) => join(bed.folder, path));
	bed.run(
		"mkdir -p ../other/.git ../own; echo hunter2 > ../own/token; echo 1 | tee ../own/work ../other/.git/config; ln -s ../own/token link",
	);
	const names = { paths: [token ?? "", other ?? "", config ?? "", join(bed.root, "link")], actor: "agent" as const };
	const detail = bed.change("echo hunter3 > link; echo 2 | tee ../own/work ../other/.git/config", names);
	expect(filesIn(detail)).toEqual([`modified ${other} agent`]);
	expect(missedIn(detail).sort()).toEqual([`${config} git-directory`, `${token} own-files`]);
	const kept = ["1\n", "2\n", "hunter2\n", "hunter3\n"].filter((text) => bed.blobs.get(hashOf(Buffer.from(text))) !== undefined);
	expect(kept).toEqual(["1\n", "2\n"]);
});

test("[CH15] case 15, case 16: line ends and filters are nobody's business: the raw bytes are kept and no filter runs", async () => {
	const bed = await startBed({
		before: `git init -q .; git config core.autocrlf true; git config filter.f.clean 'touch ../ran; cat'; echo '* text=auto filter=f' > .gitattributes; printf 'a\\r\\nb\\n' > a`,
	});
	bed.during("c", "printf 'a\\r\\nb\\r\\n' > a");
	const [step] = bed.steps("c");
	expect(step?.before).toMatchObject({ hash: hashOf(Buffer.from("a\r\nb\n")) });
	expect(step?.after).toMatchObject({ hash: hashOf(Buffer.from("a\r\nb\r\n")) });
	expect(lstatSync(join(bed.folder, "ran"), { throwIfNoEntry: false })).toBe(undefined);
});

test.each([
	["19: a held index.lock", `${REPOSITORY}; touch .git/index.lock`],
	["20: a broken repository", "mkdir .git; echo broken > .git/HEAD; echo broken > .git/index; echo '[' > .git/config"],
	["20: an unborn head", "git init -q ."],
	["20: no git", "true"],
])("[CH15] case %s is recorded as any other", async (_, before) => {
	const bed = await startBed({ files: { a: "1" }, before });
	expect(filesIn(bed.change("echo 2 > a; echo 1 > b"))).toEqual(["modified a agent-shell", "added b agent-shell"]);
});

test.each(WAYS)("[CH16] case 21: the same size with the time put back in the same moment is seen (%j)", async (way) => {
	const bed = await startBed({ ...way, files: { a: "one" } });
	for (let round = 0; round < 20; round += 1) {
		const { atime, mtime } = lstatSync(join(bed.root, "a"));
		bed.during(`c${round}`, () => {
			writeFileSync(join(bed.root, "a"), round % 2 === 0 ? "two" : "one");
			utimesSync(join(bed.root, "a"), atime, mtime);
		});
		expect(filesIn(bed.settle(`c${round}`))).toEqual(["modified a agent-shell"]);
	}
});

test("[CH17] case 24: everything removed with .git: every covered file is there, and .git is named as not covered", async () => {
	const bed = await startBed({ files: { a: "1", "d/b": "2" }, before: REPOSITORY });
	const detail = bed.change("rm -rf .git *");
	expect(filesIn(detail)).toEqual(["deleted a agent-shell", "deleted d/b agent-shell"]);
	expect(missedIn(detail)).toEqual([".git git-directory"]);
});

test("[CH18] case 34: recording changes neither bytes nor times nor inodes of anything", async () => {
	const bed = await startBed({ files: { a: "1", "d/b": "2" }, before: REPOSITORY });
	const look = () => bed.run("find . ! -path . -exec stat -c '%n %i %a %s %y %z' {} + | sort; find . -type f -exec sha256sum {} + | sort");
	const before = look();
	for (let round = 0; round < 100; round += 1) {
		bed.during(`c${round}`, () => undefined);
		bed.settle(`c${round}`);
	}
	expect(look()).toBe(before);
});

test("[CH15] case 18: in a hundred turns no file under .git changes, its times and inodes included", async () => {
	const bed = await startBed({ files: { a: "1", "d/b": "2" }, before: `${REPOSITORY}; git gc -q; echo 2 > a; git add a` });
	const look = () => bed.run("cd .git; find . -exec stat -c '%n %i %a %s %y %z' {} + | sort; find . -type f -exec sha256sum {} + | sort");
	const before = look();
	for (let round = 0; round < 100; round += 1) {
		mkdirSync(join(bed.root, `m${round}`));
		bed.during(`c${round}`, () => bed.write("a", String(round)));
		bed.during(`c${round}`, () => truncateSync(join(bed.root, "d/b"), round));
		expect(bed.settle(`c${round}`)?.change.files).toBe(2);
	}
	expect(look()).toBe(before);
});
