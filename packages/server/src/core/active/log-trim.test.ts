import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { type ConversationId, seq } from "../kernel/ids.ts";
import { MAX_REPLAY_CHARS } from "../log/stream-hub.ts";
import { KEPT_EVENT_BYTES, KEPT_EVENTS_MS } from "./log-trim.ts";

let bed: CoreBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
});
afterEach(() => bed.close());

const kept = () => bed.store.events.after(id, seq(0), 100_000);
const keptChars = () => kept().reduce((sum, event) => sum + event.frame.length, 0);

/** A command that prints so much, from its beginning on; the result ends it. */
async function noisy(chars: number) {
	bed.conversations.exec({ conversationId: id, command: "make noise", origin: "web" });
	const command = bed.shell.commands.at(-1);
	for (let rest = chars; rest > 0; rest -= 10_000) {
		command?.output("n".repeat(Math.min(rest, 10_000)));
		await bed.clock.advance(60);
	}
	return async () => {
		command?.finish({ output: "done" });
		await bed.clock.advance(60);
	};
}

test("[EV115] a conversation that is used as a shell keeps no more than can be replayed", async () => {
	for (let count = 0; count < 12; count += 1) await (await noisy(500_000))();
	await bed.clock.advance(100);
	expect(keptChars()).toBeLessThan(1.5 * KEPT_EVENT_BYTES);
	expect(KEPT_EVENT_BYTES).toBeGreaterThan(MAX_REPLAY_CHARS);
});

test("[EV115] a command that runs on keeps its own output and nothing else, and a crash still tells what it printed", async () => {
	bed.conversations.exec({ conversationId: id, command: "serve", origin: "web" });
	const server = bed.shell.commands.at(-1);
	server?.output("listening on 3000\n");
	await bed.clock.advance(60);
	for (let count = 0; count < 12; count += 1) await (await noisy(500_000))();
	server?.output("still there\n");
	await bed.clock.advance(100);
	expect(keptChars()).toBeLessThan(1.5 * KEPT_EVENT_BYTES);
	const { conversations } = bed.afterCrash();
	const lost = conversations.messages(id, { limit: 20 }).messages.find((message) => message.content.includes("$ serve"));
	expect(lost?.content).toContain("listening on 3000\nstill there\n[lost:");
});

test("[EV190] a turn that begins while the log of a resting conversation is being removed keeps what a crash needs", async () => {
	await (await noisy(1_000))();
	const { trim } = bed.store.events;
	let begin: () => void = () => undefined;
	const asked = new Promise<void>((resolve) => {
		bed.store.events.trim = async (conversation, keep) => {
			resolve();
			await new Promise<void>((goOn) => {
				begin = goOn;
			});
			await trim(conversation, keep);
		};
	});
	await bed.clock.advance(KEPT_EVENTS_MS + 20 * 60_000);
	await asked;
	bed.conversations.prompt({ conversationId: id, prompt: "Hello", origin: "web" });
	(await bed.runtime.nextTurn()).text("Shown before the crash");
	await bed.clock.advance(100);
	begin();
	await bed.clock.advance(100);
	const { messages } = bed.afterCrash().conversations.messages(id, { limit: 20 });
	expect(messages.at(-1)?.content).toBe("Shown before the crash");
});

test("[EV115] of a conversation in which nothing happened for an hour no event stays; who was there goes on, who was not gets a snapshot", async () => {
	await (await noisy(1_000))();
	const row = bed.store.conversations.find(id);
	const position = { epoch: row?.epoch ?? "", lastSeq: row?.headSeq ?? 0 };
	await bed.clock.advance(KEPT_EVENTS_MS - 120_000);
	expect(kept().length).toBeGreaterThan(0);
	await bed.clock.advance(2 * 60 * 60_000);
	expect(kept()).toEqual([]);
	expect(bed.watch(id, position).types()).toEqual(["copilot:stream-status"]);
	expect(
		bed
			.afterCrash()
			.watch(id, { ...position, lastSeq: position.lastSeq - 1 })
			.types(),
	).toContain("copilot:snapshot");
});
