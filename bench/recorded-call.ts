import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createChangeTracker } from "../packages/server/src/changes/create-change-tracker.ts";
import { systemClock } from "../packages/server/src/core/kernel/clock.ts";
import { conversationId } from "../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../packages/server/src/core/kernel/logger.ts";
import type { ChangeTracker } from "../packages/server/src/core/ports/changes.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { interleave, timed } from "./support/pairs.ts";
import { over, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { withShell } from "./support/shell-bed.ts";

const BUILT_TRACKERD = join(import.meta.dirname, "..", "packages/server/dist/trackerd.js");
const CONVERSATION = conversationId("bench");

/** A Bash call that changes nothing, with the recorder's window around it, against the same call without; in a folder of 2,000 files. */
export const benchmark: Benchmark = {
	name: "recorded-call",
	run: ({ quick }) =>
		withScratch((home) =>
			withShell(home, async ({ bash }) => {
				const work = join(home, "work");
				fill(work, quick ? 500 : 2_000);
				const tracker = createChangeTracker({
					...{ home: join(home, "changes"), excluded: [], entry: BUILT_TRACKERD },
					...{ env: { PATH: process.env.PATH ?? "", HOME: home }, clock: systemClock, logger: silentLogger },
				});
				const around = recorded(tracker, work);
				try {
					await around(() => bash("true"));
					const rounds = quick ? 20 : 200;
					const pairs = await interleave(rounds, {
						limit: () => timed(() => bash("true")),
						ours: () => timed(() => around(() => bash("true"))),
					});
					return { rows: [row({ name: "Bash call of `true`, recorded", unit: "ms", ...pairs, goal: over(5), quick })] };
				} finally {
					await tracker.close();
				}
			}),
		),
};

function fill(folder: string, files: number): void {
	for (let n = 0; n < files; n += 1) {
		const inner = join(folder, `folder-${n % 50}`);
		if (n < 50) mkdirSync(inner, { recursive: true });
		writeFileSync(join(inner, `file-${n}.txt`), `line ${n}\n`.repeat(20));
	}
}

/** The window that core opens around every command of the agent. */
function recorded(tracker: ChangeTracker, cwd: string) {
	let windows = 0;
	return async (work: () => Promise<unknown>): Promise<void> => {
		windows += 1;
		const windowId = `w${windows}`;
		const window = { windowId, changeId: "turn", conversationId: CONVERSATION, kind: "turn" as const, cwd, label: "true" };
		await tracker.openWindow({ ...window, actor: "agent-shell" });
		await work();
		void tracker.closeWindow(windowId);
	};
}
