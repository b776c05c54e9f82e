import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { lookAt, textOf } from "../../../../test/undo-proof/tree.ts";
import { createTracker } from "./create-tracker.ts";
import { forkTrackerd, type TrackerdProcess } from "./fork-trackerd.ts";
import { startTracker } from "./start-tracker.ts";
import type { Tracker, UndoRequest, UndoResult } from "./tracker.ts";
import { trackerdOfTests } from "./trackerd-harness.ts";

const beds: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const bed of beds.splice(0)) await bed.close();
});

const TEN = Array.from({ length: 10 }, (_, index) => `line ${index}\n`).join("");

function startBed(files: number) {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-undo-")));
	const root = join(folder, "root");
	mkdirSync(root);
	for (let at = 0; at < files; at++) writeFileSync(join(root, `${at}.txt`), TEN);
	const tracker = startTracker({ home: join(folder, "home"), workMs: 30_000, entry: trackerdOfTests() });
	beds.push({
		async close() {
			await tracker.close();
			rmSync(folder, { recursive: true, force: true });
		},
	});
	return { root, folder, tracker, tree: () => textOf(lookAt(root)) };
}

async function change({ tracker, root }: { tracker: Tracker; root: string }, script: string): Promise<void> {
	await tracker.prepare(root);
	const window = {
		windowId: "w",
		changeId: "turn",
		conversationId: "one",
		kind: "turn",
		cwd: root,
		actor: "agent-shell",
		label: "",
	} as const;
	await tracker.openWindow(window);
	execFileSync("bash", ["-c", script], { cwd: root });
	await tracker.closeWindow("w");
	await tracker.settle("turn");
}

let undos = 0;
const request = (more: Partial<UndoRequest> = {}): UndoRequest => ({
	...{ conversationId: "one", changeIds: ["turn"], kind: "undo", newChangeId: `undo-${undos++}` },
	...more,
});
const resultOf = (answer: Awaited<ReturnType<Tracker["undo"]>>): UndoResult | undefined =>
	answer !== undefined && "files" in answer ? answer : undefined;

test("[CH257] undo and redo go through the recorder's process, and what they write is nobody else's change", async () => {
	const bed = startBed(2);
	const before = bed.tree();
	await change(bed, "sed -i 's/line 3/changed/' 0.txt; rm 1.txt; echo new > 2.txt");
	const after = bed.tree();
	expect(resultOf(await bed.tracker.undo(request({ preview: true })))?.files).toHaveLength(3);
	expect(bed.tree()).toBe(after);
	const undone = resultOf(await bed.tracker.undo(request({ changeIds: ["conversation"] })));
	expect([undone?.files.map(({ result }) => result), bed.tree() === before]).toEqual([["restored", "restored", "restored"], true]);
	const redone = resultOf(await bed.tracker.undo(request({ kind: "redo" })));
	expect([redone?.change?.kind, bed.tree() === after]).toEqual(["redo", true]);
	const page = await bed.tracker.list("one", { limit: 10 });
	expect("changes" in page && page.changes.map(({ kind, undone: isUndone }) => [kind, isUndone])).toEqual([
		["redo", false],
		["undo", true],
		["turn", false],
	]);
	expect(await bed.tracker.undo(request({ changeIds: ["none"] }))).toBeUndefined();
}, 240_000);

test("[CH450] of two undos at once one does it, and the other says that it is done", async () => {
	const bed = startBed(2);
	const before = bed.tree();
	await change(bed, "chmod 711 0.txt; mv 1.txt 2.txt");
	const results = (await Promise.all([bed.tracker.undo(request()), bed.tracker.undo(request())])).map(resultOf);
	expect(bed.tree()).toBe(before);
	expect(results.map((result) => result?.change?.kind)).toEqual(["undo", undefined]);
	expect(results[1]?.files.map(({ reason }) => reason)).toEqual(["already-undone", "already-undone", "already-undone"]);
}, 240_000);

test("[CH257] case 32: the recorder is killed in the middle of an undo; the next one finds that and takes it back", async () => {
	const bed = startBed(150);
	await change(bed, "sed -i 's/line 3/changed/' *.txt");
	const after = bed.tree();
	await bed.tracker.close();
	const killed = await killInTheMiddle(bed);
	const next = startTracker({ home: join(bed.folder, "home"), workMs: 30_000, entry: trackerdOfTests() });
	try {
		const unfinished = await next.unfinished();
		const isCut = "length" in unfinished && unfinished.length > 0;
		if (isCut) expect(unfinished).toMatchObject([{ conversationId: "one", changeId: killed, kind: "undo" }]);
		expect(resultOf(await next.undo(request({ kind: "redo" })))?.files).toHaveLength(150);
		expect(bed.tree()).toBe(after);
		expect(readdirSync(bed.root).filter((name) => name.startsWith(".rightseat"))).toEqual([]);
		expect(await next.unfinished()).toEqual([]);
	} finally {
		await next.close();
	}
}, 240_000);

/** Kills the process as soon as the undo has begun to write. Gives the id of the undo. */
async function killInTheMiddle({ root, folder }: { root: string; folder: string }): Promise<string> {
	let running: TrackerdProcess | undefined;
	let state = "off";
	const tracker = createTracker({
		...{ home: join(folder, "home"), excluded: [], workMs: 30_000, log: () => undefined },
		start(listener) {
			running = forkTrackerd(trackerdOfTests(), process.env, listener);
			return running;
		},
		supervise: (start) => ({
			get state() {
				return { at: state };
			},
			needed() {
				if (state !== "off") return;
				state = "starting";
				start();
			},
			started() {
				state = "ready";
			},
			failed() {
				state = "open";
			},
			stop() {
				state = "stopped";
			},
		}),
		after(ms, run) {
			const timer = setTimeout(run, ms);
			return () => clearTimeout(timer);
		},
	});
	const asked = request();
	await tracker.prepare(root);
	const watcher = watch(root, () => running?.kill());
	await tracker.undo(asked);
	watcher.close();
	await tracker.close();
	return asked.newChangeId;
}
