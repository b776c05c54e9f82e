import { afterEach, expect, test } from "vitest";
import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

/** Such a write fails from now on, as it does in a process that dies there. */
const dieAt = (name: string, when: string) =>
	bed.opened.sql.exec(`CREATE TRIGGER ${name} BEFORE ${when} BEGIN SELECT RAISE(ABORT, 'dies here'); END`);
const handled = "UPDATE ON telegram_inbox WHEN new.state = 'done'";

async function crashAndGoOn(trigger: string): Promise<void> {
	bed = await bed.crash({ meanwhile: () => bed.opened.sql.exec(`DROP TRIGGER ${trigger}`) });
	await bed.tick();
}

test("[TG571] a chat gets the answer of a turn that ran when it was given the conversation, although the process died before it was shown", async () => {
	bed = await createTelegramBed();
	const id = conversationId((await bed.conversations.create({})).id);
	bed.conversations.prompt({ conversationId: id, prompt: "from the page", origin: "web" });
	const turn = await bed.nextTurn();
	turn.text("half of it");
	await bed.tick();
	// The chat has it, and nothing of it has reached the chat.
	bed.conversations.subscribe = () => ({ close: () => undefined });
	bed.ann.text(`/link ${bed.channel.linkCode(id)}`);
	await bed.tick();
	bed = await bed.crash();
	await bed.tick();
	expect(bed.said().map(({ text }) => text)).toEqual([
		expect.stringContaining("This chat shows"),
		"half of it\n\n⚠️ The server stopped while this answer was being written. Send “Continue” to go on.",
	]);
});

test("[TG571] a chat that is given its own conversation once more still gets the answer that it waits for", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	turn.text("the answer");
	await bed.tick();
	const id = bed.conversation();
	// It ends while nobody watches.
	bed.conversations.subscribe = () => ({ close: () => undefined });
	bed.ann.text(`/link ${bed.channel.linkCode(id)}`);
	await bed.tick();
	turn.end();
	await bed.tick();
	bed.ann.text(`/link ${bed.channel.linkCode(id)}`);
	await bed.tick();
	bed = await bed.crash();
	await bed.tick();
	expect(bed.said().map(({ text }) => text)).toContain("the answer");
});

test("[TG572] a `/new` that a crash cut off makes one conversation and is answered once", async () => {
	bed = await createTelegramBed();
	dieAt("no_done", handled);
	bed.ann.text("/new");
	await bed.tick();
	await crashAndGoOn("no_done");
	expect(bed.said().filter(({ text }) => text.startsWith("New conversation"))).toHaveLength(1);
	expect(bed.conversations.list().conversations).toHaveLength(1);
});

test("[TG572] a `/fork` that a crash cut off makes one fork, and the chat shows it", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	turn.text("done");
	turn.end();
	await bed.tick();
	dieAt("no_done", handled);
	bed.ann.text("/fork");
	await bed.advance(1_000);
	await crashAndGoOn("no_done");
	await bed.advance(1_000);
	expect(bed.said().filter(({ text }) => text.startsWith("This chat shows"))).toHaveLength(1);
	expect(bed.conversations.list().conversations).toHaveLength(2);
});

test("[TG572] the first message of a chat leaves no conversation that the chat does not show", async () => {
	bed = await createTelegramBed();
	dieAt("no_chat", "INSERT ON telegram_chats");
	bed.ann.text("hello");
	await bed.advance(2_000);
	expect(bed.conversations.list().conversations).toEqual([]);
	bed.opened.sql.exec("DROP TRIGGER no_chat");
	await bed.ask("hello again");
	expect(bed.conversations.list().conversations).toHaveLength(1);
});
