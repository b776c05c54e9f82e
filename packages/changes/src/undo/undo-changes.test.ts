import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { lookAt, textOf } from "../../../../test/undo-proof/tree.ts";
import type { UndoRequest } from "../client/tracker.ts";
import { findChange, listChanges } from "../index/change-rows.ts";
import { type BedOptions, createRecorderBed } from "../steps/recorder-harness.ts";
import { removeChange } from "../steps/settle-change.ts";
import { loadNative } from "./native.ts";
import { listUnfinished, tidyUpRoot, undoChanges } from "./undo-changes.ts";

const open: { close(): void }[] = [];
afterEach(() => {
	for (const bed of open.splice(0)) bed.close();
});

const TEN = Array.from({ length: 10 }, (_, index) => `line ${index}\n`).join("");

async function createBed(options: BedOptions = {}) {
	const bed = await createRecorderBed({ files: { "a.txt": TEN, "b.txt": TEN }, ...options });
	open.push(bed);
	bed.start();
	const native = await loadNative();
	let count = 0;
	const deps = (between?: (step: string) => void) => ({
		index: bed.index,
		blobs: bed.blobs,
		native,
		now: Date.now,
		between,
		lookMs: 60_000,
	});
	return {
		...{ bed, deps, native },
		tree: () => textOf(new Map([...lookAt(bed.root)].filter(([path]) => !path.startsWith(".git")))),
		async undo(changeId: string, more: Partial<UndoRequest> = {}, between?: (step: string) => void) {
			const request: UndoRequest = { conversationId: "one", changeIds: [changeId], kind: "undo", newChangeId: `u${count++}`, ...more };
			const result = await undoChanges(request, deps(between));
			bed.recorder.refresh(request.newChangeId);
			return result;
		},
	};
}

const said = (result: Awaited<ReturnType<typeof undoChanges>>) =>
	result?.files.map(({ path, result: what, reason }) => [path, what, ...(reason === undefined ? [] : [reason])].join(" "));

test("[CH250] what a command did is undone, redone and undone again, and the changes say so", async () => {
	const { bed, undo, tree } = await createBed();
	const before = tree();
	const change = bed.change("sed -i 's/line 3/changed/' a.txt; rm b.txt; mkdir -p new/deep; echo x > new/deep/c");
	const id = change?.change.id ?? "";
	const after = tree();
	const undone = await undo(id);
	expect([tree() === before, said(undone)?.sort()]).toEqual([true, ["a.txt restored", "b.txt restored", "new/deep/c restored"]]);
	expect(undone?.change).toMatchObject({ id: "u0", kind: "undo", files: 3, undoes: [id] });
	expect([undone?.undoes, findChange(bed.index, id)?.undone]).toEqual([[{ changeId: id, undone: true }], true]);
	const redone = await undo(id, { kind: "redo" });
	expect([tree() === after, redone?.change?.kind, findChange(bed.index, id)?.undone, findChange(bed.index, "u0")?.undone]).toEqual([
		true,
		"redo",
		false,
		true,
	]);
	expect(said(await undo(id, { kind: "redo" }))).toEqual([]);
	await undo("u1");
	expect([tree() === before, findChange(bed.index, id)?.undone, findChange(bed.index, "u3")?.kind]).toEqual([true, true, "undo"]);
	// The undo of an undo is a redo, whichever word was used.
	await undo("u3");
	expect([tree() === after, findChange(bed.index, "u4")?.kind]).toEqual([true, "redo"]);
	await undo(id);
	await undo(id, { kind: "redo" });
	expect(tree()).toBe(after);
});

test("[CH250] what an undo wrote is nobody's step in the next sync point", async () => {
	const { bed, undo } = await createBed();
	const id = bed.change("echo more >> a.txt")?.change.id ?? "";
	await undo(id);
	const next = bed.change("echo other >> b.txt");
	expect(next?.files.map(({ path }) => path)).toEqual(["b.txt"]);
});

test("[CH251] a preview writes nothing and makes no change; an unknown change, or one of another conversation, is none", async () => {
	const { bed, undo, tree } = await createBed();
	const id = bed.change("sed -i 's/line 3/changed/' a.txt; rm b.txt")?.change.id ?? "";
	const before = tree();
	const preview = await undo(id, { preview: true });
	expect([said(preview), preview?.change, tree() === before]).toEqual([["a.txt restored", "b.txt restored"], undefined, true]);
	expect(listChanges(bed.index, "one", { limit: 10 }).changes.map((change) => change.id)).toEqual([id]);
	expect([await undo("nothing"), await undo(id, { conversationId: "two" })]).toEqual([undefined, undefined]);
});

test("[CH252] paths by name, also of a folder; what is named and not there is said; a change is undone when its last file is", async () => {
	const { bed, undo } = await createBed();
	const id = bed.change("echo x >> a.txt; mkdir f; echo 1 > f/one; echo 2 > f/two; mv b.txt moved.txt")?.change.id ?? "";
	expect(said(await undo(id, { paths: ["f", "../../etc/passwd"] }))).toEqual([
		"f/one restored",
		"f/two restored",
		"../../etc/passwd skipped not-in-change",
	]);
	expect([findChange(bed.index, id)?.undone, readdirSync(bed.root).sort()]).toEqual([false, ["a.txt", "moved.txt"]]);
	// Both names of what was moved.
	expect(said(await undo(id, { paths: ["moved.txt"] }))?.sort()).toEqual(["b.txt restored", "moved.txt restored"]);
	await undo(id, { paths: ["a.txt"] });
	expect([findChange(bed.index, id)?.undone, bed.read("a.txt").toString(), bed.read("b.txt").toString()]).toEqual([true, TEN, TEN]);
});

test("[CH252] everything that a conversation did, across its changes", async () => {
	const { bed, undo, tree } = await createBed();
	const before = tree();
	bed.change("sed -i 's/line 3/one/' a.txt");
	const second = bed.change("sed -i 's/one/two/; s/line 8/eight/' a.txt; echo > new");
	await undo(second?.change.id ?? "", { paths: ["new"] });
	await undo("", { changeIds: "conversation" });
	expect(tree()).toBe(before);
});

test("[CH253] case 32: an undo that a crash cut is listed as unfinished; undo ends it, redo takes it back", async () => {
	for (const kind of ["undo", "redo"] as const) {
		const { bed, undo, tree, deps } = await createBed({
			files: Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`${at}.txt`, TEN])),
		});
		const before = tree();
		const id = bed.change("sed -i 's/line 3/changed/' *.txt")?.change.id ?? "";
		const after = tree();
		let steps = 0;
		const crash = () => {
			steps += 1;
			if (steps === 11) throw new RangeError("crash");
		};
		await expect(undo(id, {}, crash)).rejects.toThrow("crash");
		bed.restart();
		expect(listUnfinished(deps()).map(({ changeId }) => changeId)).toEqual(["u0"]);
		expect(listChanges(bed.index, "one", { limit: 10 }).changes[0]).toMatchObject({ id: "u0", unfinished: true, undoes: [id] });
		tidyUpRoot(bed.root, deps());
		expect(tree()).not.toContain(".rightseat-undo-");
		const result = await undo(id, { kind });
		expect([tree() === (kind === "undo" ? before : after), listUnfinished(deps()), result?.change?.id]).toEqual([
			true,
			[],
			kind === "undo" ? "u0" : undefined,
		]);
		expect([findChange(bed.index, id)?.undone, findChange(bed.index, "u0")?.unfinished]).toEqual([kind === "undo", undefined]);
		expect(result?.files).toHaveLength(8);
	}
});

test("[CH258] an undo that had written everything when a crash came is told as done, whatever of its end was missing", async () => {
	for (const at of ["carried out", "journal ended", "undone noted"]) {
		const { bed, undo, tree, deps } = await createBed();
		const before = tree();
		const id = bed.change("sed -i 's/line 3/changed/' *.txt")?.change.id ?? "";
		const crash = (step: string) => {
			if (step === at) throw new RangeError("crash");
		};
		await expect(undo(id, {}, crash)).rejects.toThrow("crash");
		bed.restart();
		expect([tree() === before, findChange(bed.index, "u0")?.unfinished]).toEqual([true, true]);
		// Not while an undo of another thread goes on: it may be just this one.
		tidyUpRoot(bed.root, deps(), { here: true, anywhere: true });
		expect(findChange(bed.index, "u0")?.unfinished).toBe(true);
		tidyUpRoot(bed.root, deps());
		expect([findChange(bed.index, id)?.undone, findChange(bed.index, "u0")?.unfinished]).toEqual([true, undefined]);
	}
});

test("[CH253] of a deleted conversation nothing is unfinished, and no name of ours is left; what goes on is left alone", async () => {
	const { bed, undo, tree, deps } = await createBed();
	const id = bed.change("sed -i 's/line 3/changed/' *.txt")?.change.id ?? "";
	const crash = (step: string) => {
		if (step === "swapped") throw new RangeError("crash");
	};
	await expect(undo(id, {}, crash)).rejects.toThrow("crash");
	for (const each of [id, "u0"]) removeChange(bed.index, each);
	expect([listUnfinished(deps()), tree().includes(".rightseat-undo-")]).toEqual([[], true]);
	// Whoever starts while the undo goes on leaves it alone.
	tidyUpRoot(bed.root, deps(), { here: true, anywhere: true });
	expect(tree()).toContain(".rightseat-undo-");
	tidyUpRoot(bed.root, deps());
	expect([bed.index.sql("SELECT count(*) AS count FROM undos").get(), tree().includes(".rightseat-undo-")]).toEqual([{ count: 0 }, false]);
});

test("[CH254] cases 15, 17, 18: raw bytes come back whatever git would make of them, and nothing under .git changes", async () => {
	const { bed, undo } = await createBed({
		files: { "crlf.txt": "a\r\nb\r\n", ".gitattributes": "* text=auto\n*.bin filter=shout\n", "x.bin": "quiet" },
		before:
			"git init -q .; git config filter.shout.clean 'tr a-z A-Z'; git config core.autocrlf true; git add .; git commit -qm one; printf 'staged\\r\\n' > crlf.txt; git add crlf.txt; printf 'not staged\\r\\n' >> crlf.txt",
	});
	const under = () => walk(join(bed.root, ".git"));
	const before = under();
	const id = bed.change("printf 'agent\\n' > crlf.txt; echo loud > x.bin")?.change.id ?? "";
	await undo(id);
	expect([bed.read("crlf.txt").toString(), bed.read("x.bin").toString()]).toEqual(["staged\r\nnot staged\r\n", "quiet"]);
	expect(under()).toEqual(before);
});

function walk(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		const { mtimeMs, ctimeMs, ino } = lstatSync(path);
		if (entry.isDirectory()) return [`${path} ${mtimeMs} ${ctimeMs}`, ...walk(path)];
		return [`${path} ${mtimeMs} ${ctimeMs} ${ino} ${createHash("sha1").update(readFileSync(path)).digest("hex")}`];
	});
}

test("[CH229] case 26: what two wrote in the same moment is undone, and said to be shared", async () => {
	const { bed, undo } = await createBed();
	bed.recorder.openWindow(bed.window("server", { label: "npm run dev" }), undefined);
	bed.during("turn", "sed -i 's/line 3/changed/' a.txt", { label: "sed" });
	bed.settle("turn");
	expect(said(await undo("turn"))).toEqual(["a.txt restored shared"]);
	expect(bed.read("a.txt").toString()).toBe(TEN);
});

test("[CH255] a process that has the file open is named", async () => {
	const { bed, undo } = await createBed();
	const id = bed.change("echo more >> a.txt")?.change.id ?? "";
	const holder = spawn("bash", ["-c", "exec 3>>a.txt; echo ready; read"], { cwd: bed.root, stdio: ["pipe", "pipe", "ignore"] });
	try {
		await once(holder.stdout, "data");
		expect((await undo(id))?.files).toEqual([{ path: "a.txt", result: "restored", reason: "held-open", holders: ["bash"] }]);
	} finally {
		holder.stdin.end("\n");
		await once(holder, "close");
	}
});

test("[CH256] without room to keep what is there nothing is written", async () => {
	const { bed, undo } = await createBed({ maxStoreBytes: 3_000 });
	const id = bed.change("sed -i 's/line 3/changed/' a.txt")?.change.id ?? "";
	bed.write("a.txt", Buffer.concat([bed.read("a.txt"), randomBytes(9_000).map((byte) => byte || 1)]));
	const before = bed.read("a.txt");
	expect(said(await undo(id))).toEqual(["a.txt skipped disk-full"]);
	expect(bed.read("a.txt").equals(before)).toBe(true);
});
