import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { conversationId } from "../../../core/kernel/ids.ts";
import { english } from "../messages/english.ts";
import { createCommandView } from "./command-view.ts";

function open() {
	const clock = createFakeClock();
	const [sent, replies, keys]: [string[], (number | undefined)[], Set<string>] = [[], [], new Set()];
	const live: string[] = [];
	let kept = 0;
	let refusing: boolean[] = [];
	const refuse = () => {
		if (refusing.shift() === true) throw new AppError("storage-read-only", "disk full");
	};
	const view = createCommandView({
		...{ chatId: 1, conversationId: conversationId("c1"), words: () => english, redact: (text: string) => text, clock },
		account: {
			add(bytes) {
				kept += bytes;
			},
		},
		writer: {
			send(outgoing, { key = "", onSettled } = {}) {
				refuse();
				if (keys.has(key)) return;
				keys.add(key);
				sent.push(outgoing.kind === "text" ? outgoing.text : outgoing.kind);
				onSettled?.("sent");
			},
			live({ replyTo }) {
				replies.push(replyTo);
				return {
					set: () => void live.push("set"),
					finish: () => void live.push("finish"),
					remove: () => void live.push("remove"),
					messageId: () => 7,
					mayBeSeen: () => true,
				};
			},
			button(text) {
				refuse();
				return { text, callback_data: "x" };
			},
			isSilent: () => false,
		},
	});
	return {
		...{ clock, view, sent, live, replies },
		kept: () => kept,
		/** Which of the next calls the disk refuses. */
		refuse(...next: boolean[]) {
			refusing = next;
		},
	};
}

const started = {
	type: "bash:start",
	data: { execId: "e1", command: "ls", cwd: "/", startedAt: "2026-01-01T00:00:00Z", origin: "telegram" },
} as const;
const done = { type: "bash:done", data: { execId: "e1", exitCode: 0, durationMs: 5, cwd: "/", truncated: false } } as const;

test("[TG581] a command that ends while the disk refuses is told when it takes it, once, and what stood for it goes", async () => {
	const { clock, view, sent, live, refuse, kept } = open();
	view.event(started);
	view.event({ type: "bash:output", data: { execId: "e1", stream: "output", output: "x".repeat(5_000) } });
	await clock.advance(1_500);
	refuse(true);
	expect(() => view.event(done)).toThrow("disk full");
	// The text is stored, and the file with all of it is not.
	refuse(false, true);
	expect(() => view.event(done)).toThrow("disk full");
	expect([sent.length, live.includes("remove"), view.running()]).toEqual([1, false, ["e1"]]);
	view.event(done);
	expect(sent).toHaveLength(2);
	expect([live.at(-1), kept()]).toEqual(["remove", 0]);
});

test("[TG581] a command whose start the disk refused still answers the message in which it was typed", () => {
	const { view, replies, refuse } = open();
	view.expect(12);
	refuse(true);
	expect(() => view.event(started)).toThrow("disk full");
	view.event(started);
	expect(replies.at(-1)).toBe(12);
});
