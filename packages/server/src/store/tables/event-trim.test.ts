import { expect, test } from "vitest";
import { execId, seq } from "../../core/kernel/ids.ts";
import { CHAT, openChat, temporaryHome } from "../store-harness.ts";
import { TRIM_STEP } from "./event-trim.ts";

const frame = (at: number, data: object, type = "copilot:delta") =>
	JSON.stringify({ type, data: { conversationId: CHAT, epoch: "e", seq: at, ...data } });

/** A log of so many events in a file, so that the second thread does the work. */
function filled(count: number, frameAt: (at: number) => string) {
	const opened = openChat(temporaryHome());
	opened.store.transaction(() => {
		for (let at = 1; at <= count; at += 1) opened.store.events.append(CHAT, seq(at), frameAt(at));
	});
	const seqs = () => opened.store.events.after(CHAT, seq(0), 10_000).map((event) => event.seq);
	return { ...opened, seqs };
}

test("[ST106] a log is trimmed by number and by bytes, in steps, and never from what a running turn needs", async () => {
	const { store, seqs } = filled(5 * TRIM_STEP, (at) => frame(at, { content: "字".repeat(100) }));
	const size = Buffer.byteLength(store.events.after(CHAT, seq(399), 1)[0]?.frame ?? "");
	await store.events.trim(CHAT, { events: 400, bytes: 1_000_000, from: seq(50), outputOf: [] });
	expect([seqs()[0], seqs().length]).toEqual([50, 451]);
	await store.events.trim(CHAT, { events: 400, bytes: 1_000_000, outputOf: [] });
	expect([seqs()[0], seqs().length]).toEqual([101, 400]);
	await store.events.trim(CHAT, { events: 400, bytes: 10 * size, outputOf: [] });
	expect(seqs()).toEqual([491, 492, 493, 494, 495, 496, 497, 498, 499, 500]);
});

test("[ST106] of what is older only the output of a command that still runs stays", async () => {
	const [running, ended] = [execId("exec-running"), execId("exec-ended")];
	const { store, seqs } = filled(3 * TRIM_STEP, (at) => {
		if (at % 100 === 5) return frame(at, { execId: running, stream: "output", output: "kept\n" }, "bash:output");
		if (at % 100 === 6) return frame(at, { execId: ended, stream: "output", output: running }, "bash:output");
		return frame(at, { execId: running, content: "said about it" });
	});
	await store.events.trim(CHAT, { events: 10, bytes: 1_000_000, outputOf: [running] });
	expect(seqs()).toEqual([5, 105, 205, 291, 292, 293, 294, 295, 296, 297, 298, 299, 300]);
});

test("[ST106] conversations in which nothing happened for long are found by their age", async () => {
	const { store } = filled(3, (at) => frame(at, { content: "old" }));
	store.conversations.update(CHAT, { updatedAt: 1_000 });
	expect([await store.events.quietSince(1_000, 9), await store.events.quietSince(1_001, 9)]).toEqual([[], [CHAT]]);
	await store.events.trim(CHAT, { events: 0, bytes: 0, outputOf: [] });
	expect(await store.events.quietSince(1_001, 9)).toEqual([]);
});
