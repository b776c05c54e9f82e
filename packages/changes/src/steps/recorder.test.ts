import { join } from "node:path";
import { expect, test } from "vitest";
import { THREAD_LIMITS } from "../daemon/thread-handle.ts";
import { addChange, addStep, listMissed } from "../index/change-rows.ts";
import { bytePath } from "../paths/byte-path.ts";
import { hashOf } from "../walk/read-path.ts";
import { foldSteps, MAX_LISTED_FILES } from "./change-files.ts";
import { ROWS_AT_ONCE } from "./known-files.ts";
import { MAX_NAMED } from "./named-files.ts";
import { noteInterrupted } from "./open-windows.ts";
import { filesIn, missedIn, REPOSITORY, useRecorderBeds, WAYS } from "./recorder-harness.ts";
import { settleChange } from "./settle-change.ts";

const { createBed, startBed } = useRecorderBeds();

test.each(WAYS)("[CH20] case 22: what commands edit, remove, move and make is in the change, with its counts (%j)", async (way) => {
	const bed = await startBed({ ...way, files: { a: "one\ntwo\n", b: "gone\n", c: "moved\n", "d/e": "deep\n" } });
	const detail = bed.change("sed -i s/two/2/ a; rm b; mv c c2; echo new > d/f; chmod 755 d/e");
	expect(filesIn(detail)).toEqual([
		...["modified a agent-shell", "deleted b agent-shell", "renamed c c2 agent-shell"],
		...["mode d/e agent-shell", "added d/f agent-shell"],
	]);
	expect(detail?.change).toMatchObject({ files: 5, added: 2, removed: 2, notCovered: 0, kind: "turn" });
});

test("[CH20] a command that changes nothing, or puts everything back, is no change", async () => {
	const bed = await startBed({ files: { a: "one" } });
	expect(bed.change("cat a; touch a; echo x > b; rm b; cp -p a c; mv c a")).toBe(undefined);
	expect(bed.index.sql("SELECT count(*) AS count FROM steps").get()?.count).toBe(0);
});

test("[CH20] every byte that was replaced is kept, by its hash", async () => {
	const bed = await startBed({ files: { a: "first" } });
	bed.during("c", "echo second > a; rm -f a; printf third > a");
	const [step] = bed.steps("c");
	expect(step).toMatchObject({ path: "a", before: { kind: "file", hash: hashOf(Buffer.from("first")) }, after: { size: 5 } });
	expect(Buffer.from(bed.blobs.get(hashOf(Buffer.from("first"))) ?? []).toString()).toBe("first");
});

test("[CH30] case 13: beyond the bound of files nothing new is covered, the rest is, and the change says so", async () => {
	const bed = await startBed({ maxFiles: 5, files: { a: "1", b: "1" } });
	const detail = bed.change("for i in 1 2 3 4 5 6 7 8 9; do echo $i > n$i; done; echo 2 > a");
	expect([detail?.files.length, missedIn(detail)]).toEqual([4, [" too-many-files"]]);
	expect(filesIn(bed.change("echo 3 > a"))).toEqual(["modified a agent-shell"]);
});

test("[CH30] a sync point reads no more than its bytes; what it left out is named, and covered afterwards", async () => {
	const bed = await startBed({ limits: { ms: 60_000, bytes: 10 }, files: { a: "1" } });
	const detail = bed.change("echo 123456 > a; echo 1234567 > b");
	expect([filesIn(detail), missedIn(detail)]).toEqual([["modified a agent-shell"], ["b too-much"]]);
	while (bed.recorder.copy(1_000));
	expect(filesIn(bed.change("echo 12 > b"))).toEqual(["modified b agent-shell"]);
});

test("[CH31] a store that is full costs the contents, not the record", async () => {
	const bed = await startBed({ maxStoreBytes: 300, files: { a: "1" } });
	const detail = bed.change("head -c 1000 /dev/urandom > b; echo 2 > a");
	expect([filesIn(detail), missedIn(detail)]).toEqual([["modified a agent-shell"], ["b disk-full"]]);
});

test("[CH21] case 23: a command edits between two edits of a tool: three steps, each with its actor", async () => {
	const bed = await startBed({ files: { a: "1\n" } });
	const tool = { paths: [join(bed.root, "a")], actor: "agent" as const, label: "edit" };
	bed.during("c", () => bed.write("a", "1\n2\n"), tool);
	bed.during("c", "echo more >> a", { label: "echo" });
	bed.during("c", () => bed.write("a", "1\n2\nmore\n3\n"), tool);
	expect(bed.steps("c").map(({ actors, windows, after }) => [actors, windows, after.kind === "file" && after.size])).toEqual([
		[["agent"], ["edit"], 4],
		[["agent-shell"], ["echo"], 9],
		[["agent"], ["edit"], 11],
	]);
	expect(filesIn(bed.settle("c"))).toEqual(["modified a agent agent-shell"]);
});

test("[CH22] case 25: what git did when HEAD moved is marked", async () => {
	const bed = await startBed({
		files: { a: "1\n" },
		before: `${REPOSITORY}; git checkout -qb other; echo 2 > a; git commit -qam second; git checkout -q -`,
	});
	bed.during("c", "git checkout -q other");
	const [step] = bed.steps("c");
	expect(step?.head).toEqual({ from: bed.run("git rev-parse HEAD^").trim(), to: bed.run("git rev-parse HEAD").trim() });
	expect(bed.settle("c")?.files).toMatchObject([{ path: "a", git: true }]);
	expect(bed.change("echo 3 > a")?.files[0]).not.toHaveProperty("git");
	expect(bed.change("git pack-refs --all; git reset -q --hard HEAD^")?.files).toMatchObject([{ path: "a", git: true }]);
});

test("[CH21] case 26: two windows at the same time: both changes have the step, and both actors are named", async () => {
	const bed = await startBed({ files: { a: "1" } });
	const server = bed.window("job", { actor: "person", label: "npm run dev", kind: "command" });
	bed.recorder.openWindow(server, undefined);
	bed.run("echo log > log");
	bed.during("turn", "echo 2 > a", { label: "make" });
	bed.run("echo log >> log");
	expect(bed.settle("turn")?.files).toMatchObject([{ path: "a", by: "agent-shell", also: ["person"], during: ["npm run dev", "make"] }]);
	expect(filesIn(bed.settle("job"))).toEqual(["modified a person agent-shell", "added log person"]);
});

test("[CH21] what nobody's window covers is outside; without an open change it is nobody's", async () => {
	const bed = await startBed({ files: { a: "1", b: "1", c: "1" } });
	bed.run("echo 2 > a");
	bed.during("turn", "echo 2 > b");
	bed.run("echo 2 > c");
	bed.during("turn", "echo 3 > a", { paths: [join(bed.root, "b")], actor: "agent" });
	expect(filesIn(bed.settle("turn"))).toEqual(["modified a outside", "modified b agent-shell", "modified c outside"]);
});

test("[CH21] a window that began before we heard of it has what was found since the last sync point", async () => {
	const bed = await startBed({ files: { a: "1" } });
	bed.run("echo 2 > a");
	bed.during("turn", "echo 1 > b", { since: "last-sync" });
	expect(filesIn(bed.settle("turn"))).toEqual(["modified a agent-shell", "added b agent-shell"]);
});

test("[CH21] a change that only outsiders made is no change of the turn", async () => {
	const bed = await startBed({ files: { a: "1" } });
	bed.during("turn", "true");
	bed.run("echo 2 > a");
	expect(bed.settle("turn")).toBe(undefined);
});

test.each(WAYS)(
	"[CH18] case 35: exec bit, link, binary, empty folder, file for folder and back are all recorded, never through a link (%j)",
	async (way) => {
		const bed = await startBed({ ...way, files: { a: "1", "d/b": "1", f: "1", "../away/x": "1" } });
		bed.during(
			"c",
			"chmod +x a; ln -s ../away l; printf '\\0bin' > bin; mkdir empty; rm -r d; echo 1 > d; rm f; mkdir f; echo 1 > f/g; echo 2 > l/x",
		);
		const folded = Object.fromEntries(bed.steps("c").map(({ path, before, after }) => [path, `${before.kind} ${after.kind}`]));
		expect(folded).toEqual({
			...{ a: "file file", l: "absent link", bin: "absent file", empty: "absent folder", d: "folder file" },
			...{ "d/b": "file absent", f: "file folder", "f/g": "absent file" },
		});
		expect(bed.settle("c")?.files.find(({ path }) => path === "bin")).toMatchObject({ binary: true, added: 0 });
	},
);

test("[CH30] case 36: a file above the bound that is changed, made or removed is named", async () => {
	const bed = await startBed({ before: "truncate -s 6M old; truncate -s 6M gone" });
	expect(missedIn(bed.change("truncate -s 7M old; rm gone; truncate -s 2G new"))).toEqual([
		"gone too-large",
		"new too-large",
		"old too-large",
	]);
});

test("[CH23] after a restart what was known is known again, and nothing that happened meanwhile is anybody's", async () => {
	const bed = await startBed({ files: { a: "1", "d/b": "1" } });
	bed.run("echo 2 > a; echo 1 > c");
	bed.restart();
	expect(bed.change("true")).toBe(undefined);
	expect(filesIn(bed.change("echo 3 > a; rm -r d c"))).toEqual([
		"modified a agent-shell",
		"deleted c agent-shell",
		"deleted d/b agent-shell",
	]);
});

test("[CH23] a window that was open when the recorder died has what happened meanwhile, and the change says that nobody watched", async () => {
	const bed = await startBed({ files: { a: "1" } });
	const window = bed.window("c");
	bed.recorder.openWindow(window, undefined);
	bed.run("echo 2 > a");
	bed.restart();
	bed.run("echo 1 > b");
	const detail = bed.settle("c");
	expect([filesIn(detail), missedIn(detail)]).toEqual([["modified a agent-shell", "added b agent-shell"], [" recorder-down"]]);
});

test("[CH24] a file that changes before its first copy is named; the others are covered although the copy is not complete", async () => {
	const bed = await createBed({ files: { a: "1", b: "1", c: "1" } });
	bed.recorder.start();
	expect(bed.recorder.pending).toBe(3);
	bed.during("c", "echo 2 > a; echo 1 > new");
	while (bed.recorder.copy(1_000));
	bed.during("c", "echo 2 > b");
	const detail = bed.settle("c");
	expect([filesIn(detail), missedIn(detail)]).toEqual([["modified b agent-shell", "added new agent-shell"], ["a not-copied"]]);
});

test("[CH30] files named at once, and files listed of a change, are bounded", async () => {
	const bed = await startBed();
	const paths = Array.from({ length: MAX_NAMED + 1 }, (_, at) => join(bed.folder, `n${at}`));
	const named = bed.change(`for i in 0 ${MAX_NAMED}; do echo > ../n$i; done`, { paths, actor: "agent" });
	expect([filesIn(named), missedIn(named)]).toEqual([[`added ${bed.folder}/n0 agent`], [`${bed.folder}/n${MAX_NAMED} too-many-files`]]);
	const absent = { kind: "absent" } as const;
	const step = (at: number) => ({
		changeId: "c",
		root: "/r",
		path: bytePath(`f${at}`),
		before: absent,
		after: { kind: "link", target: "" } as const,
	});
	const steps = Array.from({ length: MAX_LISTED_FILES + 1 }, (_, at) => ({ ...step(at), actors: ["agent"] as const, windows: [], at }));
	expect(foldSteps(steps)).toHaveLength(MAX_LISTED_FILES + 1);
	addChange(bed.index, { id: "c", conversationId: "one", kind: "turn", root: "/r", at: 1 });
	bed.index.transaction(() => {
		for (const one of steps) addStep(bed.index, one, [one]);
	});
	const detail = settleChange(bed.index, bed.blobs, "c");
	expect([detail?.change.files, detail?.files.length]).toEqual([MAX_LISTED_FILES + 1, MAX_LISTED_FILES]);
});

test("[CH23] a change says that nobody was watching from the moment on in which the next process knows of it", async () => {
	const bed = await startBed({ files: { a: "1" } });
	bed.recorder.openWindow(bed.window("c"), undefined);
	bed.recorder.openWindow(bed.window("only begun", { paths: [] }), "too-slow");
	expect(listMissed(bed.index, "only begun")).toEqual([]);
	noteInterrupted(bed.index);
	const missed = [{ root: bed.root, path: "", reason: "recorder-down" }];
	expect([listMissed(bed.index, "c"), listMissed(bed.index, "only begun")]).toEqual([missed, missed]);
});

test("[CH412] more files than are read at once are known again after a restart, folders before what is in them", async () => {
	const files = Object.fromEntries(Array.from({ length: ROWS_AT_ONCE + 50 }, (_, at) => [`d${at % 7}/${at}`, String(at)]));
	const bed = await startBed({ files });
	bed.restart();
	expect([bed.recorder.files, bed.recorder.pending]).toEqual([ROWS_AT_ONCE + 50, 0]);
	expect(bed.change("rm d6/6")?.files).toMatchObject([{ path: "d6/6", status: "deleted" }]);
});

test("[CH412] a thread has room for what it knows and little for what it has just read", () => {
	expect(THREAD_LIMITS).toEqual({ maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 3 });
});
