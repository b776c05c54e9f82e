import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PathState } from "../model.ts";
import { bytePath } from "../paths/byte-path.ts";
import { attribute, MAX_LABELS } from "../steps/attribution.ts";
import { decodeState, encodeState, hashInCode } from "../steps/state-code.ts";
import { addChange, addMissed, addStep, findChange, listChangeIds, listChanges, listMissed, listSteps, MAX_MISSED } from "./change-rows.ts";
import { type ChangesIndex, openIndex, prepareHome } from "./open-index.ts";

let home = "";
let index: ChangesIndex;
beforeEach(() => {
	home = join(mkdtempSync(join(tmpdir(), "rightseat-index-")), "changes");
	prepareHome(home);
	index = openIndex(home).index;
});
afterEach(() => {
	index.close();
	rmSync(join(home, ".."), { recursive: true, force: true });
});

const add = (id: string, at: number, conversationId = "one") => {
	addChange(index, { id, conversationId, kind: "turn", root: "/r", at });
	index.sql("UPDATE changes SET settled = 1 WHERE id = ?").run(id);
};

test("[CH42] changes of a conversation are listed newest first in pages without gaps, those that go on are not", () => {
	for (let at = 0; at < 7; at += 1) add(`c${at}`, Math.floor(at / 2));
	add("other", 3, "two");
	addChange(index, { id: "goes on", conversationId: "one", kind: "turn", root: "/r", at: 9 });
	const pages: string[][] = [];
	for (let before: string | undefined; pages.length < 5; ) {
		const page = listChanges(index, "one", { before, limit: 3 });
		pages.push(page.changes.map(({ id }) => id));
		before = "nextCursor" in page ? page.nextCursor : undefined;
		if (before === undefined) break;
	}
	expect(pages).toEqual([["c6", "c5", "c4"], ["c3", "c2", "c1"], ["c0"]]);
	expect(listChanges(index, "one", { before: "nobody", limit: 3 })).toEqual({ changes: [] });
	expect(listChangeIds(index, "one")).toEqual(["c0", "c1", "c2", "c3", "c4", "c5", "c6", "goes on"]);
});

test("[CH42] a step comes back as it was written, in the order it was made", () => {
	add("c", 1);
	const states: PathState[] = [
		{ kind: "absent" },
		{ kind: "file", hash: "ab".repeat(32), size: 5, mode: 0o4755 },
		{ kind: "link", target: "caf\xe9:\n" },
		{ kind: "folder", mode: 0o700 },
		{ kind: "unknown", reason: "too-large" },
	];
	expect(states.map(encodeState).map(decodeState)).toEqual(states);
	expect(states.map(encodeState).map(hashInCode)).toEqual([undefined, "ab".repeat(32), undefined, undefined, undefined]);
	expect(decodeState("unheard of")).toEqual({ kind: "unknown", reason: "expired" });
	for (const [at, after] of states.entries()) {
		addStep(index, { root: "/r", path: bytePath(`\xff${at}`), before: { kind: "absent" }, after, at, head: { from: "a", to: "b" } }, [
			{ changeId: "c", actors: ["agent", "person"], windows: ["make 'it'"] },
		]);
	}
	expect(listSteps(index, "c").map(({ after }) => after)).toEqual(states);
	expect(listSteps(index, "c")[1]).toEqual({
		...{ changeId: "c", root: "/r", path: "\xff1", before: { kind: "absent" }, after: states[1], at: 1 },
		...{ actors: ["agent", "person"], windows: ["make 'it'"], head: { from: "a", to: "b" } },
	});
	expect(findChange(index, "c")).toMatchObject({ id: "c", rootPath: "/r", undone: false });
});

test("[CH30] names of windows with a step, and paths that are not covered, are bounded", () => {
	add("c", 1);
	for (let count = 0; count < MAX_MISSED + 5; count += 1)
		addMissed(index, { changeId: "c", root: "/r", path: `p${count}`, reason: "unreadable" });
	expect(listMissed(index, "c")).toHaveLength(MAX_MISSED);
	const windows = Array.from({ length: 20 }, (_, at) => ({
		windowId: `${at}`,
		changeId: "c",
		actor: "person" as const,
		label: `l${at}`,
		exact: new Set<string>(),
		isWhole: true,
		since: 0,
		doubtful: new Set<string>(),
	}));
	expect(attribute("/r/a", windows, [])[0]?.windows).toHaveLength(MAX_LABELS);
});
