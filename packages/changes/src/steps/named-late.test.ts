import { existsSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { hashOf } from "../walk/read-path.ts";
import { RACY_MS } from "../walk/read-within.ts";
import { MAX_REMEMBERED } from "./named-files.ts";
import { filesIn, missedIn, useRecorderBeds, WAYS } from "./recorder-harness.ts";

const { createBed, startBed } = useRecorderBeds();

const hasOtherDisk = existsSync("/dev/shm") && lstatSync("/dev/shm").dev !== lstatSync(tmpdir()).dev;
const EDIT = { actor: "agent" as const, label: "edit" };
/** A root in which `out` is ignored, with files there and beside the root; all of it is older than whatever follows. */
async function startOldBed(options: { watch?: boolean } = {}) {
	const bed = await createBed({ ...options, files: { a: "1\n", ".gitignore": "out\n", "out/a": "1\n", "../beside": "1\n" } });
	bed.start();
	await setTimeout(2 * RACY_MS);
	bed.during("sync point", () => undefined);
	return bed;
}
type Bed = Awaited<ReturnType<typeof startOldBed>>;

/** A tool that names its file only when it has done `work`. */
function nameAfter(bed: Bed, path: string, work: () => void, more: Parameters<Bed["recorder"]["addPaths"]>[2] = {}) {
	const window = bed.window("c", { ...EDIT, paths: [], since: "last-sync" });
	bed.recorder.openWindow(window, undefined);
	work();
	bed.recorder.addPaths(window.windowId, [path], more);
	bed.recorder.closeWindow(window.windowId);
	return bed.settle("c");
}
/** The same for one that is heard of when it is over. */
function openAfter(bed: Bed, path: string, work: () => void) {
	work();
	bed.during("c", () => undefined, { ...EDIT, paths: [path], since: "last-sync" });
	return bed.settle("c");
}
const before = (bed: Bed, at = 0) => bed.steps("c")[at]?.before;

test.each(WAYS)("[CH400] a file of the root that is named when it is written has what was there before (%j)", async (way) => {
	for (const tell of [nameAfter, openAfter]) {
		const bed = await startOldBed(way);
		expect(filesIn(tell(bed, join(bed.root, "a"), () => bed.write("a", "2\n")))).toEqual(["modified a agent"]);
		expect(before(bed)).toMatchObject({ kind: "file", hash: hashOf(Buffer.from("1\n")) });
	}
	for (const tell of [nameAfter, openAfter]) {
		const bed = await startOldBed(way);
		expect(filesIn(tell(bed, join(bed.root, "new/made"), () => bed.write("new/made", "2\n")))).toEqual(["added new/made agent"]);
	}
	for (const tell of [nameAfter, openAfter]) {
		const bed = await startOldBed(way);
		expect(filesIn(tell(bed, join(bed.root, "a"), () => rmSync(join(bed.root, "a"))))).toEqual(["deleted a agent"]);
	}
});

test("[CH400] a file that is named while it is written has all of it, from before the first byte", async () => {
	const bed = await startOldBed();
	const window = bed.window("c", { ...EDIT, paths: [], since: "last-sync" });
	bed.recorder.openWindow(window, undefined);
	bed.write("a", "1\n2\n");
	bed.recorder.addPaths(window.windowId, [join(bed.root, "a")]);
	bed.write("a", "1\n2\n3\n");
	bed.recorder.addPaths(window.windowId, [join(bed.root, "a")]);
	bed.recorder.closeWindow(window.windowId);
	expect(bed.settle("c")).toMatchObject({ files: [{ path: "a", by: "agent", added: 2, removed: 0 }], notCovered: [] });
});

test.each([
	["an ignored file", "out/a"],
	["a file outside the root", "../beside"],
])("[CH401] %s that is named late: untouched since, it is known; written or removed since, it is named as not covered", async (_, name) => {
	for (const tell of [nameAfter, openAfter]) {
		const bed = await startOldBed();
		const path = join(bed.root, name);
		const shown = name === "out/a" ? name : path;
		expect(missedIn(tell(bed, path, () => writeFileSync(path, "2\n")))).toEqual([`${shown} not-copied`]);
		expect(before(bed)).toEqual({ kind: "unknown", reason: "not-copied" });
	}
	const removed = await startOldBed();
	const path = join(removed.root, name);
	expect(missedIn(nameAfter(removed, path, () => rmSync(path)))).toEqual([`${name === "out/a" ? name : path} not-copied`]);

	const bed = await startOldBed();
	const untouched = join(bed.root, name);
	const window = bed.window("c", { ...EDIT, paths: [], since: "last-sync" });
	bed.recorder.openWindow(window, undefined);
	bed.recorder.addPaths(window.windowId, [untouched]);
	writeFileSync(untouched, "2\n");
	bed.recorder.closeWindow(window.windowId);
	expect(bed.settle("c")).toMatchObject({ files: [{ status: "modified", by: "agent", added: 1, removed: 1 }], notCovered: [] });
});

test("[CH401] a window over everything has the ignored file that its tool names, and a tool that waits has what is there", async () => {
	const bed = await startOldBed();
	const window = bed.window("c", { ...EDIT, since: "last-sync" });
	bed.recorder.openWindow(window, undefined);
	bed.write("out/a", "by somebody\n");
	bed.recorder.addPaths(window.windowId, [join(bed.root, "out/a"), join(bed.root, "out/new")], { isTimely: true });
	bed.write("out/a", "by the tool\n");
	bed.write("out/new", "1\n");
	const detail = bed.settle("c");
	expect([filesIn(detail), missedIn(detail)]).toEqual([["modified out/a agent", "added out/new agent"], []]);
	expect(before(bed)).toMatchObject({ hash: hashOf(Buffer.from("by somebody\n")) });
});

test.each(["out/a", "../beside"])("[CH402] what a tool says of %s counts where it fits what is on disk", async (name) => {
	const tell = async (claim: { oldText?: string; newText: string }, now: string) => {
		const bed = await startOldBed();
		const path = join(bed.root, name);
		const detail = nameAfter(bed, path, () => writeFileSync(path, now), { claim });
		return [before(bed), detail?.files.length, detail?.notCovered.length];
	};
	const unknown = [{ kind: "unknown", reason: "not-copied" }, 0, 1];
	const old = expect.objectContaining({ kind: "file", hash: hashOf(Buffer.from("1\n")), size: 2 });
	expect(await tell({ oldText: "1\n", newText: "2\n" }, "2\n")).toEqual([old, 1, 0]);
	// A piece of the file, an edit that somebody went on with, and a file that is said to be new.
	expect(await tell({ oldText: "1", newText: "2" }, "2\n")).toEqual(unknown);
	expect(await tell({ oldText: "1\n", newText: "2\n" }, "3\n")).toEqual(unknown);
	expect(await tell({ newText: "2\n" }, "2\n")).toEqual(unknown);
	// Not written yet.
	expect(await tell({ oldText: "1\n", newText: "2\n" }, "1\n")).toEqual([undefined, undefined, undefined]);
});

test("[CH401] a file outside the root that tools come back to is known from the time before, in bounded number", async () => {
	const bed = await startOldBed();
	const path = join(bed.root, "../beside");
	bed.during("first", () => writeFileSync(path, "2\n"), { ...EDIT, paths: [path] });
	expect(filesIn(bed.settle("first"))).toEqual([`modified ${bed.folder}/beside agent`]);
	expect(filesIn(openAfter(bed, path, () => writeFileSync(path, "3\n")))).toEqual([`modified ${bed.folder}/beside agent`]);
	expect(before(bed)).toMatchObject({ hash: hashOf(Buffer.from("2\n")) });
	const others = Array.from({ length: MAX_REMEMBERED }, (_, at) => join(bed.folder, `o${at}`));
	for (const other of others) writeFileSync(other, "");
	bed.during("others", () => undefined, { ...EDIT, paths: others });
	bed.settle("others");
	writeFileSync(path, "4\n");
	bed.during("d", () => undefined, { ...EDIT, paths: [path], since: "last-sync" });
	expect(missedIn(bed.settle("d"))).toEqual([`${bed.folder}/beside not-copied`]);
});

test.skipIf(!hasOtherDisk)("[CH401] what lies on another disk is let go when nobody names it: that disk may stop to answer", async () => {
	const bed = await startOldBed();
	const other = mkdtempSync("/dev/shm/rightseat-");
	const path = join(other, "a");
	writeFileSync(path, "1\n");
	bed.during("first", () => writeFileSync(path, "2\n"), { ...EDIT, paths: [path] });
	expect(filesIn(bed.settle("first"))).toEqual([`modified ${path} agent`]);
	expect(missedIn(openAfter(bed, path, () => writeFileSync(path, "3\n")))).toEqual([`${path} not-copied`]);
	rmSync(other, { recursive: true });
});

test("[CH401] what nobody names any more is nobody's: outsiders write a file that a tool named once", async () => {
	const bed = await startBed({ files: { "../beside": "1\n" } });
	const path = join(bed.root, "../beside");
	bed.during("first", () => writeFileSync(path, "2\n"), { ...EDIT, paths: [path] });
	bed.settle("first");
	expect(bed.change("echo other > ../beside")).toBe(undefined);
	bed.during("c", () => writeFileSync(path, "3\n"), { ...EDIT, paths: [path] });
	expect(bed.steps("c")[0]?.before).toMatchObject({ hash: hashOf(Buffer.from("other\n")) });
});
