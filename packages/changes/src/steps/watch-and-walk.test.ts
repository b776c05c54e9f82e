import {
	chmodSync,
	linkSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { seededRandom } from "../testing/seeded-random.ts";
import { hashOf } from "../walk/read-path.ts";
import { RACY_MS } from "../walk/read-within.ts";
import { createRecorderBed } from "./recorder-harness.ts";

/** What is on disk, found without any of the code under test. */
function lookOnDisk(root: string, below = ""): [string, string][] {
	return readdirSync(join(root, below)).flatMap((name): [string, string][] => {
		const path = below === "" ? name : `${below}/${name}`;
		const stat = lstatSync(join(root, path));
		const mode = (stat.mode & 0o7777).toString(8);
		if (stat.isDirectory()) return [[path, `d${mode}`], ...lookOnDisk(root, path)];
		if (stat.isSymbolicLink()) return [[path, `l${readlinkSync(join(root, path))}`]];
		return [[path, `f${mode}:${stat.size}:${hashOf(readFileSync(join(root, path)))}`]];
	});
}

const NAMES = ["a", "b", "c", "a/a", "a/b", "b/a", "b/c", "c/a", "a/a/a", "a/b/c", "b/a/b", "c/a/b/a", "moved", "moved/a"];

/** One operation of whoever is at work; most of them fail, as the path is of another kind. */
function operate(root: string, random: (below: number) => number): void {
	const path = () => join(root, NAMES[random(NAMES.length)] ?? "a");
	const content = () => "x".repeat(random(40)) + random(1_000);
	const work = [
		() => writeFileSync(path(), content()),
		() => writeFileSync(path(), content()),
		() => writeFileSync(path(), content(), { flag: "a" }),
		() => mkdirSync(path()),
		() => mkdirSync(path(), { recursive: true }),
		() => rmSync(path(), { recursive: true }),
		() => renameSync(path(), path()),
		() => renameSync(path(), path()),
		() => renameSync(path(), join(root, "../parked")),
		() => renameSync(join(root, "../parked"), path()),
		() => chmodSync(path(), random(2) === 0 ? 0o700 : 0o750),
		() => symlinkSync("a", path()),
	];
	try {
		work[random(work.length)]?.();
	} catch {
		// As in life: not every command works.
	}
}

test("[CH25] after thousands of random operations what the kernel named and what is on disk are the same", {
	timeout: 120_000,
}, async () => {
	const bed = await createRecorderBed({ files: { a: "1", "b/a": "1", "c/a/b/a": "1" } });
	const random = seededRandom(20_261_117);
	bed.start();
	expect(bed.recorder.watching).toBe(true);
	const window = bed.window("c");
	bed.recorder.openWindow(window, undefined);
	for (let round = 0; round < 700; round += 1) {
		for (let left = random(9); left >= 0; left -= 1) operate(bed.root, random);
		const sync = bed.window("c", { paths: [] });
		bed.recorder.openWindow(sync, undefined);
		bed.recorder.closeWindow(sync.windowId);
		const known = bed.index.sql("SELECT path, state FROM files WHERE path <> '' ORDER BY path").all();
		const disk = lookOnDisk(bed.root).sort(([one], [other]) => (one < other ? -1 : 1));
		expect({ round, known: known.map(({ path, state }) => [path, state]) }).toEqual({ round, known: disk });
	}
	bed.close();
});

test("[CH25] what the kernel's queue could not hold is found by a full look", { timeout: 120_000 }, async () => {
	const bed = await createRecorderBed({ files: { a: "", b: "" } });
	bed.start();
	expect(bed.recorder.watching).toBe(true);
	const window = bed.window("c");
	bed.recorder.openWindow(window, undefined);
	const limit = Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8"));
	for (let count = 0; count < limit + 100; count += 1) chmodSync(join(bed.root, count % 2 === 0 ? "a" : "b"), 0o600 + (count % 8));
	bed.write("last", "1");
	for (let count = 0; count < 4; count += 1) bed.write(`more${count}`, "1");
	bed.recorder.closeWindow(window.windowId);
	expect(bed.steps("c").map(({ path }) => String(path))).toEqual(expect.arrayContaining(["last", "more0", "more3"]));
	bed.close();
});

test("[CH25] what the kernel does not say, as of a write through a hard link outside, is found at the end of the turn", async () => {
	const bed = await createRecorderBed({ files: { a: "one" } });
	bed.start();
	linkSync(join(bed.root, "a"), join(bed.folder, "outside"));
	// What was changed a moment ago is read again at the next look, whoever tells; only then is the file known for good.
	await setTimeout(2 * RACY_MS);
	bed.during("before", () => undefined);
	bed.recorder.openWindow(bed.window("c"), undefined);
	writeFileSync(join(bed.folder, "outside"), "two");
	bed.recorder.sync();
	expect(bed.steps("c")).toEqual([]);
	expect(bed.settle("c")?.files).toMatchObject([{ path: "a", status: "modified", by: "agent-shell" }]);
	bed.close();
});
