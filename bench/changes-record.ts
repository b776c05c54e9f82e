import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTracker } from "../packages/changes/src/client/start-tracker.ts";
import type { OpenWindow, Tracker } from "../packages/changes/src/client/tracker.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { timed } from "./support/pairs.ts";
import { treeRssMb, withCommandLine } from "./support/processes.ts";
import { atMost, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";

const BUILT_TRACKERD = join(import.meta.dirname, "..", "packages/server/dist/trackerd.js");
const FILES_IN_FOLDER = 13;
const TURN_FILES = 10;
const line = (at: number, version: number) => `export const value${at} = compute(${(at * 7_919 + version * 104_729) % 10_007});\n`;
const text = (file: number, version: number) =>
	Array.from({ length: 120 }, (_, at) => line(at + file, at === version % 120 ? version : 0)).join("");

/** What recording costs whoever starts a command in a large tree, and what it costs the disk. */
export const benchmark: Benchmark = {
	name: "changes-record",
	run: ({ quick }) =>
		withScratch(async (home) => {
			const files = quick ? 2_000 : 62_000;
			const turns = quick ? 20 : 1_000;
			const root = join(home, "root");
			fill(root, files);
			const before = new Set(withCommandLine("trackerd"));
			const tracker = startTracker({ home: join(home, "store"), workMs: 2_000, entry: BUILT_TRACKERD });
			try {
				const work = createWork(tracker, root);
				const first = await timed(() => work.open("first"));
				await copied(tracker, root);
				await tracker.settle("first");
				const idle = await repeat(quick ? 50 : 200, () => work.open("idle"));
				const busy = await repeat(
					quick ? 10 : 100,
					async () => work.open("busy"),
					(round) => writeTurn(root, round),
				);
				await tracker.settle("busy");
				const stored = bytesBelow(join(home, "store"));
				const ends = await repeat(turns, (turn) => work.turn(`turn${turn}`, () => writeTurn(root, turn + 1_000)));
				const perTurn = (bytesBelow(join(home, "store")) - stored) / turns;
				const memory = withCommandLine("trackerd").flatMap((pid) => (before.has(pid) ? [] : (treeRssMb(pid) ?? [])));
				const named = files.toLocaleString("en-US");
				return {
					rows: [
						row({ name: `start of a command, ${named} files, nothing changed`, unit: "ms", ours: idle, goal: atMost(1), quick }),
						row({ name: `start of a command, ${named} files, 10 changed since`, unit: "ms", ours: busy, goal: atMost(10), quick }),
						row({ name: "a command waits for the first copy", unit: "ms", ours: [first], goal: atMost(2_500), quick }),
						row({ name: `a turn of 10 files, begun and settled, ${named} files`, unit: "ms", ours: ends, quick }),
						row({
							name: `memory of the recorder, ${named} files, at the end`,
							unit: "MB",
							ours: memory.slice(0, 1),
							goal: atMost(120),
							quick,
						}),
						row({ name: "disk for 1,000 turns of 10 files", unit: "MB", ours: [(perTurn * 1_000) / 1_048_576], goal: atMost(50), quick }),
					],
				};
			} finally {
				await tracker.close();
			}
		}),
};

function fill(root: string, files: number): void {
	for (let at = 0; at < files; at += 1) {
		const folder = join(root, `d${Math.floor(at / FILES_IN_FOLDER) % 70}`, `e${Math.floor(at / FILES_IN_FOLDER)}`);
		if (at % FILES_IN_FOLDER === 0) mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, `f${at}.ts`), text(at, 0));
	}
}

function writeTurn(root: string, version: number): void {
	for (let at = 0; at < TURN_FILES; at += 1) writeFileSync(join(root, "d0", "e0", `f${at}.ts`), text(at, version));
}

function createWork(tracker: Tracker, root: string) {
	let count = 0;
	const window = (changeId: string): OpenWindow => {
		count += 1;
		return { windowId: `w${count}`, changeId, conversationId: "one", kind: "turn", cwd: root, actor: "agent-shell", label: "make" };
	};
	return {
		/** Begins and stays open: only the beginning is measured. */
		open: (changeId: string) => tracker.openWindow(window(changeId)),
		async turn(changeId: string, work: () => void) {
			await tracker.openWindow(window(changeId));
			work();
			await tracker.settle(changeId);
		},
	};
}

/** The first copy of a large tree takes longer than one call waits. */
async function copied(tracker: Tracker, root: string): Promise<void> {
	for (let took = Number.POSITIVE_INFINITY; took > 1_000; ) took = await timed(() => tracker.prepare(root));
}

async function repeat(rounds: number, work: (round: number) => Promise<void>, prepare?: (round: number) => void): Promise<number[]> {
	const times: number[] = [];
	for (let round = 0; round < rounds; round += 1) {
		prepare?.(round);
		times.push(await timed(() => work(round)));
	}
	return times;
}

const bytesBelow = (folder: string): number =>
	readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
		(sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
		0,
	);
