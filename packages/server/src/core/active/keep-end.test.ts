import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import { WHOLE_TRIES } from "./keep-end.ts";

let bed: CoreBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
});
afterEach(() => bed.close());

const send = (prompt: string) => bed.conversations.prompt({ conversationId: id, prompt, origin: "web" });

/** The store fails to add messages of this role, so many times. */
function failToStore(role: "user" | "assistant", error: Error, times: number): () => void {
	const { addMessage } = bed.store.messages;
	let left = times;
	bed.store.messages.addMessage = (conversation, message) => {
		if (message.role === role && left > 0) {
			left -= 1;
			throw error;
		}
		return addMessage(conversation, message);
	};
	return () => {
		left = 0;
	};
}
async function answered(prompt: string): Promise<void> {
	send(prompt);
	const turn = await bed.runtime.nextTurn();
	turn.text(`answer to ${prompt}`);
	turn.end();
	await bed.clock.advance(20);
}
const contents = () => bed.conversations.messages(id, { limit: 20 }).messages.map((message) => message.content);

test("[EV100] the end of a turn that one fault kept from being stored is stored at the next try", async () => {
	const watcher = bed.watch(id);
	failToStore("assistant", new Error("a fault"), WHOLE_TRIES - 1);
	await answered("One");
	await bed.clock.advance(5_000);
	expect(contents()).toEqual(["One", "answer to One"]);
	expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "completed" }]);
});

test("[EV101] an end that cannot be stored whole is stored with its text, and the queue goes on", async () => {
	const watcher = bed.watch(id);
	failToStore("assistant", new Error("a fault"), WHOLE_TRIES);
	await answered("One");
	send("Two");
	await bed.clock.advance(5_000);
	expect(contents().slice(0, 2)).toEqual(["One", "answer to One"]);
	expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "error" }]);
	expect(watcher.of("copilot:error")).toMatchObject([{ code: "internal" }]);
});

test("[EV102] an end that cannot be stored at all is told, and what was shown is stored before the next turn takes its place", async () => {
	const watcher = bed.watch(id);
	const mend = failToStore("assistant", new Error("a fault"), Number.POSITIVE_INFINITY);
	await answered("One");
	await bed.clock.advance(5_000);
	expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "error" }]);
	expect(bed.conversations.active()).toEqual([]);
	mend();
	await answered("Two");
	expect(contents()).toEqual(["One", "answer to One", "Two", "answer to Two"]);
});

test("[EV103] the end of a command is told even when it cannot be stored", async () => {
	const watcher = bed.watch(id);
	failToStore("user", new Error("a fault"), Number.POSITIVE_INFINITY);
	const { execId } = bed.conversations.exec({ conversationId: id, command: "ls", origin: "web" });
	bed.shell.commands[0]?.finish({ exitCode: 3 });
	await bed.clock.advance(5_000);
	expect(watcher.of("bash:done")).toMatchObject([{ execId, exitCode: 3 }]);
	expect(bed.conversations.killExec(execId)).toBe(false);
});

test("[EV103] a result that cannot be stored whole is stored without its output", async () => {
	failToStore("user", new Error("a fault"), WHOLE_TRIES);
	bed.conversations.exec({ conversationId: id, command: "ls", origin: "web" });
	bed.shell.commands[0]?.output("a.txt");
	bed.shell.commands[0]?.finish();
	await bed.clock.advance(5_000);
	expect(contents()).toEqual([expect.stringContaining("$ ls\n[the output could not be stored")]);
});

test("[EV104] old events that cannot be removed hold up neither the queue nor an end", async () => {
	bed.store.events.trim = () => {
		throw new AppError("storage-busy", "busy");
	};
	send("One");
	send("Two");
	(await bed.runtime.nextTurn()).end();
	await bed.clock.advance(100);
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("Two");
});

test("[EV115] a conversation that is used as a shell is pruned too, but not what a running turn needs after a crash", async () => {
	const pruned: (number | undefined)[] = [];
	bed.store.events.trim = async (_conversation, keep) => void pruned.push(keep.from);
	const run = async () => {
		bed.conversations.exec({ conversationId: id, command: "ls", origin: "web" });
		bed.shell.commands.at(-1)?.finish();
		await bed.clock.advance(10);
	};
	await run();
	// Nothing runs: everything up to now may go, and nothing that comes later.
	expect(pruned).toEqual([(bed.store.conversations.find(id)?.headSeq ?? 0) + 1]);
	send("One");
	const turn = await bed.runtime.nextTurn();
	const first = bed.store.turns.open()[0]?.firstSeq ?? 0;
	await run();
	expect(pruned.at(-1)).toBe(first);
	turn.end();
});

test("[EV106] one conversation that cannot be put right after a crash does not keep the server from starting", async () => {
	send("One");
	await bed.runtime.nextTurn();
	const other = await bed.begin();
	bed.conversations.prompt({ conversationId: other, prompt: "Other", origin: "web" });
	await bed.runtime.nextTurn();
	const { addMessage } = bed.store.messages;
	bed.store.messages.addMessage = (conversation, message) => {
		if (conversation === id) throw new Error("a fault");
		return addMessage(conversation, message);
	};
	const next = bed.afterCrash();
	expect(next.conversations.get(other).status).toBe("error");
	bed.store.messages.addMessage = addMessage;
	bed = next;
});
