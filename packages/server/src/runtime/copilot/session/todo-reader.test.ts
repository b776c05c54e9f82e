import type { Todo } from "@rightseat/protocol/model/todo";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createTodoReader, TODO_PACE_MS } from "./todo-reader.ts";

function bed() {
	const clock = createFakeClock();
	const told: Todo[][] = [];
	let rows: { id?: string; title?: string; status?: string }[] | undefined = [];
	let reads = 0;
	function set(next: typeof rows) {
		rows = next;
	}
	async function read() {
		reads += 1;
		if (rows === undefined) throw new Error("gone");
		return { rows, dependencies: [] };
	}
	const reader = createTodoReader({
		attach: async () => ({ sdk: { rpc: { plan: { readSqlTodosWithDependencies: read } } }, gone: new AbortController().signal }),
		onTodos: (items) => void told.push(items),
		clock,
		logger: silentLogger,
	});
	return { clock, told, reader, reads: () => reads, set };
}

test("[RT480] a change is read at once, a burst of them once more at its end, and a reading that fails costs only itself", async () => {
	const { clock, told, reader, reads, set } = bed();
	set([
		{ id: "a", title: "One", status: "in_progress" },
		{ id: "b", title: "Two", status: "waiting for tea" },
		{ id: "c" },
		{ title: "x" },
	]);
	for (let burst = 0; burst < 50; burst += 1) reader.changed();
	await clock.advance(0);
	expect(told).toEqual([
		[
			{ id: "a", title: "One", status: "in_progress" },
			{ id: "b", title: "Two", status: "pending" },
		],
	]);
	set(undefined);
	await clock.advance(TODO_PACE_MS);
	expect(reads()).toBe(2);
	await clock.advance(TODO_PACE_MS);
	set([]);
	reader.changed();
	await clock.advance(0);
	expect(told.at(-1)).toEqual([]);
	reader.changed();
	reader.close();
	reader.changed();
	await clock.advance(10 * TODO_PACE_MS);
	expect(reads()).toBe(3);
});
