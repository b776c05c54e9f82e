import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { hashOf } from "../walk/read-path.ts";
import { filesIn, useRecorderBeds } from "./recorder-harness.ts";
import { decodeState } from "./state-code.ts";

const { createBed } = useRecorderBeds();
const children: ChildProcess[] = [];
afterEach(async () => {
	await Promise.all(children.splice(0).map(end));
});

async function end(child: ChildProcess): Promise<void> {
	if (child.pid === undefined || child.signalCode !== null) return;
	// Closed when the last of its processes has let go of the pipe.
	const gone = once(child, "close");
	process.kill(-child.pid, "SIGKILL");
	await gone;
}

/** Runs in the root until it is ended; has begun when this resolves. */
async function beside(root: string, script: string): Promise<ChildProcess> {
	const child = spawn("bash", ["-c", `exec 3>&1; echo begun; ${script}`], {
		cwd: root,
		stdio: ["ignore", "pipe", "ignore"],
		detached: true,
	});
	children.push(child);
	if (child.stdout !== null) await once(child.stdout, "data");
	return child;
}

test.each([{ watch: true }, { watch: false }])(
	"[CH26] case 10: a file that is cut and written again and again while it is read breaks nothing (%j)",
	async (way) => {
		const bed = await createBed({ ...way, files: { a: "x".repeat(3_000_000), still: "1" } });
		bed.start();
		const busy = await beside(bed.root, "while :; do : > a; head -c 3000000 /dev/zero > a; done");
		for (let round = 0; round < 25; round += 1) bed.during("c", () => bed.write("still", String(round)));
		await end(busy);
		bed.during("c", () => undefined);
		// Not its last step: beside a busy machine the outsider may get no turn at a core while a window is open, and there is none.
		const known = bed.index.sql("SELECT state FROM files WHERE path = 'a'").get();
		expect(decodeState(String(known?.state))).toMatchObject({ kind: "file", hash: hashOf(bed.read("a")) });
		expect(filesIn(bed.settle("c"))).toContain("modified still agent-shell");
	},
);

test.each([{ watch: true }, { watch: false }])(
	"[CH26] case 11: names that come and go meanwhile cost no other file its record (%j)",
	async (way) => {
		const bed = await createBed({ ...way, files: { still: "start" } });
		bed.start();
		const busy = await beside(
			bed.root,
			"mkdir -p d; while :; do for i in {1..50}; do echo $i > d/n$i; done; rm -f d/n*; rmdir d; mkdir d; done",
		);
		for (let round = 0; round < 25; round += 1) {
			bed.during(`c${round}`, () => bed.write("still", String(round)));
			expect(filesIn(bed.settle(`c${round}`))).toContain("modified still agent-shell");
		}
		await end(busy);
		bed.during("last", () => undefined);
		const known = bed.index.sql("SELECT path FROM files WHERE path LIKE 'd/%' ORDER BY path").all();
		const disk = statSync(join(bed.root, "d"), { throwIfNoEntry: false }) === undefined ? [] : readdirSync(join(bed.root, "d"));
		expect(known.map(({ path }) => path)).toEqual(disk.map((name) => `d/${name}`).sort());
	},
);

test("[CH32] case 14: a turn of ten files costs the disk little more than what it wrote, packed, and no garbage needs collecting", async () => {
	const lines = (file: number, version: number) =>
		Array.from({ length: 100 }, (_, at) => `line ${at} of ${file}${at === version ? ` in version ${version}` : ""}\n`).join("");
	const files = Object.fromEntries(Array.from({ length: 10 }, (_, file) => [`f${file}`, lines(file, -1)]));
	const bed = await createBed({ files });
	bed.start();
	const bytes = () =>
		readdirSync(bed.home, { recursive: true, withFileTypes: true }).reduce(
			(sum, entry) => sum + (entry.isFile() && !entry.name.includes("-") ? statSync(join(entry.parentPath, entry.name)).size : 0),
			0,
		);
	const before = bytes();
	for (let turn = 0; turn < 60; turn += 1) {
		bed.during(`t${turn}`, () => {
			for (let file = 0; file < 10; file += 1) bed.write(`f${file}`, lines(file, turn));
		});
		expect(bed.settle(`t${turn}`)?.change.files).toBe(10);
		bed.index.checkpoint();
	}
	expect((bytes() - before) / 60).toBeLessThan(50_000);
	expect(readFileSync(join(bed.root, "f0"), "utf8")).toBe(lines(0, 59));
});
