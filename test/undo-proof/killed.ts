import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Step } from "../../packages/changes/src/model.ts";
import { loadNative } from "../../packages/changes/src/undo/native.ts";
import { planUndo } from "../../packages/changes/src/undo/plan.ts";
import { resumeUndo } from "../../packages/changes/src/undo/run-undo.ts";
import { createDiskBlobs, createDiskJournal } from "./disk.ts";
import { createRandom } from "./random.ts";
import { lookAt, textOf } from "./tree.ts";

const FILES = 80;

/** What became of an undo whose process was killed. `hit`: it had begun and not ended. */
export interface KilledUndo {
	hit: boolean;
	violations: string[];
}

/** Kills a real process in the middle of an undo of eighty files, then goes on with it or takes it back. */
export async function playKilled(seed: number): Promise<KilledUndo> {
	const random = createRandom(seed);
	const home = realpathSync(mkdtempSync(join(tmpdir(), "undo-killed-")));
	const root = join(home, "root");
	const blobs = createDiskBlobs(join(home, "blobs"));
	const journal = createDiskJournal(join(home, "journal"));
	const native = await loadNative();
	try {
		mkdirSync(root);
		const states = prepare(root, () => lookAt(root, blobs));
		const plan = planUndo(root, { steps: states.steps }, { blobs, native, changeId: "undo", keep: (bytes) => blobs.put(bytes) });
		const undo = {
			changeId: "undo",
			conversationId: "c",
			kind: "undo",
			undoes: [],
			at: 0,
			root,
			entries: plan.entries,
			direction: "forth",
		};
		writeFileSync(join(home, "plan.json"), JSON.stringify(undo));
		await killAfter(home, random.below(FILES * 3));
		const cut = journal.list()[0];
		const forth = random.chance(0.5);
		if (cut !== undefined) resumeUndo(cut, forth ? "forth" : "back", { blobs, native, journal, now: () => 0 });
		const wanted = cut === undefined || forth ? states.before : states.after;
		const now = textOf(lookAt(root));
		// Killed before it had begun: nothing was written.
		const violations =
			now === wanted || (cut === undefined && now === states.after) ? [] : [`after kill -9 (seed ${seed}):\n${now}\n--- wanted\n${wanted}`];
		return { hit: cut !== undefined, violations };
	} finally {
		rmSync(home, { recursive: true, force: true });
	}
}

function prepare(root: string, look: () => ReturnType<typeof lookAt>): { steps: Step[]; before: string; after: string } {
	const place = (at: number) => join(root, `file ${at}`);
	for (let at = 0; at < FILES; at++) if (at % 4 !== 3) writeFileSync(place(at), `old ${at}\n`);
	const before = look();
	for (let at = 0; at < FILES; at++) {
		if (at % 4 === 0) unlinkSync(place(at));
		else writeFileSync(place(at), `new ${at}\n`);
		if (at % 4 === 1) chmodSync(place(at), 0o755);
	}
	const after = look();
	const steps = [...new Set([...before.keys(), ...after.keys()])].map((path, at): Step => {
		const [one, other] = [before.get(path)?.state ?? { kind: "absent" as const }, after.get(path)?.state ?? { kind: "absent" as const }];
		return { changeId: "turn", root, path, before: one, after: other, actors: ["agent"], windows: [], at };
	});
	return { steps, before: textOf(before), after: textOf(after) };
}

/** Kills the child when it has told of this many steps, or lets it end before. */
async function killAfter(home: string, steps: number): Promise<void> {
	const child = spawn(process.execPath, ["--import", "tsx", join(import.meta.dirname, "killed-child.ts"), home], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	let told = 0;
	child.stdout.on("data", (bytes: Buffer) => {
		told += bytes.length;
		if (told >= steps) child.kill("SIGKILL");
	});
	await once(child, "close");
}
