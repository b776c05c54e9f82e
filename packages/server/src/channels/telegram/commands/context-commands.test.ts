import { expect, test, vi } from "vitest";
import { AppError } from "../../../core/kernel/errors.ts";
import { conversationId, messageId } from "../../../core/kernel/ids.ts";
import { MESSAGES } from "../messages/messages.ts";
import { createContextCommands } from "./context-commands.ts";

const thread = { chatId: 7 };

function bed(answer: Promise<string> = Promise.resolve("src/clock.ts")) {
	const said: string[] = [];
	const compacted: unknown[] = [];
	const commands = createContextCommands({
		conversations: {
			lookAtContext: async () => ({
				tokens: 21_480,
				limit: 128_000,
				categories: [{ kind: "messages", tokens: 13_466 }],
				asOf: "2026-11-17",
			}),
			compact: async (_, by) => {
				compacted.push(by);
				return { messageId: messageId("m1"), duplicate: false, delivery: "started" };
			},
			askAside: () => answer,
		},
		bindings: { ensure: async () => ({ entry: { conversationId: conversationId("c1") } }) },
		speaker: {
			words: () => MESSAGES.en,
			say: (_, text) => void said.push(typeof text === "string" ? text : text.text),
			sayError: (_, error) => void said.push(String(error)),
		},
	});
	return { commands, said, compacted };
}

test("[TG550] /context tells what fills the context, and that it is the last known; /compact begins the turn", async () => {
	const { commands, said, compacted } = bed();
	await commands.show(thread);
	expect(said).toEqual(["Context: 21,480 of 128,000 tokens\n• messages and results: 13,466\nLast known; the agent rests."]);
	await commands.compact(thread, "7", "tg:1:5");
	// The same message after a crash is the same turn.
	expect(compacted).toEqual([{ origin: "telegram", from: "7", clientMessageId: "tg:1:5" }]);
});

test("[TG551] /aside is answered when the model has answered, and holds up nothing; a long answer comes in parts, a refusal as a sentence", async () => {
	let reply: (text: string) => void = () => undefined;
	const { commands, said } = bed(new Promise((resolve) => (reply = resolve)));
	await commands.ask(thread, "", 3);
	await commands.ask(thread, "Which file?", 4);
	expect(said).toEqual([MESSAGES.en.asideUsage]);
	reply("word ".repeat(2_000));
	await vi.waitFor(() => expect(said.length).toBeGreaterThan(3));
	expect(said.slice(1).every((text) => text.length <= 4_096)).toBe(true);
	const refused = bed(Promise.reject(new AppError("agent-cannot", "It cannot.")));
	await refused.commands.ask(thread, "Which file?", 4);
	await vi.waitFor(() => expect(refused.said).toHaveLength(1));
	expect(refused.said[0]).toContain("It cannot.");
});
