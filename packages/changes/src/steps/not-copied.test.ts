import { expect, test } from "vitest";
import { hashOf } from "../walk/read-path.ts";
import { filesIn, missedIn, useRecorderBeds, WAYS } from "./recorder-harness.ts";

const { createBed } = useRecorderBeds();

/** Git is sure of a file only when it was not written in the moment in which its index was. */
const OLD_COMMIT = "sleep 0.1; git init -q . && git add -A && git commit -qm first";
const FILES = { a: "first\n", b: "gone\n", "d/c": "deep\n", d2: "for a folder\n" };

/** Looked at for the first time; nothing is copied. */
async function lookFirst(before: string, files: Record<string, string> = FILES, watch = true) {
	const bed = await createBed({ files, before, watch });
	bed.recorder.start();
	return bed;
}

test.each(WAYS)(
	"[CH405] what changes, goes or is replaced before it was copied is taken from the objects of the repository (%j)",
	async ({ watch }) => {
		const bed = await lookFirst(`chmod 750 a; ln -s b link; ${OLD_COMMIT}`, FILES, watch);
		bed.during("c", "echo 2 > a; rm b link; rm -r d; rm d2; mkdir d2; echo 1 > d2/x");
		const detail = bed.settle("c");
		expect([filesIn(detail), missedIn(detail)]).toEqual([
			[
				...["modified a agent-shell", "deleted b agent-shell", "deleted d/c agent-shell"],
				...["deleted d2 agent-shell", "added d2/x agent-shell", "deleted link agent-shell"],
			],
			[],
		]);
		const step = bed.steps("c").find(({ path }) => String(path) === "a");
		expect(step?.before).toEqual({ kind: "file", hash: hashOf(Buffer.from(FILES.a)), size: 6, mode: 0o750 });
		expect(Buffer.from(bed.blobs.get(hashOf(Buffer.from(FILES.a))) ?? []).toString()).toBe(FILES.a);
		expect(bed.steps("c").find(({ path }) => String(path) === "link")?.before).toEqual({ kind: "link", target: "b" });
	},
);

test.each([
	["loose", "true"],
	["packed", "git gc -q"],
	["packed, what differs by id", "git -c repack.useDeltaBaseOffset=false repack -qadf"],
	[
		"in a repository next door",
		'git gc -q; cp -r .git ../door; rm -r .git/objects/*; mkdir .git/objects/info; echo "$PWD/../door/objects" > .git/objects/info/alternates',
	],
	["in another folder", "git init -q --separate-git-dir ../store"],
	[
		"in the repository of a linked work tree",
		"mkdir ../main; mv .git ../main; root=$PWD; cd ../main; git worktree add --no-checkout -q --detach ../tree; mv ../tree/.git $root; cd $root; git reset -q",
	],
	["with a shorter index", "git update-index --index-version 4; git gc -q"],
])("[CH405] objects are found wherever and however the repository keeps them: %s", async (_, after) => {
	const lines =
		'for n in $(seq 1 400); do echo "line $n of $(( n * 7919 % 1009 ))"; done > v0; for v in $(seq 1 20); do { cat v0; echo $v; head -c $v v0; } > v$v; done';
	const bed = await lookFirst(`${lines}; ${OLD_COMMIT}; ${after}`);
	const names = bed.run("ls -d v*").trim().split("\n");
	const contents = new Map(names.map((name) => [name, hashOf(bed.read(name))]));
	const times = "%p %i %m %s %T@ %C@\\n";
	const git = () =>
		bed.run(
			`cd ..; find . -path '*/objects/*' ! -path '*/info/*' -type f -printf '%A@ ${times}' -o -path '*git/*' -printf '${times}' | sort`,
		);
	const before = git();
	bed.during("c", "rm v*");
	expect(git()).toBe(before);
	expect(bed.steps("c")).toHaveLength(21);
	for (const { path, before: was } of bed.steps("c")) expect(was).toMatchObject({ kind: "file", hash: contents.get(String(path)) });
});

test.each([
	["edited since the commit", `${OLD_COMMIT}; echo other > a`],
	["not tracked", "echo a > .gitignore; sleep 0.1; git init -q .; git add .gitignore; rm .gitignore"],
	["written in the moment in which git looked", "git init -q .; git add -A; touch -r a .git/index"],
	["touched since", `${OLD_COMMIT}; touch a`],
	[
		"with other line ends in the folder",
		`${OLD_COMMIT}; git config core.autocrlf true; rm a; git checkout -q a; sleep 0.1; git update-index -q --refresh; git add a`,
	],
	[
		"with a filter that keeps its size",
		`echo 'a filter=rot' > .gitattributes; git init -q .; git config filter.rot.clean 'tr a-z b-za'; ${OLD_COMMIT}`,
	],
	[
		"with a filter set for the repository alone",
		`git init -q .; git config filter.rot.clean 'tr a-z b-za'; echo '/a filter=rot' > .git/info/attributes; ${OLD_COMMIT}`,
	],
	["with attributes that lie elsewhere", `git init -q .; git config core.attributesFile ../some; ${OLD_COMMIT}`],
	["that git does not look at", `${OLD_COMMIT}; git update-index --assume-unchanged a`],
	[
		"whose object is damaged",
		`${OLD_COMMIT}; f=.git/objects/$(git hash-object a | sed 's,^..,&/,'); chmod u+w $f; printf x | dd of=$f bs=1 seek=8 conv=notrunc 2> /dev/null`,
	],
])("[CH405] a file that git is not sure of is named: %s", async (_, before) => {
	const bed = await lookFirst(before);
	const detail = bed.change("echo changed > a");
	expect([filesIn(detail), missedIn(detail)]).toEqual([[], ["a not-copied"]]);
});

test("[CH405] a command that removes the repository as well leaves nothing to take them from", async () => {
	const bed = await lookFirst(OLD_COMMIT);
	expect(missedIn(bed.change("rm -rf .git a"))).toEqual([".git git-directory", "a not-copied"]);
});

test("[CH405] what was copied meanwhile needs no git; what changed before it was copied does", async () => {
	const bed = await lookFirst(OLD_COMMIT);
	bed.recorder.openWindow(bed.window("c"), undefined);
	bed.run("echo 2 > a");
	while (bed.recorder.copy(1_000));
	bed.run("echo 3 > b; rm -rf .git");
	const detail = bed.settle("c");
	expect(filesIn(detail)).toEqual(["modified b agent-shell"]);
	expect(missedIn(detail)).toEqual([".git git-directory", "a not-copied"]);
});
