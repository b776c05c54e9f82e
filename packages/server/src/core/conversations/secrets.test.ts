import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import type { ConversationId } from "../kernel/ids.ts";

/** What the test bed's redactor knows. */
const SECRET = "s3cret-value";

let bed: CoreBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
});
afterEach(() => bed.close());

const everything = () => JSON.stringify([bed.conversations.messages(id, { limit: 50 }), bed.conversations.get(id), bed.watch(id).frames]);

test("[SE147] what a person sends is the same live, stored, in a snapshot and for the model", async () => {
	const watcher = bed.watch(id);
	bed.conversations.prompt({ conversationId: id, prompt: `Use ${SECRET} please`, origin: "web" });
	const turn = await bed.runtime.nextTurn();
	bed.conversations.prompt({ conversationId: id, prompt: `queued ${SECRET}`, origin: "web" });
	const [queued] = bed.conversations.queue(id);
	expect(queued?.content).toBe("queued [redacted]");
	expect(turn.input.prompt).toBe("Use [redacted] please");
	turn.text("ok");
	turn.end();
	await bed.clock.advance(100);
	const live = watcher.of("copilot:user_message").map((data) => data.content);
	const stored = bed.conversations.messages(id, { limit: 50 }).messages.flatMap(({ role, content }) => (role === "user" ? [content] : []));
	expect(live).toEqual(["Use [redacted] please", "queued [redacted]"]);
	expect(stored).toEqual(live);
	expect(everything()).not.toContain(SECRET);
});

test("[SE246] a command runs as it was typed and is shown and stored without our secrets, its live output too", async () => {
	bed.conversations.exec({ conversationId: id, command: `curl -H ${SECRET}`, clientMessageId: "c1", origin: "web" });
	const command = bed.shell.commands.at(-1);
	expect(command?.request.command).toBe(`curl -H ${SECRET}`);
	command?.output("got s3cret-");
	await bed.clock.advance(50);
	command?.output("value\n");
	await bed.clock.advance(50);
	expect(everything()).not.toContain("cret-");
	expect(bed.conversations.exec({ conversationId: id, command: `curl -H ${SECRET}`, clientMessageId: "c1", origin: "web" }).duplicate).toBe(
		true,
	);
	command?.finish();
	await bed.clock.advance(100);
	expect(everything()).not.toContain("cret-");
	expect(bed.conversations.messages(id, { limit: 1 }).messages[0]?.content).toBe("$ curl -H [redacted]\ngot [redacted]\n\n[exit code: 0]");
});

test("[SE145] an answer that is stopped in the middle of a word keeps all that was said", async () => {
	const watcher = bed.watch(id);
	bed.conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	const turn = await bed.runtime.nextTurn();
	turn.emit({ kind: "text-delta", messageId: "m1", content: "The password begins with s3cret" });
	await bed.clock.advance(50);
	bed.conversations.abort(id);
	await bed.clock.advance(10_000);
	expect(
		watcher
			.of("copilot:delta")
			.map((data) => data.content)
			.join(""),
	).toBe("The password begins with s3cret");
	expect(bed.conversations.messages(id, { limit: 1 }).messages[0]?.content).toBe("The password begins with s3cret");
});
