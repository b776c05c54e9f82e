import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";

let bed: CoreBed;
beforeEach(async () => {
	bed = await createCoreBed();
});
afterEach(() => bed.close());

test("[RT110] what a sub-agent ran and used is in the frames and in the stored message", async () => {
	const id = await bed.begin();
	const watcher = bed.watch(id);
	bed.conversations.prompt({ conversationId: id, prompt: "Delegate", origin: "web" });
	const turn = await bed.runtime.nextTurn();
	const by = { agentId: "a1", parentToolCallId: "task-1" };
	turn.emit(
		{ kind: "usage", inputTokens: 10, outputTokens: 1, model: "big", contextTokens: 11 },
		{ kind: "tool-start", toolCallId: "inner", toolName: "Bash", arguments: { command: "ls" }, ...by },
		{ kind: "tool-end", toolCallId: "inner", success: true, result: "a.txt", ...by },
		{ kind: "usage", inputTokens: 5, outputTokens: 2, model: "small", contextTokens: 11, agentId: "a1" },
	);
	turn.end();
	await bed.clock.advance(100);
	expect(watcher.of("copilot:tool_start")).toMatchObject([{ toolCallId: "inner", ...by }]);
	expect(watcher.of("copilot:tool_end")).toMatchObject([{ toolCallId: "inner", result: "a.txt", ...by }]);
	expect(watcher.of("copilot:usage")).toMatchObject([{ model: "big" }, { model: "small", agentId: "a1" }]);
	const stored = bed.conversations.messages(id, { limit: 10 }).messages.at(-1);
	expect(stored?.metadata).toMatchObject({
		tools: [{ toolCallId: "inner", toolName: "Bash", arguments: { command: "ls" }, success: true, result: "a.txt", ...by }],
		usage: { inputTokens: 15, outputTokens: 3, model: "big", contextTokens: 11 },
	});
	expect(JSON.stringify(stored)).not.toContain('"seq"');
});
