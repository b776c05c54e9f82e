import type { Tracker } from "@rightseat/changes/client/tracker";
import { expect, test } from "vitest";
import { conversationId } from "../core/kernel/ids.ts";
import { adaptTracker } from "./adapt-tracker.ts";

const nothing = async () => undefined;
const QUIET: Tracker = {
	...{ prepare: nothing, openWindow: nothing, addPaths: nothing, closeWindow: nothing, settle: nothing, get: nothing, diff: nothing },
	...{ hunks: nothing, content: nothing, undo: nothing, forget: nothing, close: nothing },
	...{ list: async () => ({ changes: [] }), unfinished: async () => [], settleLeftOpen: async () => [] },
};
const id = conversationId("one");

test("[CG402] the answer to an undo names the programs that have a file open", async () => {
	const files = [
		{ path: "a", result: "restored", reason: "held-open", holders: ["vim"] } as const,
		{ path: "b", result: "merged" } as const,
	];
	const tracker = adaptTracker({ ...QUIET, undo: async () => ({ files, undoes: [] }) });
	expect((await tracker.undo({ conversationId: id, changeIds: ["c"], kind: "undo", newChangeId: "u" }))?.files).toEqual(files);
});

test("[CG401] a change whose end goes on is asked for again later", async () => {
	const change = { id: "c", conversationId: id, kind: "turn", at: 1, files: 1, added: 1, removed: 0, undone: false, root: "/r" } as const;
	let isDone = false;
	const tracker = adaptTracker({
		...QUIET,
		get: async () => ({
			change: { ...change, notCovered: 0, ...(isDone ? {} : { partial: true as const }) },
			files: [],
			notCovered: [{ path: "a", reason: "special" }],
		}),
	});
	await expect(tracker.recall(id, "c")).rejects.toMatchObject({ code: "changes-unavailable" });
	isDone = true;
	expect(await tracker.recall(id, "c")).toMatchObject({ change: { id: "c", files: 1 } });
});
