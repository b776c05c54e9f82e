import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { KEPT_EVENT_BYTES, KEPT_EVENTS } from "../core/active/log-trim.ts";
import { conversationId, messageId, seq } from "../core/kernel/ids.ts";
import { conversationRow, openTestStore, temporaryHome } from "./store-harness.ts";

/** Text of words that are as common and as rare as in a language, the same in every run. */
function createWriter() {
	let state = 12_345;
	const random = () => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return state / 2_147_483_648;
	};
	const word = () => {
		const rank = Math.floor(20_000 ** random());
		if (rank % 7 === 0) return String.fromCodePoint(0x4e00 + (rank % 3_000), 0x4e00 + ((rank * 7) % 3_000));
		return rank < 300 ? `w${rank}` : `word${rank.toString(36)}s`;
	};
	return (chars: number) => {
		let text = "";
		while (text.length < chars) text += `${word()}${random() < 0.08 ? ".\n" : " "}`;
		return text;
	};
}

test("[ST175] the database takes at most 2.5 times the text that it holds", async () => {
	const { path } = temporaryHome();
	const { store, sql, clock } = openTestStore({ path });
	const write = createWriter();
	let textBytes = 0;
	const counted = (chars: number) => {
		const text = write(chars);
		textBytes += Buffer.byteLength(text);
		return text;
	};
	for (let c = 0; c < 60; c += 1) {
		const id = conversationId(`chat-${c}`);
		let position = 0;
		const log = (type: string, data: object) => {
			position += 1;
			const frame = JSON.stringify({ type, data: { conversationId: id, epoch: "5b0f4a1e-epoch", seq: position, ...data } });
			store.events.append(id, seq(position), frame);
		};
		store.transaction(() => {
			store.conversations.insert(conversationRow(id, { updatedAt: clock.now() }));
			for (let t = 0; t < 6; t += 1) {
				const [prompt, said, result] = [counted(200), counted(4_000), counted(3_000)];
				const answer = messageId(`answer-${c}-${t}`);
				store.messages.addMessage(id, { role: "user", content: prompt, metadata: { origin: "web", delivery: "taken" } });
				log("copilot:user_message", { messageId: `prompt-${t}`, content: prompt });
				log("copilot:tool_end", { toolCallId: `call-${t}`, success: true, result });
				for (let at = 0; at < said.length; at += 60) log("copilot:delta", { messageId: answer, content: said.slice(at, at + 60) });
				log("copilot:message", { messageId: answer, content: said });
				const tools = [
					{ toolCallId: `call-${t}`, toolName: "Bash", arguments: { command: "npm test" }, success: true, result, durationMs: 900 },
				];
				const parts = [
					{ kind: "tool", toolCallId: `call-${t}` },
					{ kind: "text", messageId: `part-${t}`, content: said },
				];
				const metadata = { outcome: "completed", tools, parts, model: "gpt-5", durationMs: 9_000, inReplyTo: `prompt-${t}` };
				store.messages.addMessage(id, { id: answer, role: "assistant", content: said, metadata });
			}
		});
		// Two are in use, the others rest, as core keeps their logs.
		const isResting = c >= 2;
		await store.events.trim(id, { events: isResting ? 0 : KEPT_EVENTS, bytes: isResting ? 0 : KEPT_EVENT_BYTES, outputOf: [] });
	}
	sql.exec("PRAGMA incremental_vacuum");
	sql.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
	expect(textBytes).toBeGreaterThan(2_000_000);
	expect(statSync(path).size / textBytes).toBeLessThan(2.5);
});
