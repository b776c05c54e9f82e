import fc from "fast-check";
import { expect, test } from "vitest";
import { SEED } from "../../../../../../test/support/seed.ts";
import { nextPoll, POLL_START, type PollResult, type PollState, RETRY_MS } from "./poll-state.ts";

const result: fc.Arbitrary<PollResult> = fc.oneof(
	fc.record({ kind: fc.constant("stored" as const), isNew: fc.boolean() }),
	fc.constant({ kind: "not-stored" as const }),
	fc.constant({ kind: "unreachable" as const, message: "ECONNREFUSED" }),
	fc.record({
		kind: fc.constant("refused" as const),
		code: fc.constantFrom(400, 409, 429, 500),
		description: fc.constantFrom("Conflict", "can't use getUpdates method while webhook is active"),
		retryAfterMs: fc.constantFrom(0, 1_000, 30_000),
	}),
);
const poll = fc.record({ result, tookMs: fc.nat(40_000) });

test("[TG118] whatever Telegram answers, polling goes on, pauses unless something new came or the poll was held, and an answer makes it healthy", () => {
	fc.assert(
		fc.property(fc.array(poll, { minLength: 1, maxLength: 40 }), (polls) => {
			let state: PollState = POLL_START;
			let at = 0;
			for (const each of polls) {
				at += each.tookMs;
				const step = nextPoll(state, { ...each, at });
				const isNew = each.result.kind === "stored" && each.result.isNew;
				if (!isNew && each.tookMs < RETRY_MS) expect(step.waitMs).toBeGreaterThanOrEqual(RETRY_MS);
				if (isNew) expect(step.waitMs).toBe(0);
				expect(step.waitMs).toBeLessThanOrEqual(60_000);
				const isAnswer = each.result.kind === "stored" || each.result.kind === "not-stored";
				expect(step.poll.state).toBe(isAnswer ? "healthy" : "degraded");
				if (isAnswer) expect(step.poll).toEqual({ state: "healthy", lastAnswerAt: at });
				state = step.poll;
			}
		}),
		{ numRuns: 300, seed: SEED },
	);
});

test("[TG118] conflicts in a row are waited out longer and longer, and anything between them begins again", () => {
	const conflict = { result: { kind: "refused", code: 409, description: "Conflict" } as const, at: 0, tookMs: 0 };
	const waits: number[] = [];
	let state: PollState = POLL_START;
	for (let index = 0; index < 6; index++) {
		const step = nextPoll(state, conflict);
		waits.push(step.waitMs);
		state = step.poll;
	}
	expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
	const outage = nextPoll(state, { result: { kind: "unreachable", message: "gone" }, at: 0, tookMs: 0 });
	expect(nextPoll(outage.poll, conflict).waitMs).toBe(5_000);
});

test("[TG18] a refused token ends polling for good", () => {
	const refused = nextPoll(POLL_START, { result: { kind: "refused", code: 401, description: "Unauthorized" }, at: 1, tookMs: 1 });
	expect(refused.poll).toEqual({ state: "token-refused" });
	expect(nextPoll(refused.poll, { result: { kind: "stored", isNew: true }, at: 2, tookMs: 1 }).poll).toEqual({ state: "token-refused" });
});
