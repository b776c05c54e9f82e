import type { LogEvent } from "@rightseat/protocol/events/event";
import { expect, test } from "vitest";
import { conversationId } from "../kernel/ids.ts";
import { createRedactor } from "../kernel/redact.ts";
import type { EventLog } from "./event-log.ts";
import { createRedactingLog, MAX_OPEN_STREAMS } from "./redacting-log.ts";

const id = conversationId("c1");
const other = conversationId("c2");
const SECRET = "s3cret-value-of-ours";

function bed() {
	const events: { id: string; event: LogEvent }[] = [];
	let failing = false;
	const plain: EventLog = {
		append: (conversation, event) => void events.push({ id: conversation, event }),
		commit(work) {
			const before = events.length;
			const result = work();
			if (!failing) return result;
			events.length = before;
			throw new Error("The disk is full.");
		},
		together: (_, work) => ({ result: work(), isWritten: false }),
		flush: () => true,
		overflowing: () => false,
		close: () => undefined,
	};
	const log = createRedactingLog(plain, createRedactor([SECRET]));
	return {
		log,
		delta: (content: string, messageId = "m1", to = id) => log.append(to, { type: "copilot:delta", data: { messageId, content } }),
		output: (output: string, execId = "e1") => log.append(id, { type: "bash:output", data: { execId, stream: "output", output } }),
		fail: (value: boolean) => {
			failing = value;
		},
		shown: () =>
			events.map(({ event }) => ("content" in event.data ? event.data.content : "output" in event.data ? event.data.output : event.type)),
	};
}

test("[SE145] a secret that comes in several deltas is in no event", () => {
	const { delta, log, shown } = bed();
	for (const piece of ["The key is s3c", "ret-", "value-of-", "ours", ", keep it."]) delta(piece);
	log.append(id, { type: "copilot:message", data: { messageId: "m1", content: `The key is ${SECRET}, keep it.` } });
	expect(shown()).toEqual(["The key is ", "[redacted]", ", keep it.", "The key is [redacted], keep it."]);
});

test("[SE145] what waited goes out before the message ends, before the next part of the turn, and at the end of the turn", () => {
	const { delta, log, shown } = bed();
	delta("it ends with s3c");
	log.append(id, { type: "copilot:message", data: { messageId: "m1", content: "it ends with s3c" } });
	delta("more s3c", "m2");
	log.append(id, { type: "copilot:tool_start", data: { toolCallId: "t", toolName: "Bash", arguments: {} } });
	log.append(id, { type: "copilot:reasoning_delta", data: { reasoningId: "r1", content: "thinking s3" } });
	delta("cret s", "m3");
	log.releaseTurn(id);
	expect(shown()).toEqual([
		"it ends with ",
		"s3c",
		"it ends with s3c",
		"more ",
		"s3c",
		"copilot:tool_start",
		"thinking ",
		"s3",
		"cret ",
		"s",
	]);
});

test("[SE145] what happens beside it does not tear a secret in two", () => {
	const { delta, output, log, shown } = bed();
	delta("key s3cret-");
	output("from a command: s3cret-");
	log.append(id, { type: "copilot:queue", data: { items: [] } });
	delta("text of another conversation", "m9", other);
	delta("value-of-ours");
	output("value-of-ours\n");
	log.append(id, { type: "bash:done", data: { execId: "e1", exitCode: 0, cwd: "/", truncated: false, durationMs: 1 } });
	expect(shown()).toEqual([
		"key ",
		"from a command: ",
		"copilot:queue",
		"text of another conversation",
		"[redacted]",
		"[redacted]\n",
		"bash:done",
	]);
});

test("[SE145] what went out in a transaction that failed goes out with the next one", () => {
	const { output, log, fail, shown } = bed();
	output("Password for s3c");
	const done: LogEvent = { type: "bash:done", data: { execId: "e1", exitCode: 0, cwd: "/", truncated: false, durationMs: 1 } };
	const finish = () => log.commit(() => log.append(id, done));
	fail(true);
	expect(finish).toThrow("The disk is full.");
	fail(false);
	finish();
	expect(shown()).toEqual(["Password for ", "s3c", "bash:done"]);
});

test("[SE145] streams that wait are bounded: the oldest gives out what it has", () => {
	const { delta, shown } = bed();
	for (let i = 0; i <= MAX_OPEN_STREAMS; i += 1) delta("s3", "m", conversationId(`c${i}`));
	expect(shown()).toEqual(["s3"]);
});
