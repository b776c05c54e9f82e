import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import { CIRCUIT_OPEN_MS, LOOK_LIMIT_MS, MAX_CALLS, MAX_QUEUED, MAX_STUCK } from "./folder-calls.ts";
import { createFolderClient } from "./folder-client.ts";
import { type FolderProcessListener, MAX_DYING } from "./folder-processes.ts";
import type { FolderRequest } from "./folder-protocol.ts";

interface StandIn {
	requests: FolderRequest[];
	listener: FolderProcessListener;
	killed: boolean;
}

/** Processes that answer for every folder but those below /dead; `immortal` ones do not go when they are killed. */
function createBed({ immortal = false, stuck = 0 } = {}) {
	const clock = createFakeClock();
	const processes: StandIn[] = [];
	const folders = createFolderClient({
		clock,
		logger: silentLogger,
		start(listener) {
			const process: StandIn = { requests: [], listener, killed: false };
			processes.push(process);
			return {
				send(request) {
					process.requests.push(request);
					const { id, ask } = request;
					if (ask.path.startsWith("/dead")) return;
					queueMicrotask(() => listener.reply({ id, answer: { kind: "look", found: { realPath: ask.path, isDirectory: true } }, stuck }));
				},
				kill() {
					process.killed = true;
					if (!immortal) listener.exit();
				},
			};
		},
	});
	const fails = { code: "folder-not-answering", retryable: true };
	return { clock, processes, folders, fails };
}

test("[SH104] a folder that never answers fails in time, and others are answered meanwhile and afterwards", async () => {
	const { clock, processes, folders, fails } = createBed();
	const dead = folders.look("/dead");
	const failed = expect(dead).rejects.toMatchObject(fails);
	expect(await folders.look("/fine")).toEqual({ realPath: "/fine", isDirectory: true });
	await clock.advance(LOOK_LIMIT_MS);
	await failed;
	expect(processes.map((process) => process.killed)).toEqual([true]);
	expect(await folders.look("/fine")).toEqual({ realPath: "/fine", isDirectory: true });
	expect(processes).toHaveLength(2);
	folders.close();
	expect([processes.at(-1)?.killed, clock.pending()]).toEqual([true, 0]);
});

test("[SH104] a folder that did not answer is left alone for a while, then asked again", async () => {
	const { clock, processes, folders, fails } = createBed();
	const first = expect(folders.look("/dead")).rejects.toMatchObject(fails);
	await clock.advance(LOOK_LIMIT_MS);
	await first;
	const asked = () => processes.flatMap((process) => process.requests).length;
	expect(asked()).toBe(1);
	await expect(folders.look("/dead")).rejects.toMatchObject(fails);
	expect(asked()).toBe(1);
	await clock.advance(CIRCUIT_OPEN_MS);
	const again = expect(folders.look("/dead")).rejects.toMatchObject(fails);
	expect(asked()).toBe(2);
	await clock.advance(LOOK_LIMIT_MS);
	await again;
});

test("[SH104] what waits when a stuck or dead process is replaced is asked of the next one", async () => {
	const { clock, processes, folders, fails } = createBed();
	const dead = expect(folders.look("/dead")).rejects.toMatchObject(fails);
	await clock.advance(LOOK_LIMIT_MS / 2);
	const slow = expect(folders.look("/dead/slow")).rejects.toMatchObject(fails);
	await clock.advance(LOOK_LIMIT_MS / 2);
	await dead;
	expect(processes.at(-1)?.requests.map(({ ask }) => ask.path)).toEqual(["/dead/slow"]);
	processes.at(-1)?.listener.exit();
	await slow;
});

test("[SH104] calls, and processes that cannot be killed, are bounded", async () => {
	const { clock, processes, folders, fails } = createBed({ immortal: true });
	const waiting = Array.from({ length: MAX_CALLS + MAX_QUEUED }, (_, i) => expect(folders.look(`/dead/${i}`)).rejects.toMatchObject(fails));
	await expect(folders.look("/one-too-many")).rejects.toMatchObject(fails);
	expect(processes[0]?.requests).toHaveLength(MAX_CALLS);
	// Once for those that were asked, once for those that were asked when these had failed; the rest has given up by then.
	await clock.advance(LOOK_LIMIT_MS);
	await clock.advance(LOOK_LIMIT_MS);
	await Promise.all(waiting);
	for (let round = 0; round < MAX_DYING + 2; round++) {
		const call = expect(folders.look(`/dead/again-${round}`)).rejects.toMatchObject(fails);
		await clock.advance(LOOK_LIMIT_MS);
		await call;
	}
	expect(processes).toHaveLength(MAX_DYING);
	processes[0]?.listener.exit();
	expect(await folders.look("/fine")).toMatchObject({ isDirectory: true });
});

test("[SH104] a process that has lost many of its threads is replaced before it has none left", async () => {
	const { processes, folders } = createBed({ stuck: MAX_STUCK });
	expect(await folders.look("/fine")).toMatchObject({ isDirectory: true });
	expect(processes.map((process) => process.killed)).toEqual([true]);
});

test("[SH104] many who ask at once are answered: the same question is one look, other ones wait their turn", async () => {
	const { processes, folders } = createBed();
	const same = await Promise.all(Array.from({ length: 200 }, () => folders.look("/fine")));
	expect(same.every((found) => found?.isDirectory)).toBe(true);
	expect(processes[0]?.requests).toHaveLength(1);
	const other = await Promise.all(Array.from({ length: 200 }, (_, i) => folders.look(`/fine/${i}`)));
	expect(other.every((found) => found?.isDirectory)).toBe(true);
});
