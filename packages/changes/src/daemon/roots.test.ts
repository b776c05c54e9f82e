import { expect, test } from "vitest";
import { createRoots, ROOT_LIMITS, type Root } from "./roots.ts";
import type { ThreadHandle } from "./thread-handle.ts";
import type { Answer } from "./tracker-protocol.ts";

interface StandIn extends ThreadHandle {
	path: string;
	state: "open" | "closed" | "abandoned";
	/** The disk answers again. */
	release(): void;
}

/** Threads that answer nothing until told, and a clock that is moved by hand. */
function createBed() {
	let time = 0;
	const threads: StandIn[] = [];
	const roots = createRoots({
		now: () => time,
		find: (cwd) => (cwd.startsWith("/dead-lookup") ? new Promise(() => undefined) : Promise.resolve({ root: cwd, refused: false })),
		limits: { lookupMs: 1 },
		start({ root }, onEnd) {
			let release: () => void = () => undefined;
			const waiting: ((answer: Answer) => void)[] = [];
			const thread: StandIn = {
				...{ path: root, state: "open", ended: false, activity: () => 0, release: () => release() },
				get pending() {
					return waiting.length;
				},
				ask: () => new Promise<Answer>((resolve) => waiting.push(resolve)),
				close() {
					thread.state = "closed";
				},
				async abandon() {
					thread.state = "abandoned";
					for (const resolve of waiting.splice(0)) resolve({ kind: "failed", reason: "" });
					onEnd();
					await new Promise<void>((resolve) => {
						release = resolve;
					});
				},
			};
			threads.push(thread);
			return thread;
		},
	});
	const get = async (path: string): Promise<Root> => {
		const root = await roots.find(path);
		if (typeof root === "string") throw new TypeError(root);
		return root;
	};
	return { roots, threads, get, advance: (ms: number) => (time += ms) };
}

test("[CH52] a thread that gets nowhere while somebody waits is given up; its root rests, others go on", async () => {
	const { roots, threads, get, advance } = createBed();
	const [dead, fine] = [await get("/dead"), await get("/fine")];
	const asked = dead.thread.ask({ kind: "verify" });
	roots.sweep();
	advance(ROOT_LIMITS.stuckMs - 1);
	roots.sweep();
	expect(threads.map(({ state }) => state)).toEqual(["open", "open"]);
	advance(1);
	roots.sweep();
	expect(threads.map(({ state }) => state)).toEqual(["abandoned", "open"]);
	expect(await asked).toMatchObject({ kind: "failed" });
	expect([await roots.find("/dead"), await get("/fine")]).toEqual(["not-answering", fine]);
	advance(ROOT_LIMITS.restMs);
	expect((await get("/dead")).thread).not.toBe(dead.thread);
});

test("[CH52] threads that were given up and do not end are bounded, and so are lookups that do not answer", async () => {
	const { roots, threads, get, advance } = createBed();
	for (let count = 0; count < ROOT_LIMITS.dying; count += 1) {
		const { thread } = await get(`/dead${count}`);
		void thread.ask({ kind: "verify" });
		roots.sweep();
		advance(ROOT_LIMITS.stuckMs);
		roots.sweep();
	}
	expect(await roots.find("/fine")).toBe("not-answering");
	threads[0]?.release();
	await expect.poll(() => roots.find("/fine")).not.toBe("not-answering");
	for (let count = 0; count < ROOT_LIMITS.lookups; count += 1) expect(await roots.find(`/dead-lookup${count}`)).toBe("not-answering");
	expect(await roots.find("/never-seen")).toBe("not-answering");
	expect(typeof (await roots.find("/fine"))).toBe("object");
});

test("[CH53] the longest unused root goes first, one with open windows stays, and what nobody uses is let go", async () => {
	const { roots, threads, get, advance } = createBed();
	for (let count = 0; count < ROOT_LIMITS.roots; count += 1) {
		(await get(`/${count}`)).windows.add("w");
		advance(1);
	}
	expect(await roots.find("/more")).toBe("too-many-files");
	for (const path of ["/3", "/5"]) (await get(path)).windows.clear();
	advance(1);
	await get("/3");
	await get("/more");
	expect(threads.filter(({ state }) => state === "closed").map(({ path }) => path)).toEqual(["/5"]);
	advance(ROOT_LIMITS.idleMs);
	roots.sweep();
	expect(roots.list().map(({ path }) => path)).not.toContain("/3");
	expect(roots.list()).toHaveLength(ROOT_LIMITS.roots - 2);
	roots.close();
	expect(threads.every(({ state }) => state === "closed")).toBe(true);
});
