import type { Todo } from "@rightseat/protocol/model/todo";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { jsonBytes } from "../kernel/fit.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { OpenSession } from "../ports/agent-runtime.ts";
import { MAX_TODOS, MAX_TODOS_BYTES } from "./todos.ts";

let bed: CoreBed;
let id: ConversationId;
let options: OpenSession;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
	bed.conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	const turn = await bed.runtime.nextTurn();
	({ options } = turn);
	turn.end();
	await bed.clock.advance(100);
});
afterEach(() => bed.close());

const todo = (n: number, status: Todo["status"] = "pending", title = `Thing ${n}`): Todo => ({ id: `t${n}`, title, status });
const shown = (core: CoreBed) => core.watch(id).of("copilot:snapshot")[0]?.todos;

test("[AG480] the to-do list is told to every reader when it changes, in a turn or after it, and is there after a restart", async () => {
	const watcher = bed.watch(id);
	const items = [todo(1, "in_progress"), todo(2, "blocked", "Write s3cret-value\n down")];
	options.onTodos(items);
	options.onTodos(items);
	await bed.clock.advance(10);
	const [told, ...more] = watcher.of("copilot:todos");
	expect(told).toMatchObject({ items: [items[0], { id: "t2", status: "blocked", title: expect.stringMatching(/^Write .* down$/) }] });
	expect(JSON.stringify(told)).not.toContain("s3cret-value");
	expect(more).toEqual([]);
	const after = bed.afterCrash();
	expect(shown(after)).toEqual({ items: told?.items });
	expect(after.watch(id, { epoch: bed.store.conversations.find(id)?.epoch, lastSeq: 0 }).of("copilot:todos")).toEqual([told]);
});

test("[AG481] an empty list is told once and goes; the list goes with its conversation", async () => {
	options.onTodos([todo(1)]);
	options.onTodos([]);
	const watcher = bed.watch(id);
	options.onTodos([]);
	await bed.clock.advance(10);
	expect(shown(bed)).toBeUndefined();
	expect(watcher.of("copilot:todos")).toEqual([]);
	options.onTodos([todo(1)]);
	await bed.clock.advance(10);
	const deleted = bed.conversations.delete(id);
	await bed.clock.advance(10_000);
	await deleted;
	expect(bed.store.todos.find(id)).toBeUndefined();
	options.onTodos([todo(2)]);
});

test("[AG482] a long list is bounded in items, in titles and in bytes, and says how many more there are", async () => {
	options.onTodos(Array.from({ length: MAX_TODOS + 7 }, (_, n) => todo(n)));
	expect(shown(bed)).toMatchObject({ more: 7, items: { length: MAX_TODOS } });
	options.onTodos(Array.from({ length: 100 }, (_, n) => todo(n, "pending", "字".repeat(5_000))));
	const list = shown(bed);
	expect(jsonBytes(list?.items)).toBeLessThanOrEqual(MAX_TODOS_BYTES + 2);
	expect(list?.items[0]?.title).toHaveLength(300);
	expect((list?.items.length ?? 0) + (list?.more ?? 0)).toBe(100);
});
