import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { ChangeDetail } from "../model.ts";
import { startTracker } from "./start-tracker.ts";
import type { OpenWindow, Tracker } from "./tracker.ts";
import { trackerdOfTests } from "./trackerd-harness.ts";

const beds: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const bed of beds.splice(0)) await bed.close();
});

function startBed() {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-tracker-")));
	const root = join(folder, "root");
	mkdirSync(root);
	writeFileSync(join(root, "a"), "one\n");
	const log: string[] = [];
	const tracker = startTracker({ home: join(folder, "home"), onLog: (text) => log.push(text), workMs: 30_000, entry: trackerdOfTests() });
	let count = 0;
	const window = (changeId: string, more: Partial<OpenWindow> = {}): OpenWindow => {
		count += 1;
		return {
			windowId: `w${count}`,
			changeId,
			conversationId: "one",
			kind: "turn",
			cwd: root,
			actor: "agent-shell",
			label: "make",
			...more,
		};
	};
	beds.push({
		async close() {
			await tracker.close();
			rmSync(folder, { recursive: true, force: true });
		},
	});
	return { root, folder, tracker, window, log };
}

function detailIn(answer: Awaited<ReturnType<Tracker["settle"]>>): ChangeDetail | undefined {
	return answer !== undefined && "change" in answer ? answer : undefined;
}

test("[CH50] a change is recorded in another process, listed, read, compared and forgotten", async () => {
	const { tracker, window, root, log } = startBed();
	await tracker.prepare(root);
	const opened = window("c");
	await tracker.openWindow(opened);
	execFileSync("bash", ["-c", "echo two >> a; echo new > b"], { cwd: root });
	await tracker.closeWindow(opened.windowId);
	const detail = detailIn(await tracker.settle("c"));
	expect(log).toEqual([]);
	expect(detail).toMatchObject({ change: { id: "c", files: 2, added: 2, removed: 0, undone: false, root }, notCovered: [] });
	expect(detail?.files.map(({ path, status, by }) => `${status} ${path} ${by}`)).toEqual(["modified a agent-shell", "added b agent-shell"]);
	const scope = { conversationId: "one", changeId: "c" };
	expect(await tracker.list("one", { limit: 10 })).toEqual({ changes: [detail?.change] });
	expect(await tracker.get(scope)).toEqual(detail);
	expect(await tracker.get({ ...scope, changeId: "conversation" })).toMatchObject({ files: detail?.files });
	expect(await tracker.get({ conversationId: "two", changeId: "c" })).toBe(undefined);
	const diff = await tracker.diff(scope, "a");
	expect(Buffer.from(diff !== undefined && "bytes" in diff ? diff.bytes : []).toString()).toMatch(/^diff --git a\/a b\/a\n[\s\S]*\+two\n$/);
	expect(await tracker.diff(scope, "../a")).toBe(undefined);
	expect(await tracker.hunks(scope, "a", { ignoreWhitespace: false })).toMatchObject({
		file: { path: "a" },
		hunks: [{ lines: [{ text: "one" }, { kind: "+", text: "two" }] }],
	});
	const before = await tracker.content(scope, "a", "before");
	expect(Buffer.from(before !== undefined && "bytes" in before ? before.bytes : []).toString()).toBe("one\n");
	expect(await tracker.content(scope, "b", "before")).toBe(undefined);
	const request = { conversationId: "one", changeIds: ["c"], kind: "undo" as const, newChangeId: "u" };
	expect(await tracker.undo(request)).toMatchObject({
		files: [
			{ path: "a", result: "restored" },
			{ path: "b", result: "restored" },
		],
		change: { id: "u" },
	});
	expect(readdirSync(root)).toEqual(["a"]);
	expect(await tracker.unfinished()).toEqual([]);
	const idle = window("d");
	await tracker.openWindow(idle);
	expect(await tracker.settle("d")).toBe(undefined);
	await tracker.forget("one");
	expect(await tracker.list("one", { limit: 10 })).toEqual({ changes: [] });
});

test("[CH481] what is excluded is not recorded from above, not under another name and not from within; what lies beside it is", async () => {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-tracker-")));
	for (const path of ["root/own/work", "root/own/deep"]) mkdirSync(join(folder, path), { recursive: true });
	for (const path of ["root/own/token", "root/own/deep/log", "root/own/work/a", "root/b"]) writeFileSync(join(folder, path), "one\n");
	symlinkSync(join(folder, "root"), join(folder, "link"));
	const own = join(folder, "link/own");
	// From the sources, as whoever uses the package without our build does.
	const tracker = startTracker({ home: join(own, "changes"), excluded: [join(own, "token"), join(own, "deep")], workMs: 30_000 });
	beds.push({
		async close() {
			await tracker.close();
			rmSync(folder, { recursive: true, force: true });
		},
	});
	async function change(changeId: string, cwd: string) {
		const opened = {
			...{ windowId: changeId, changeId, conversationId: "one", kind: "turn" as const },
			cwd,
			actor: "person" as const,
			label: "",
		};
		await tracker.prepare(cwd);
		await tracker.openWindow(opened);
		execFileSync("bash", ["-c", "for f in own/token own/deep/log own/work/a b; do echo two >> $f; done"], { cwd: join(folder, "root") });
		const detail = detailIn(await tracker.settle(changeId));
		return [detail?.files.map(({ path }) => path), detail?.notCovered.map(({ reason }) => reason)];
	}
	expect(await change("above", join(folder, "root"))).toEqual([["b", "own/work/a"], []]);
	expect(await change("within", join(own, "deep"))).toEqual([[], ["root-refused"]]);
	expect(await change("itself", own)).toEqual([["work/a"], []]);
	expect(await change("work", join(own, "work"))).toEqual([["a"], []]);
});

test("[CH51] a recorder that is killed is replaced: open windows go on, and the change says that nobody was watching", async () => {
	const { tracker, window, root, folder } = startBed();
	await tracker.prepare(root);
	const opened = window("c");
	await tracker.openWindow(opened);
	execFileSync("bash", ["-c", "echo two >> a"], { cwd: root });
	const [pid = ""] = execFileSync("bash", ["-c", `fuser ${join(folder, "home/index.db")} 2> /dev/null`], { encoding: "utf8" })
		.trim()
		.split(/\s+/);
	process.kill(Number(pid), "SIGKILL");
	execFileSync("bash", ["-c", "echo new > b"], { cwd: root });
	await tracker.prepare(root);
	execFileSync("bash", ["-c", "echo new > c"], { cwd: root });
	const detail = detailIn(await tracker.settle("c"));
	expect(detail?.files.map(({ path }) => path)).toEqual(["a", "b", "c"]);
	expect(detail?.notCovered).toEqual([{ path: "", reason: "recorder-down" }]);
});

test("[CH55] the example of the README does what it says", async () => {
	const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
	const [, example = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
	const body = example.replace(/^import .*\n/gm, "").replaceAll(" as const", "");
	const [printed, made] = [[] as unknown[], [] as string[]];
	const make = (prefix: string) => {
		made.push(mkdtempSync(prefix));
		return made.at(-1);
	};
	const start = (options: { home: string }) => startTracker({ ...options, workMs: 30_000, entry: trackerdOfTests() });
	const run = new Function(
		"mkdtempSync",
		"writeFileSync",
		"tmpdir",
		"join",
		"startTracker",
		"console",
		`return (async () => {${body}})();`,
	);
	await run(make, writeFileSync, tmpdir, join, start, { log: (value: unknown) => printed.push(value) });
	expect(printed).toMatchObject([
		{ change: { id: "first", files: 1, added: 1 }, files: [{ path: "made.txt", status: "added", by: "person" }] },
		{ files: [{ path: "made.txt", result: "restored" }] },
	]);
	for (const folder of made) rmSync(folder, { recursive: true, force: true });
});
