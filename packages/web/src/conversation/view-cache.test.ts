import { expect, test } from "vitest";
import { createMemoryStore } from "../storage/database.ts";
import { NOW } from "../testing/frames.ts";
import { type ConversationView, emptyView } from "./conversation-view.ts";
import { CACHED_CHARS, CACHED_MESSAGES, CACHED_VIEWS, createViewCache } from "./view-cache.ts";

function view(id: string, count: number): ConversationView {
	const messages = Array.from({ length: count }, (_, index) => ({
		id: `${id}-${index}`,
		role: "user" as const,
		content: `text ${index}`,
		metadata: { origin: "web" as const },
		createdAt: new Date(NOW).toISOString(),
	}));
	return { ...emptyView(id), epoch: "e1", lastSeq: 42, messages };
}

test("[PG16] text and position are kept together, the newest messages only", async () => {
	const cache = createViewCache(createMemoryStore());
	await cache.save(view("c1", CACHED_MESSAGES + 5), NOW);
	const kept = await cache.load("c1");
	expect([kept?.epoch, kept?.lastSeq, kept?.messages.length, kept?.messages.at(-1)?.id]).toEqual([
		"e1",
		42,
		CACHED_MESSAGES,
		`c1-${CACHED_MESSAGES + 4}`,
	]);
	expect(kept?.olderCursor).toBe("c1-5");
});

test("[PG16] a view with a running turn is not kept: its text would not belong to its position", async () => {
	const cache = createViewCache(createMemoryStore());
	await cache.save({ ...view("c1", 1), turn: { messageId: "a", userMessageId: "u", startedAt: "", parts: [], tools: [] } }, NOW);
	expect(await cache.load("c1")).toBeUndefined();
});

test("[PG338] of one conversation the device keeps a bounded number of characters, the newest messages; without room for one it keeps nothing", async () => {
	const cache = createViewCache(createMemoryStore());
	const long = view("c1", 5);
	const fat = { ...long, messages: long.messages.map((message) => ({ ...message, content: "x".repeat(CACHED_CHARS * 0.4) })) };
	await cache.save(fat, NOW);
	const kept = await cache.load("c1");
	expect([kept?.messages.map(({ id }) => id), kept?.olderCursor]).toEqual([["c1-3", "c1-4"], "c1-3"]);
	await cache.save({ ...fat, messages: fat.messages.map((message) => ({ ...message, content: "x".repeat(CACHED_CHARS) })) }, NOW);
	expect(await cache.load("c1")).toBeUndefined();
});

test("[PG290] results of `!cmd` that wait for the next prompt still wait after a reload", async () => {
	const cache = createViewCache(createMemoryStore());
	const context = [{ messageId: "c1-0", command: "ls", exitCode: 0, chars: 12 }];
	await cache.save({ ...view("c1", 1), context }, NOW);
	expect((await cache.load("c1"))?.context).toEqual(context);
});

test("[PG16] only the newest conversations stay on the device", async () => {
	const store = createMemoryStore();
	const cache = createViewCache(store);
	for (let index = 0; index < CACHED_VIEWS + 3; index++) await cache.save(view(`c${index}`, 1), NOW + index);
	expect(await store.all("views")).toHaveLength(CACHED_VIEWS);
	expect(await cache.load("c0")).toBeUndefined();
});
