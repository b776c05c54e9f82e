import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTracker } from "../../../packages/changes/src/client/start-tracker.ts";
import type { OpenWindow, Tracker } from "../../../packages/changes/src/client/tracker.ts";
import type { ChangeDetail } from "../../../packages/changes/src/model.ts";
import { type DeadMount, mountNothing, whyNoDeadMount } from "../../support/dead-mount.ts";

const missing = whyNoDeadMount();
if (missing !== undefined) console.warn(`SKIPPED: dead mounts are not tested here: ${missing}.`);

/** Five seconds are waited here, with room for a busy machine; a disk that is waited for never answers. */
const SOON_MS = 15_000;

describe.skipIf(missing !== undefined)("a disk that does not answer", () => {
	let folder = "";
	let tracker: Tracker;
	const mounts: DeadMount[] = [];
	beforeEach(async () => {
		folder = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-dead-root-")));
		for (const name of ["root/sub", "fine"]) mkdirSync(join(folder, name), { recursive: true });
		tracker = startTracker({ home: join(folder, "home"), workMs: 5_000 });
		for (const name of ["root", "fine"]) await tracker.prepare(join(folder, name));
		await tracker.list("one", { limit: 1 });
	});
	afterEach(async () => {
		for (const mount of mounts.splice(0)) mount.close();
		await tracker.close();
		rmSync(folder, { recursive: true, force: true });
	});

	const die = (name: string) => {
		mkdirSync(join(folder, name), { recursive: true });
		mounts.push(mountNothing(join(folder, name)));
	};
	const open = (changeId: string, name: string): OpenWindow => ({
		...{
			windowId: `w-${changeId}`,
			changeId,
			conversationId: "one",
			kind: "turn",
			cwd: join(folder, name),
			actor: "agent-shell",
			label: "",
		},
	});
	const soon = async <T>(work: Promise<T>): Promise<T> => {
		const began = performance.now();
		const done = await work;
		expect(performance.now() - began).toBeLessThan(SOON_MS);
		return done;
	};
	const detailOf = (answer: Awaited<ReturnType<Tracker["settle"]>>): ChangeDetail | undefined =>
		answer !== undefined && "change" in answer ? answer : undefined;
	async function change(changeId: string, name: string): Promise<ChangeDetail | undefined> {
		await soon(tracker.openWindow(open(changeId, name)));
		return detailOf(await soon(tracker.settle(changeId)));
	}

	test("[CH430] a folder that dies in the middle of a change costs what lies behind it; what is known is told, and others go on", async () => {
		await tracker.openWindow(open("c", "root"));
		writeFileSync(join(folder, "root/made"), "1\n");
		die("root/sub");
		const detail = detailOf(await soon(tracker.settle("c")));
		expect(detail).toMatchObject({ change: { partial: true }, files: [{ path: "made", status: "added" }], notCovered: [{ path: "" }] });
		await tracker.openWindow(open("f", "fine"));
		writeFileSync(join(folder, "fine/made"), "1\n");
		expect(detailOf(await soon(tracker.settle("f")))).toMatchObject({ files: [{ path: "made", status: "added" }], notCovered: [] });
		const get = async () => detailOf(await tracker.get({ conversationId: "one", changeId: "c" }));
		await expect.poll(async () => (await get())?.change.partial, { timeout: 60_000 }).toBe(undefined);
		expect(await get()).toMatchObject({ files: [{ path: "made" }], notCovered: [{ path: "", reason: "not-answering" }] });
		expect((await change("next", "root"))?.notCovered).toEqual([{ path: "", reason: "not-answering" }]);
	});

	test("[CH430] a conversation in a folder that never answered is told so, in time", async () => {
		die("dead");
		expect((await change("c", "dead"))?.notCovered).toEqual([{ path: "", reason: "not-answering" }]);
		expect(await change("f", "fine")).toBe(undefined);
	});
});
