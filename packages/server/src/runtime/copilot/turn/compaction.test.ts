import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { createCompaction } from "./compaction.ts";

function setUp(compact: () => Promise<never>, abort: () => Promise<{ aborted: boolean }> = async () => ({ aborted: true })) {
	const clock = createFakeClock();
	const gone = new AbortController();
	let invalidated = 0;
	const compaction = createCompaction({
		clock,
		attach: async () => ({ gone: gone.signal, history: { compact, abortManualCompaction: abort } }),
		describe: ({ message }) => ({ code: "provider-error", message }),
		invalidate: () => {
			invalidated += 1;
		},
	});
	async function run(stop = new AbortController().signal): Promise<TurnEvent[]> {
		const events: TurnEvent[] = [];
		for await (const event of compaction.events(stop)) events.push(event);
		return events;
	}
	return { clock, gone, run, invalidated: () => invalidated };
}
const never = () => new Promise<never>(() => undefined);

test("[CX17] what the provider says about a summary that failed is the error of the turn", async () => {
	const { run } = setUp(() => Promise.reject(new Error("Request session.history.compact failed with message: host-rethrow: 400 nope")));
	expect((await run()).at(-1)).toEqual({ kind: "turn-end", outcome: "error", error: { code: "provider-error", message: "400 nope" } });
});

test("[CX17] a runtime that dies or never answers ends the turn, and one that does not confirm a stop is not trusted any more", async () => {
	const dead = setUp(never);
	const events = dead.run();
	await dead.clock.settle();
	dead.gone.abort(new Error("died"));
	expect((await events).at(-1)).toMatchObject({ kind: "turn-end", outcome: "error" });
	const silent = setUp(never);
	const waited = silent.run();
	await silent.clock.advance(300_001);
	expect((await waited).at(-1)).toMatchObject({ kind: "turn-end", outcome: "error" });
	const deaf = setUp(never, never);
	const stop = new AbortController();
	const stopped = deaf.run(stop.signal);
	await deaf.clock.settle();
	stop.abort();
	await deaf.clock.advance(1_501);
	expect((await stopped).at(-1)).toEqual({ kind: "turn-end", outcome: "aborted" });
	expect(deaf.invalidated()).toBe(1);
});
