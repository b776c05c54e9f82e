import { join } from "node:path";
import { expect, test } from "vitest";
import { listSteps } from "../index/change-rows.ts";
import { filesIn, missedIn, useRecorderBeds } from "./recorder-harness.ts";
import { settleChange } from "./settle-change.ts";

const { startBed } = useRecorderBeds();

test.each([{ watch: true }, { watch: false }])(
	"[CH410] what is known of a change is written down before a long look at everything ends (%j)",
	async ({ watch }) => {
		const saved: number[] = [];
		const files = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`d${at}/a`, "1\n"]));
		let look: () => void = () => undefined;
		const bed = await startBed({ watch, files, limits: { ms: 60_000, bytes: 1e9, flushMs: 0 }, progress: () => look() });
		bed.recorder.openWindow(bed.window("c"), undefined);
		for (const name of Object.keys(files)) bed.write(name, "2\n");
		// Another connection sees what is committed, as the desk does.
		look = () => void saved.push(listSteps(bed.index, "c").length);
		bed.recorder.endChange("c");
		look = () => undefined;
		expect(saved.at(-1)).toBeGreaterThan(watch ? 29 : 20);
		expect(settleChange(bed.index, bed.blobs, "c")).toMatchObject({ change: { files: 30, added: 30, removed: 30, notCovered: 0 } });
	},
);

test("[CH411] what the end of a change had no time to read is named, read afterwards, and then in the change", async () => {
	const bed = await startBed({ limits: { ms: -1, bytes: 1e9 }, files: { a: "1\n", b: "1\n" } });
	bed.recorder.openWindow(bed.window("c"), undefined);
	bed.run("echo 2 > a; echo 2 > b; echo 1 > made");
	const early = bed.settle("c");
	expect([filesIn(early), missedIn(early)]).toEqual([[], ["a too-slow", "b too-slow", "made too-slow"]]);
	// Somebody goes on with one of them: how the change left it is not known any more.
	bed.run("echo 3 >> b");
	expect(bed.recorder.complete(60_000)).toBe(false);
	const late = settleChange(bed.index, bed.blobs, "c");
	expect([filesIn(late), missedIn(late)]).toEqual([["modified a agent-shell", "added made agent-shell"], ["b too-slow"]]);
	expect(bed.steps("c").find(({ path }) => String(path) === "a")).toMatchObject({ before: { size: 2 }, after: { kind: "file", size: 2 } });
});

test("[CH411] the next change does not get what belongs to the one before", async () => {
	const bed = await startBed({ limits: { ms: -1, bytes: 1e9 }, files: { a: "1\n" } });
	bed.change("echo 2 > a");
	bed.during("d", "echo 3 > a", { paths: [join(bed.root, "a")], actor: "agent" });
	bed.recorder.complete(60_000);
	const [first] = listSteps(bed.index, "c1");
	expect(first?.after).toMatchObject({ kind: "file", size: 2 });
	expect(bed.steps("d").at(-1)?.before).toEqual(first?.after);
});

test("[CH411] what is read afterwards is bounded in bytes", async () => {
	const bed = await startBed({ limits: { ms: -1, bytes: 3_000 } });
	const detail = bed.change("for n in 1 2 3 4 5 6; do head -c 1000 /dev/zero > f$n; done");
	expect(missedIn(detail)).toHaveLength(6);
	while (bed.recorder.complete(60_000));
	expect(missedIn(settleChange(bed.index, bed.blobs, "c1"))).toHaveLength(3);
});
