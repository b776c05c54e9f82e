import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPackStore } from "../packages/changes/src/blobs/pack-store.ts";
import { addChange, addStep } from "../packages/changes/src/index/change-rows.ts";
import { openIndex, prepareHome } from "../packages/changes/src/index/open-index.ts";
import { bytePath } from "../packages/changes/src/paths/byte-path.ts";
import { loadNative } from "../packages/changes/src/undo/native.ts";
import { undoChanges } from "../packages/changes/src/undo/undo-changes.ts";
import { readPath } from "../packages/changes/src/walk/read-path.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { interleave, timed } from "./support/pairs.ts";
import { atMost, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";

const text = (at: number, word: string) => Array.from({ length: 40 }, (_, line) => `${word} ${at} ${line}\n`).join("");

/** The undo of a change of many files, with journal, merge plan and marks, beside a plain copy of the same files. */
export const benchmark: Benchmark = {
	name: "changes-undo",
	run: ({ quick }) =>
		withScratch(async (home) => {
			const files = quick ? 200 : 1_000;
			const root = join(home, "root");
			for (const folder of ["root", "old"]) mkdirSync(join(home, folder));
			for (let at = 0; at < files; at++) writeFileSync(join(home, "old", `${at}.txt`), text(at, "old"));
			prepareHome(join(home, "store"));
			const { index } = openIndex(join(home, "store"));
			const blobs = createPackStore({ home: join(home, "store"), index });
			const native = await loadNative();
			let count = 0;
			const change = () => {
				const changeId = `change-${count++}`;
				index.transaction(() => {
					addChange(index, { id: changeId, conversationId: "c", kind: "turn", root, at: count });
					for (let at = 0; at < files; at++) {
						const path = bytePath(`${at}.txt`);
						const [old, next] = [text(at, "old"), text(at, "new")].map((content) => {
							writeFileSync(join(root, path), content);
							blobs.put(Buffer.from(content));
							return readPath(root, path).state;
						});
						if (old === undefined || next === undefined) continue;
						addStep(index, { root, path, before: old, after: next, at: count }, [{ changeId, actors: ["agent"], windows: [] }]);
					}
					blobs.flush();
				});
				return changeId;
			};
			const pairs = await interleave(quick ? 1 : 5, {
				limit: () => {
					rmSync(join(home, "copy"), { recursive: true, force: true });
					return timed(() => cpSync(join(home, "old"), join(home, "copy"), { recursive: true }));
				},
				ours: () => {
					const changeIds = [change()];
					const request = { conversationId: "c", changeIds, kind: "undo", newChangeId: `undo-${count}` } as const;
					return timed(async () => void (await undoChanges(request, { index, blobs, native, now: Date.now })));
				},
			});
			blobs.close();
			index.close();
			return { rows: [row({ name: `undo of ${files.toLocaleString("en-US")} files`, unit: "ms", ...pairs, goal: atMost(3_000), quick })] };
		}),
};
