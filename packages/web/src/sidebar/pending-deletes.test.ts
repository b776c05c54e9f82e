import { expect, test } from "vitest";
import { createPendingDeletes } from "./pending-deletes.ts";

function harness(execute: (id: string) => Promise<void> = async () => undefined) {
	const timers = new Set<() => void>();
	const deleted: string[] = [];
	const failed: string[] = [];
	const deletes = createPendingDeletes({
		execute: async (id) => {
			await execute(id);
			deleted.push(id);
		},
		onChange: () => undefined,
		onFailure: (id) => failed.push(id),
		setTimer: (run) => {
			timers.add(run);
			return () => timers.delete(run);
		},
	});
	const elapse = async () => {
		for (const run of [...timers]) {
			timers.delete(run);
			run();
		}
		await new Promise((resolve) => setTimeout(resolve, 0));
	};
	return { deletes, deleted, failed, elapse };
}

test("[PG66] a deleted conversation disappears at once and is deleted when the undo time is over", async () => {
	const { deletes, deleted, elapse } = harness();
	deletes.schedule("a");
	deletes.schedule("a");
	expect([...deletes.pending()]).toEqual(["a"]);
	expect(deleted).toEqual([]);
	await elapse();
	expect(deleted).toEqual(["a"]);
	expect(deletes.undo("a")).toBe(false);
});

test("[PG66] undo brings it back and nothing is deleted", async () => {
	const { deletes, deleted, elapse } = harness();
	deletes.schedule("a");
	expect(deletes.undo("a")).toBe(true);
	await elapse();
	expect([deleted, [...deletes.pending()]]).toEqual([[], []]);
});

test("[PG66] a delete that the server refuses brings the conversation back and says so", async () => {
	const { deletes, failed, elapse } = harness(async () => {
		throw new Error("offline");
	});
	deletes.schedule("a");
	await elapse();
	expect([failed, [...deletes.pending()]]).toEqual([["a"], []]);
});
