import fc from "fast-check";
import { expect, test } from "vitest";
import { SEED } from "../../../../../../test/support/seed.ts";
import type { MessageContent } from "../api/bot-client.ts";
import { type LiveInput, type LiveState, nextLive, pendingEdit } from "./live-state.ts";

const content = (text: string): MessageContent => ({ text, entities: [] });

type Step = { kind: "set" | "finish"; text: string } | { kind: "remove" | "begin" | "succeed" | "wait" | "lose" | "delete-by-person" };

/** A chat and the calls that are on their way to it, as the send queue would make them: sends first, one call at a time. */
function createChat() {
	let live: LiveState = { state: "unsent" };
	const messages = new Map<number, string>();
	const notes = new Set<number>();
	const waiting: { send: boolean; edits: Set<number>; deletes: number[] } = { send: false, edits: new Set(), deletes: [] };
	let current: { kind: "send"; text: string } | { kind: "edit" | "delete"; messageId: number; text: string } | undefined;
	let sent = 0;
	let isDoubtful = false;

	function apply(input: LiveInput): void {
		const step = nextLive(live, input);
		live = step.state;
		for (const note of step.notes) note.kind === "forget" ? notes.delete(note.messageId) : notes.add(note.messageId);
		for (const call of step.calls) {
			if (call.kind === "send") waiting.send = true;
			else if (call.kind === "drop-send") waiting.send = false;
			else if (call.kind === "edit") waiting.edits.add(call.messageId);
			else waiting.deletes.push(call.messageId);
		}
	}
	function begin(): void {
		if (current !== undefined) return;
		if (waiting.send && live.state === "sending") {
			waiting.send = false;
			current = { kind: "send", text: live.wanted.text };
			apply({ kind: "departed", content: live.wanted });
			return;
		}
		const messageId = waiting.deletes.shift();
		if (messageId !== undefined) {
			current = { kind: "delete", messageId, text: "" };
			return;
		}
		for (const edited of waiting.edits) {
			waiting.edits.delete(edited);
			const wanted = pendingEdit(live, edited);
			if (wanted === undefined) {
				if (live.state === "shown" && live.messageId === edited) apply({ kind: "edited", content: live.shown });
				continue;
			}
			current = { kind: "edit", messageId: edited, text: wanted.text };
			return;
		}
	}
	function succeed(): void {
		const call = current;
		current = undefined;
		if (call === undefined) return;
		if (call.kind === "send") {
			messages.set(++sent, call.text);
			apply({ kind: "sent", messageId: sent });
		} else if (call.kind === "delete") {
			messages.delete(call.messageId);
			apply({ kind: "deleted", messageId: call.messageId });
		} else if (messages.has(call.messageId)) {
			messages.set(call.messageId, call.text);
			apply({ kind: "edited", content: content(call.text) });
		} else apply({ kind: "gone", messageId: call.messageId });
	}
	return {
		step(step: Step): void {
			if (step.kind === "set") apply({ kind: "set", content: content(step.text), urgent: false });
			else if (step.kind === "finish") apply({ kind: "finish", content: content(step.text) });
			else if (step.kind === "remove") apply({ kind: "remove" });
			else if (step.kind === "begin") begin();
			else if (step.kind === "succeed") succeed();
			else if (step.kind === "wait" && current !== undefined) {
				// Telegram orders a wait: the same call is made again later, with what is newest then.
				if (current.kind === "send") waiting.send = live.state === "sending";
				else if (current.kind === "edit") waiting.edits.add(current.messageId);
				else waiting.deletes.unshift(current.messageId);
				current = undefined;
			} else if (step.kind === "lose" && current?.kind === "send") {
				// The response was lost: the message is there, but nobody knows.
				messages.set(++sent, current.text);
				isDoubtful = true;
				current = undefined;
				apply({ kind: "send-failed" });
			} else if (step.kind === "delete-by-person") messages.clear();
		},
		settle(): void {
			for (let calls = 0; calls < 50; calls++) {
				begin();
				succeed();
			}
		},
		messages,
		notes,
		sent: () => sent,
		isDoubtful: () => isDoubtful,
		state: () => live,
	};
}

const text = fc.constantFrom("a", "b", "c");
const show = fc.record({ kind: fc.constant("set" as const), text });
const world = fc.record({ kind: fc.constantFrom("begin" as const, "succeed" as const, "wait" as const) });
const fault = fc.record({ kind: fc.constantFrom("lose" as const, "delete-by-person" as const) });

test("[TG117] in any order of edits, waits and ends the final text stands in the chat exactly once, and nothing is left for the next process", () => {
	fc.assert(
		fc.property(fc.array(fc.oneof(show, world), { maxLength: 40 }), fc.array(fc.oneof(show, world), { maxLength: 40 }), (before, after) => {
			const chat = createChat();
			for (const step of before) chat.step(step);
			chat.step({ kind: "finish", text: "final" });
			for (const step of after) chat.step(step);
			chat.settle();
			expect([...chat.messages.values()]).toEqual(["final"]);
			expect(chat.sent()).toBe(1);
			expect(chat.notes.size).toBe(0);
		}),
		{ numRuns: 300, seed: SEED },
	);
});

test("[TG117] a message that is removed in any moment is not in the chat", () => {
	fc.assert(
		fc.property(fc.array(fc.oneof(show, world), { maxLength: 40 }), fc.array(fc.oneof(show, world), { maxLength: 40 }), (before, after) => {
			const chat = createChat();
			for (const step of before) chat.step(step);
			chat.step({ kind: "remove" });
			for (const step of after) chat.step(step);
			chat.settle();
			expect([...chat.messages.keys()]).toEqual([]);
			expect(chat.notes.size).toBe(0);
		}),
		{ numRuns: 300, seed: SEED },
	);
});

test("[TG117] whatever fails, no text stands there twice; a message that a person deletes is replaced once", () => {
	fc.assert(
		fc.property(fc.array(fc.oneof(show, world, fault), { maxLength: 60 }), (steps) => {
			const chat = createChat();
			for (const step of steps) chat.step(step);
			chat.step({ kind: "finish", text: "final" });
			chat.settle();
			expect(chat.messages.size).toBeLessThanOrEqual(1);
			expect(chat.sent()).toBeLessThanOrEqual(2);
			if (chat.isDoubtful()) expect(chat.state().state).toBe("lost");
		}),
		{ numRuns: 300, seed: SEED },
	);
});

test("[TG117] what was wanted before goes out again when an edit to something else was on its way", () => {
	const chat = createChat();
	chat.step({ kind: "set", text: "a" });
	chat.settle();
	chat.step({ kind: "set", text: "b" });
	chat.step({ kind: "begin" });
	chat.step({ kind: "set", text: "a" });
	chat.settle();
	expect([...chat.messages.values()]).toEqual(["a"]);
});

test("[TG29] a message that a person deletes is replaced once; whoever deletes that as well is left in peace", () => {
	const chat = createChat();
	chat.step({ kind: "set", text: "a" });
	chat.settle();
	for (const text of ["b", "c", "a"]) {
		chat.step({ kind: "delete-by-person" });
		chat.step({ kind: "set", text });
		chat.settle();
	}
	expect([chat.sent(), [...chat.messages.values()]]).toEqual([2, []]);
});
