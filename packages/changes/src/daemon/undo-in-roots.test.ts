import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPackStore } from "../blobs/pack-store.ts";
import { addChange, addStep } from "../index/change-rows.ts";
import { type ChangesIndex, openIndex, prepareHome } from "../index/open-index.ts";
import { bytePath, latin1Of } from "../paths/byte-path.ts";
import { createRootThread } from "./root-thread.ts";
import { createRoots } from "./roots.ts";
import type { ThreadHandle } from "./thread-handle.ts";
import type { Answer, Ask } from "./tracker-protocol.ts";
import { createUndos, createWrittenRoots } from "./undo-in-roots.ts";

let folder = "";
let index: ChangesIndex;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-undo-roots-"));
	prepareHome(join(folder, "home"));
	index = openIndex(join(folder, "home")).index;
});
afterEach(() => {
	index.close();
	rmSync(folder, { recursive: true, force: true });
});

/** Roots with a step of the change `c` each, of which the first is where it began. */
function createBed(paths: readonly string[]) {
	const asked: string[] = [];
	const started: { path: string; here: boolean }[] = [];
	let onUndo: () => Promise<void> = async () => undefined;
	const writing = createWrittenRoots();
	addChange(index, { id: "c", conversationId: "one", kind: "turn", root: paths[0] ?? "", at: 1 });
	for (const root of paths) {
		index.sql("INSERT INTO roots (path, refused, used_at) VALUES (?, 0, 1)").run(root);
		const step = { root, path: bytePath("a"), before: { kind: "absent" } as const, after: { kind: "link", target: "" } as const, at: 1 };
		addStep(index, step, [{ changeId: "c", actors: ["agent"], windows: [] }]);
	}
	const roots = createRoots({
		start({ root }): ThreadHandle {
			started.push({ path: root, here: writing.has(root) });
			return {
				...{ pending: 0, ended: false, activity: () => 0, close: () => undefined, abandon: async () => undefined },
				async ask(ask: Ask): Promise<Answer> {
					asked.push(`${root} ${ask.kind}`);
					if (ask.kind !== "undo") return { kind: "done" };
					await onUndo();
					return { kind: "undone" };
				},
			};
		},
	});
	return {
		...{ asked, started, roots, writing, undos: createUndos({ roots, index, writing }) },
		during(work: () => Promise<void>) {
			onUndo = work;
		},
	};
}
const request = { conversationId: "one", changeIds: ["c"], kind: "undo", newChangeId: "u" } as const;

test("[CH420] every root with steps of the change rests while another thread writes there, and hears of it afterwards", async () => {
	const bed = createBed(["/a", "/b"]);
	await bed.undos.undo(request);
	expect(bed.asked).toEqual(["/b hold", "/a undo", "/b refresh"]);
	expect(bed.writing.size).toBe(0);
	await bed.undos.preview(request);
	expect(bed.asked.slice(3)).toEqual(["/a undo"]);
});

test("[CH420] a thread that starts in the middle of an undo knows that its root is written to, and hears of it afterwards", async () => {
	const bed = createBed(["/a", "/b"]);
	bed.during(async () => {
		bed.roots.close();
		bed.roots.open({ root: "/b", refused: false });
		bed.roots.open({ root: "/other", refused: false });
	});
	await bed.undos.undo(request);
	expect(bed.started.slice(2)).toEqual([
		{ path: "/b", here: true },
		{ path: "/other", here: false },
	]);
	expect(bed.asked.slice(-1)).toEqual(["/b refresh"]);
});

test("[CH420] a thread that rests answers nobody until the undo is over", async () => {
	const root = latin1Of(folder);
	const blobs = createPackStore({ home: join(folder, "home"), index });
	const thread = await createRootThread({ root, refused: false, own: [`${root}/home`], index, blobs, progress: () => undefined });
	const order: string[] = [];
	const ask = async (name: string, asked: Ask) => {
		await thread.answer(asked);
		order.push(name);
	};
	await ask("hold", { kind: "hold" });
	const waiting = ask("sync", { kind: "verify" });
	await ask("refresh", { kind: "refresh", changeId: "u" });
	await waiting;
	expect(order).toEqual(["hold", "refresh", "sync"]);
	thread.close();
	blobs.close();
});
