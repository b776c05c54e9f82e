import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPackStore } from "../blobs/pack-store.ts";
import type { OpenWindow } from "../client/tracker.ts";
import { type ChangesIndex, openIndex, prepareHome } from "../index/open-index.ts";
import type { FoundRoot } from "../walk/find-root.ts";
import { answerAtDesk } from "./desk.ts";
import { createHost } from "./host.ts";
import { createRoots } from "./roots.ts";
import type { ThreadHandle } from "./thread-handle.ts";
import type { Answer, Ask } from "./tracker-protocol.ts";
import { createWrittenRoots } from "./undo-in-roots.ts";

let home = "";
let index: ChangesIndex;
beforeEach(() => {
	home = join(mkdtempSync(join(tmpdir(), "rightseat-host-")), "changes");
	prepareHome(home);
	index = openIndex(home).index;
});
afterEach(() => {
	index.close();
	rmSync(join(home, ".."), { recursive: true, force: true });
});

/** Threads that answer at once, but for the asks in `deaf`. */
function createBed({
	deaf = [],
	failing = [],
	find,
	slow,
}: {
	deaf?: Ask["kind"][];
	failing?: Ask["kind"][];
	find?: (cwd: string) => Promise<FoundRoot>;
	/** Ends of changes are answered by the test. */
	slow?: (root: string, resolve: (answer: Answer) => void) => void;
} = {}) {
	const asked: string[] = [];
	const blobs = createPackStore({ home, index });
	const thread = (name: string, answer: (ask: Ask) => Answer): ThreadHandle => ({
		...{ pending: 0, ended: false, activity: () => 0, close: () => undefined, abandon: async () => undefined },
		ask(ask) {
			asked.push(`${name} ${ask.kind}`);
			if (failing.includes(ask.kind)) return Promise.resolve({ kind: "failed", reason: "the disk is full" });
			if (ask.kind === "end" && slow !== undefined) return new Promise((resolve) => slow(name, resolve));
			return deaf.includes(ask.kind) ? new Promise(() => undefined) : Promise.resolve(answer(ask));
		},
	});
	const roots = createRoots({
		start: ({ root }) => thread(root, () => ({ kind: "done" })),
		find: find ?? (async (cwd) => ({ root: cwd, refused: false })),
	});
	const writing = createWrittenRoots();
	const desk = thread("desk", (ask) => answerAtDesk(index, blobs, ask));
	return { host: createHost({ roots, index, desk: () => desk, writing }), asked, roots, writing };
}

const window = (cwd: string, more: Partial<OpenWindow> = {}): OpenWindow => ({
	...{ windowId: "w", changeId: "c", conversationId: "one", kind: "turn", cwd, actor: "agent", label: "", ...more },
});
const open = (cwd: string, more: Partial<OpenWindow> = {}): Ask => ({ kind: "open", window: window(cwd, more), deadline: Date.now() + 50 });
const settle: Ask = { kind: "settle", changeId: "c", deadline: 0 };

test("[CH50] closing a window waits for its opening, and settling asks every root of the change", async () => {
	const { host, asked, roots } = createBed();
	await Promise.all([host.answer(open("/a")), host.answer({ kind: "close-window", windowId: "w", deadline: Date.now() + 1_000 })]);
	await host.answer(open("/b", { windowId: "v" }));
	expect(asked.slice(0, 3)).toEqual(["/a open", "/a copied", "/a close-window"]);
	expect(await host.answer({ ...settle, deadline: Date.now() + 60_000 })).toEqual({ kind: "detail" });
	expect(asked.slice(-3)).toEqual(["/a end", "/b end", "desk settle"]);
	expect(roots.list().map(({ windows }) => windows.size)).toEqual([0, 0]);
	expect(await host.answer(settle)).toEqual({ kind: "detail" });
});

test("[CH52] a root that does not answer delays by its deadline only, and the change says so", async () => {
	const { host } = createBed({ deaf: ["open", "copied", "end"] });
	await host.answer(open("/dead"));
	index.sql("INSERT INTO changes (id, conversation, kind, root, at) VALUES ('c', 'one', 'turn', '/dead', 1)").run();
	const answer = await host.answer({ ...settle, deadline: Date.now() + 20 });
	expect(answer).toMatchObject({ kind: "detail", detail: { notCovered: [{ path: "", reason: "too-slow" }] } });
});

test("[CH52] a folder that cannot be found is named in the change of whoever works there, and not for a window over no file", async () => {
	const { host } = createBed({ find: () => Promise.reject(new TypeError("gone")) });
	await host.answer(open("/gone", { paths: [] }));
	expect(await host.answer(settle)).toEqual({ kind: "detail" });
	await host.answer(open("/gone"));
	expect(await host.answer(settle)).toMatchObject({ detail: { notCovered: [{ path: "", reason: "not-answering" }] } });
});

test("[CH51] changes that a crash left open are settled when that is asked, and not those that go on", async () => {
	const { host, asked } = createBed();
	await host.answer(open("/a", { changeId: "goes on" }));
	index.sql("INSERT INTO changes (id, conversation, kind, root, at) VALUES ('left', 'one', 'turn', '/b', 1)").run();
	index.sql("INSERT INTO windows (id, change, root, request) VALUES ('v', 'left', '/b', '{}')").run();
	index.sql("INSERT INTO changes (id, conversation, kind, root, at) VALUES ('none', 'one', 'turn', '/c', 2)").run();
	const answer = await host.answer({ kind: "left-open" });
	expect(asked.slice(-3)).toEqual(["/b end", "desk settle", "desk settle"]);
	expect(answer).toMatchObject({ kind: "details", details: [{ change: { id: "none" }, notCovered: [{ reason: "recorder-down" }] }] });
});

test("[CH258] the roots of unfinished undos are looked after before anything is told, and not while undos write", async () => {
	const { host, asked, writing } = createBed();
	index.sql("INSERT INTO changes (id, conversation, kind, root, at, unfinished) VALUES ('ended', 'one', 'undo', '/a', 1, 1)").run();
	index.sql("INSERT INTO changes (id, conversation, kind, root, at, unfinished) VALUES ('cut', 'one', 'undo', '/b', 2, 1)").run();
	index.sql("INSERT INTO undos (change, root, plan) VALUES ('cut', '/b', '{}')").run();
	writing.add("/c");
	await host.answer({ kind: "left-open" });
	expect(asked).toEqual([]);
	writing.remove("/c");
	await host.answer({ kind: "left-open" });
	expect(asked).toEqual(["/a end", "/b end"]);
});

test("[CH52] a thread that cannot do what it is asked costs the record, and the change says so", async () => {
	const { host } = createBed({ failing: ["open"] });
	await host.answer(open("/a"));
	expect(await host.answer({ ...settle, deadline: Date.now() + 60_000 })).toMatchObject({
		detail: { notCovered: [{ path: "", reason: "recorder-down" }] },
	});
});

test("[CH450] of two undos at once the second is planned when the first has ended; a preview does not wait", async () => {
	const { host, asked } = createBed({ deaf: ["undo"] });
	index.sql("INSERT INTO changes (id, conversation, kind, root, at) VALUES ('c', 'one', 'turn', '/a', 1)").run();
	// The second begins when the first has been deaf for long enough, which may be after this test and its index.
	const undo = (newChangeId: string, preview?: true) =>
		void host
			.answer({ kind: "undo", undo: { conversationId: "one", changeIds: ["c"], kind: "undo", newChangeId, preview } })
			.catch(() => undefined);
	undo("first");
	undo("second");
	await expect.poll(() => asked).toEqual(["/a undo"]);
	undo("look", true);
	await expect.poll(() => asked).toEqual(["/a undo", "/a undo"]);
});

test("[CH410] a change whose end takes longer is told with what is known, says that there is more, and is complete afterwards", async () => {
	const waiting = new Map<string, (answer: Answer) => void>();
	const { host } = createBed({
		slow(root, resolve) {
			if (root === "/fine") resolve({ kind: "done" });
			else waiting.set(root, resolve);
		},
	});
	for (const [at, root] of ["/slow", "/gone", "/fine"].entries()) await host.answer(open(root, { windowId: `w${at}` }));
	index.sql("INSERT INTO changes (id, conversation, kind, root, at) VALUES ('c', 'one', 'turn', '/slow', 1)").run();
	const missing = { notCovered: [{ reason: "too-slow" }, { reason: "too-slow" }] };
	expect(await host.answer({ ...settle, deadline: Date.now() + 20 })).toMatchObject({ detail: { change: { partial: true }, ...missing } });
	const get = () => host.answer({ kind: "get", conversationId: "one", changeId: "c" });
	expect(await get()).toMatchObject({ detail: { change: { partial: true }, ...missing } });
	waiting.get("/slow")?.({ kind: "done" });
	waiting.get("/gone")?.({ kind: "failed", reason: "the folder does not answer" });
	await expect.poll(async () => (await get()).kind === "detail" && JSON.stringify(await get()).includes("partial")).toBe(false);
	expect(await get()).toMatchObject({ detail: { notCovered: [{ path: "/gone", reason: "too-slow" }] } });
});
