import { createHash } from "node:crypto";
import type { LiveEvent, Position } from "@rightseat/protocol/fleet/position";
import { expect } from "vitest";
import type { OwnerAnswer } from "../ports/fleet.ts";
import { answerReader, type OwnerLog } from "./owner-answer.ts";
import { remoteStep, wakeAt } from "./remote-conversation.ts";
import { ASK_SPACING_MS, type Copy, initialRemoteState, MAX_ASIDE_EVENTS, type RemoteEffect, type RemoteInput } from "./remote-state.ts";

/** As the product's, in the words of a test. */
const link = (previous: string, frame: string) => createHash("sha256").update(`${previous}\n${frame}`).digest("hex").slice(0, 16);
export const CHAIN_START = "0".repeat(16);
const PAGE = 3;

/** An owner's log whose frames are words; a snapshot is all of them. */
export function createOwner() {
	let generation = 1;
	let epoch = "e1";
	let older: string[] = [];
	let events: LiveEvent[] = [];
	const position = (): Position => {
		const last = events.at(-1);
		return { generation, epoch, seq: last?.seq ?? 0, chain: last?.chain ?? CHAIN_START };
	};
	const words = () => [...older, ...events.map(({ frame }) => frame ?? "")];
	const log: OwnerLog = {
		head: position,
		chainAt: (seq) => (seq === 0 ? CHAIN_START : events[seq - 1]?.chain),
		after: (seq) => events.slice(seq, seq + PAGE),
		snapshot: () => JSON.stringify(words()),
	};
	return {
		log,
		words,
		append(frame: string): LiveEvent {
			const { seq, chain } = position();
			const event = { generation, epoch, seq: seq + 1, chain: link(chain, frame), frame };
			events = [...events, event];
			return event;
		},
		beginEpoch() {
			generation += 1;
			epoch = `e${generation}`;
			older = words();
			events = [];
		},
		/** A virtual machine that is set back: the same epoch, fewer words. */
		rollBack(count: number) {
			events = events.slice(0, Math.max(0, events.length - count));
		},
		copy: (): Copy => ({ position: position(), frame: log.snapshot(), at: 1 }),
	};
}

/** A reader, what people see of it, and what it wants done. */
export function createReader() {
	let state = initialRemoteState;
	let now = 0;
	let view: { epoch: string; seq: number; words: string[] } | undefined;
	const asks: { ask: number; from: Position | undefined }[] = [];
	const seen: RemoteEffect[] = [];
	let copiesWanted = 0;
	function show(effect: RemoteEffect): void {
		seen.push(effect);
		if (effect.kind === "ask") asks.push(effect);
		if (effect.kind === "read-copy") copiesWanted += 1;
		if (effect.kind === "snapshot") {
			view = { epoch: effect.position.epoch, seq: effect.position.seq, words: JSON.parse(effect.frame) };
		}
		if (effect.kind === "event") {
			const { epoch, seq, frame } = effect.event;
			// Nothing twice, nothing left out: this is what a page relies on.
			expect({ epoch, seq }).toEqual({ epoch: view?.epoch, seq: (view?.seq ?? Number.NaN) + 1 });
			view = { epoch, seq, words: [...(view?.words ?? []), frame] };
		}
	}
	const give = (input: RemoteInput) => {
		const step = remoteStep(link, state, input, now);
		state = step.state;
		expect(state.aside.length).toBeLessThanOrEqual(MAX_ASIDE_EVENTS);
		for (const effect of step.effects) show(effect);
		return step.effects;
	};
	return {
		give,
		asks,
		seen,
		state: () => state,
		view: () => view,
		takeCopyWish: () => (copiesWanted > 0 ? copiesWanted-- > 0 : false),
		pass(ms: number) {
			now += ms;
			return give({ kind: "tick" });
		},
		/** Every ask is answered until there is none. */
		settle(answer: (from: Position | undefined) => OwnerAnswer) {
			for (let turn = 0; turn < 100; turn++) {
				const next = asks.shift();
				if (next !== undefined) give({ kind: "answer", ask: next.ask, answer: answer(next.from) });
				else if (wakeAt(state) === undefined) return;
				else this.pass(Math.max(0, (wakeAt(state) ?? now) - now));
			}
			throw new Error("The reader asks for ever.");
		},
	};
}

/** A reader that has everything the owner has. */
export function caughtUp(count = 2) {
	const owner = createOwner();
	for (let index = 0; index < count; index++) owner.append(`w${index}`);
	const reader = createReader();
	reader.give({ kind: "doubt" });
	reader.settle((from) => answerReader(owner.log, from));
	expect(reader.view()?.words).toEqual(owner.words());
	reader.seen.length = 0;
	reader.pass(ASK_SPACING_MS);
	return { owner, reader, answer: (from: Position | undefined) => answerReader(owner.log, from) };
}
