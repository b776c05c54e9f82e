import type { LiveEvent } from "@rightseat/protocol/fleet/position";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { OwnerAnswer } from "../ports/fleet.ts";
import { answerReader } from "./owner-answer.ts";
import { CHAIN_START, caughtUp, createOwner, createReader } from "./remote-bed-harness.ts";
import { ASK_TIMEOUT_MS, type Copy, MAX_ASIDE_CHARS, MAX_ASIDE_EVENTS, RETRY_MAX_MS } from "./remote-state.ts";

type Step = { kind: string; n: number };
const step = fc.record({
	kind: fc.constantFrom(
		...["append", "append", "append", "stub", "deliver", "deliver", "deliver", "repeat", "lose", "epoch", "rollback", "stop", "start"],
		...["answer", "answer", "answer", "lateAnswer", "arrive", "arrive", "arriveTwice", "beat", "oldBeat", "silent", "leaveCopy", "copy"],
		...["doubt", "pass", "pass"],
	),
	n: fc.nat(1_000),
});

test("[FL10] whatever is lost, doubled, late, restarted or rolled back, a reader ends with the owner's log, and shows no event twice", () => {
	fc.assert(fc.property(fc.array(step, { maxLength: 150, size: "max" }), runFaults), { numRuns: 400 });
});

function runFaults(steps: readonly Step[]): void {
	const owner = createOwner();
	const reader = createReader();
	const wire: LiveEvent[] = [];
	const answers: { ask: number; answer: OwnerAnswer }[] = [];
	let copy: Copy | undefined;
	let isUp = true;
	let count = 0;
	let oldHead = owner.log.head();
	const at = (list: readonly unknown[], n: number) => (list.length === 0 ? 0 : n % list.length);
	const say = (isStub: boolean) => {
		if (!isUp) return;
		const { frame, ...place } = owner.append(`w${count++}`);
		wire.push(isStub ? place : { ...place, frame });
	};
	const deliver = (event: LiveEvent | undefined) => event !== undefined && reader.give({ kind: "event", event });
	const arrive = (found: (typeof answers)[number] | undefined) => found !== undefined && reader.give({ kind: "answer", ...found });
	const actions: Record<string, (n: number) => unknown> = {
		append: () => say(false),
		stub: () => say(true),
		deliver: (n) => deliver(wire.splice(n < 700 ? 0 : at(wire, n), 1)[0]),
		repeat: (n) => deliver(wire[at(wire, n)]),
		lose: (n) => wire.splice(at(wire, n), 1),
		epoch: () => isUp && owner.beginEpoch(),
		rollback: (n) => owner.rollBack(1 + (n % 4)),
		stop: () => {
			isUp = false;
		},
		start: () => {
			isUp = true;
		},
		answer: (n) => {
			const asked = reader.asks.shift();
			if (asked === undefined || n > 900) return;
			const answer: OwnerAnswer = isUp ? answerReader(owner.log, asked.from) : { kind: "failed", reason: "no-responders" };
			answers.push({ ask: asked.ask, answer });
		},
		lateAnswer: (n) => arrive(answers[at(answers, n)]),
		arrive: () => arrive(answers.shift()),
		arriveTwice: () => [arrive(answers[0]), arrive(answers.shift())],
		beat: () => {
			oldHead = owner.log.head();
			return isUp && reader.give({ kind: "beat", head: oldHead });
		},
		oldBeat: () => reader.give({ kind: "beat", head: oldHead }),
		silent: () => reader.give({ kind: "silent" }),
		leaveCopy: () => {
			if (isUp) copy = owner.copy();
		},
		copy: () => reader.takeCopyWish() && reader.give({ kind: "copy", copy }),
		doubt: () => reader.give({ kind: "doubt" }),
		pass: (n) => reader.pass(n * 10),
	};
	for (const { kind, n } of steps) actions[kind]?.(n);
	for (const event of wire) deliver(event);
	for (const found of answers) arrive(found);
	// Healed: asks are answered and the owner's beats arrive again.
	for (let beat = 0; beat < 4; beat++) {
		reader.pass(RETRY_MAX_MS);
		reader.settle((from) => answerReader(owner.log, from));
		reader.give({ kind: "beat", head: owner.log.head() });
	}
	reader.settle((from) => answerReader(owner.log, from));
	expect(reader.view()?.words ?? []).toEqual(owner.words());
	if (reader.state().shown !== undefined) expect(reader.state().shown).toEqual(owner.log.head());
}

test("[FL11] the next event is shown at once; a gap, another history or a wrong chain asks the owner with the place that is shown", () => {
	const { owner, reader } = caughtUp();
	const shown = owner.log.head();
	const next = owner.append("next");
	expect(reader.give({ kind: "event", event: { ...next, frame: "forged" } })).toEqual([{ kind: "ask", ask: 2, from: shown }]);
	const fine = caughtUp();
	expect(fine.reader.give({ kind: "event", event: fine.owner.append("next") })).toMatchObject([
		{ kind: "event", event: { frame: "next" } },
	]);
	fine.owner.append("lost");
	expect(fine.reader.give({ kind: "event", event: fine.owner.append("after") })).toMatchObject([{ kind: "ask" }]);
	const other = caughtUp();
	other.owner.beginEpoch();
	expect(other.reader.give({ kind: "event", event: other.owner.append("new") })).toMatchObject([{ kind: "ask" }]);
});

test("[FL11] an event that was shown does nothing, and one that left others out is not shown even if its chain fits", () => {
	const { owner, reader } = caughtUp();
	const shown = owner.log.head();
	const next = owner.append("next");
	expect(reader.give({ kind: "event", event: { ...next, seq: next.seq + 1 } })).toEqual([{ kind: "ask", ask: 2, from: shown }]);
	const fine = caughtUp();
	const event = fine.owner.append("next");
	fine.reader.give({ kind: "event", event });
	expect([fine.reader.give({ kind: "event", event }), fine.reader.state().ask.kind]).toEqual([[], "resting"]);
});

test("[FL11] what does not fit after an answer, or happened during an ask, is asked about without waiting for a beat", () => {
	const { owner, reader, answer } = caughtUp();
	owner.append("lost");
	const before = answer(owner.log.head());
	owner.append("lost, too");
	reader.give({ kind: "event", event: owner.append("after the gap") });
	reader.give({ kind: "answer", ask: reader.asks.shift()?.ask ?? 0, answer: before.kind === "events" ? answer(undefined) : before });
	reader.settle(answer);
	const later = caughtUp();
	later.reader.give({ kind: "doubt" });
	const early = later.answer(later.owner.log.head());
	later.owner.append("lost");
	later.reader.give({ kind: "event", event: later.owner.append("after the gap") });
	later.reader.give({ kind: "answer", ask: later.reader.asks.shift()?.ask ?? 0, answer: early });
	later.reader.settle(later.answer);
	const doubted = caughtUp();
	doubted.reader.give({ kind: "doubt" });
	const stale = doubted.answer(doubted.owner.log.head());
	doubted.owner.append("lost with the connection");
	doubted.reader.give({ kind: "doubt" });
	doubted.reader.give({ kind: "answer", ask: doubted.reader.asks.shift()?.ask ?? 0, answer: stale });
	doubted.reader.settle(doubted.answer);
	for (const each of [{ owner, reader }, later, doubted]) expect(each.reader.view()?.words).toEqual(each.owner.words());
});

test("[FL11] a late event of a history that was replaced is dropped without a question", () => {
	const { owner, reader, answer } = caughtUp();
	const late = owner.append("late");
	owner.beginEpoch();
	reader.give({ kind: "doubt" });
	reader.settle(answer);
	expect(reader.give({ kind: "event", event: late })).toEqual([]);
});

test("[FL12] a lost last event is noticed by the second beat that tells another head, and by the first nothing happens", () => {
	const { owner, reader, answer } = caughtUp();
	owner.append("lost tail");
	expect(reader.give({ kind: "beat", head: owner.log.head() })).toEqual([]);
	expect(reader.give({ kind: "beat", head: owner.log.head() })).toMatchObject([{ kind: "ask" }]);
	reader.settle(answer);
	expect(reader.view()?.words).toEqual(owner.words());
});

test("[FL13] of an owner that is away the copy is shown if it is more than what is shown; when it is back its own word counts", () => {
	const { owner, reader, answer } = caughtUp();
	const older = owner.copy();
	owner.append("in the copy only");
	const newer = owner.copy();
	expect(reader.give({ kind: "copy", copy: newer })).toEqual([]);
	expect(reader.give({ kind: "silent" })).toEqual([{ kind: "read-copy" }]);
	expect(reader.give({ kind: "copy", copy: older })).toEqual([]);
	expect(reader.give({ kind: "copy" })).toEqual([]);
	expect(reader.give({ kind: "copy", copy: newer })).toMatchObject([{ kind: "snapshot", copyOf: 1 }]);
	expect(reader.state()).toMatchObject({ source: "copy", owner: "away" });
	owner.rollBack(2);
	owner.append("truth");
	expect(reader.give({ kind: "beat" })).toMatchObject([{ kind: "ask" }]);
	reader.settle(answer);
	expect([reader.view()?.words, reader.state().source]).toEqual([owner.words(), "owner"]);
});

test("[FL14] words that are gone from the owner's log are replaced, and the reader is told that its history was rewritten", () => {
	const { owner, reader, answer } = caughtUp(4);
	owner.rollBack(2);
	for (const _ of [1, 2]) reader.give({ kind: "beat", head: owner.log.head() });
	reader.settle(answer);
	expect([reader.seen.filter(({ kind }) => kind === "snapshot"), reader.view()?.words]).toMatchObject([
		[{ isRewritten: true }],
		["w0", "w1"],
	]);
	reader.seen.length = 0;
	reader.give({ kind: "event", event: owner.append("gone") });
	owner.rollBack(1);
	owner.append("other");
	owner.append("words");
	for (const _ of [1, 2]) reader.give({ kind: "beat", head: owner.log.head() });
	reader.settle(answer);
	expect(reader.seen.filter(({ kind }) => kind === "snapshot")).toMatchObject([{ isRewritten: true }]);
	expect(reader.view()?.words).toEqual(["w0", "w1", "other", "words"]);
});

test("[FL15] what is kept aside is bounded in events and characters; what did not fit is asked for", () => {
	for (const [frame, count] of [
		["x", MAX_ASIDE_EVENTS + 20],
		["x".repeat(MAX_ASIDE_CHARS / 4), 8],
	] as const) {
		const { owner, reader, answer } = caughtUp();
		const before = answer(owner.log.head());
		reader.give({ kind: "doubt" });
		const asked = reader.asks.shift();
		for (let index = 0; index < count; index++) reader.give({ kind: "event", event: owner.append(frame) });
		expect(reader.state().asideChars).toBeLessThanOrEqual(MAX_ASIDE_CHARS);
		// The owner answered before all of that was said.
		reader.give({ kind: "answer", ask: asked?.ask ?? 0, answer: before });
		expect(reader.view()?.words.length).toBeLessThan(count + 2);
		reader.settle(answer);
		expect(reader.view()?.words.length).toBe(count + 2);
	}
});

test("[FL16] the owner is asked at most once at a time and once in a while, however many events do not fit", () => {
	const { owner, reader } = caughtUp();
	for (let index = 0; index < 50; index++) {
		reader.give({ kind: "event", event: { ...owner.append("x"), chain: CHAIN_START } });
		reader.pass(1);
	}
	expect(reader.seen.filter(({ kind }) => kind === "ask")).toHaveLength(1);
	expect(reader.pass(ASK_TIMEOUT_MS)).toEqual([]);
	reader.pass(ASK_TIMEOUT_MS);
	expect(reader.seen.filter(({ kind }) => kind === "ask")).toHaveLength(2);
});

test("[FL17] an answer that does not continue what is shown makes the reader ask for everything; one to an earlier ask says nothing", () => {
	const { owner, reader, answer } = caughtUp();
	reader.give({ kind: "doubt" });
	const asked = reader.asks.shift();
	const odd: OwnerAnswer = { kind: "events", events: [{ ...owner.append("a"), frame: "b" }], head: owner.log.head(), hasMore: false };
	for (const late of [odd, answer(undefined)])
		expect(reader.give({ kind: "answer", ask: (asked?.ask ?? 0) - 1, answer: late })).toEqual([]);
	reader.give({ kind: "answer", ask: asked?.ask ?? 0, answer: odd });
	reader.pass(RETRY_MAX_MS);
	expect(reader.asks[0]?.from).toBeUndefined();
	reader.settle(answer);
	expect(reader.view()?.words).toEqual(owner.words());
});

test("[FL17] an answer that ends before the head it tells is not believed either", () => {
	const { owner, reader, answer } = caughtUp();
	reader.give({ kind: "doubt" });
	const first = owner.append("a");
	owner.append("b");
	const short: OwnerAnswer = { kind: "events", events: [first], head: owner.log.head(), hasMore: false };
	reader.give({ kind: "answer", ask: reader.asks.shift()?.ask ?? 0, answer: short });
	reader.settle(answer);
	expect(reader.view()?.words).toEqual(owner.words());
});

test("[FL18] a conversation that its owner does not have any more is gone, and nothing brings it back", () => {
	const { owner, reader } = caughtUp();
	reader.give({ kind: "doubt" });
	expect(reader.give({ kind: "answer", ask: reader.state().asks, answer: { kind: "gone" } })).toEqual([{ kind: "gone" }]);
	expect(reader.give({ kind: "event", event: owner.append("x") })).toEqual([]);
});
