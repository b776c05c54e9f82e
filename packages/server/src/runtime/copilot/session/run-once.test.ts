import fc from "fast-check";
import { expect, test } from "vitest";
import { createRunOnce, MAX_CALLS, MAX_RESULT_BYTES } from "./run-once.ts";

const call = { toolCallId: "a", toolName: "Bash", arguments: {} };

/** Calls whose results weigh what they say. */
function setUp() {
	let runs = 0;
	const once = createRunOnce<string>({ sizeOf: (result) => result.length, forgotten: () => "forgotten" });
	return {
		once,
		runs: () => runs,
		/** As the SDK does it: the tool is started first, the request is told within the same tick. */
		deliver(requestId: string, work = async () => `run ${runs}`, delivered = call) {
			const result = once.run(delivered, () => {
				runs += 1;
				return work();
			});
			once.requested({ requestId, toolCallId: delivered.toolCallId });
			return result;
		},
	};
}

test("[RT108] a call that is delivered twice runs once, and both get its result", async () => {
	const { deliver, runs } = setUp();
	expect([await deliver("r1"), await deliver("r1"), runs()]).toEqual(["run 1", "run 1", 1]);
});

test("[RT108] deliveries of several calls run each once, in whatever order they come and end, also when ids of calls are reused", async () => {
	const deliveries = fc.shuffledSubarray(
		["r1", "r1", "r1", "r2", "r2", "r3", "r3"].map((requestId, index) => ({ requestId, index })),
		{ minLength: 7 },
	);
	await fc.assert(
		fc.asyncProperty(deliveries, fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), async (order, endsFirst) => {
			const { deliver, runs } = setUp();
			const results = new Map<string, string[]>();
			const open: (() => void)[] = [];
			const pending: Promise<unknown>[] = [];
			for (const { requestId, index } of order) {
				const work = () => new Promise<string>((resolve) => open.push(() => resolve(requestId)));
				pending.push(deliver(requestId, work).then((result) => results.set(requestId, [...(results.get(requestId) ?? []), result])));
				await Promise.resolve();
				if (endsFirst[index]) for (const end of open.splice(0)) end();
				await new Promise((resolve) => setImmediate(resolve));
			}
			for (const end of open) end();
			await Promise.all(pending);
			expect(runs()).toBe(3);
			expect(Object.fromEntries(results)).toEqual({ r1: ["r1", "r1", "r1"], r2: ["r2", "r2"], r3: ["r3", "r3"] });
		}),
		{ numRuns: 100 },
	);
});

test("[RT109] another call under the same id runs: another request, another tool or other arguments", async () => {
	const { deliver, runs } = setUp();
	await deliver("r1");
	await deliver("r2");
	await deliver("r2", undefined, { ...call, arguments: { command: "ls" } });
	await deliver("r2", undefined, { ...call, toolName: "Read" });
	expect(runs()).toBe(4);
});

test("[RT109] results are kept up to a bound in bytes; a call without one does not run again, and one that runs is never forgotten", async () => {
	const { once, deliver, runs } = setUp();
	let end: (text: string) => void = () => undefined;
	const slow = deliver(
		"slow",
		() =>
			new Promise((resolve) => {
				end = resolve;
			}),
	);
	await Promise.resolve();
	const large = "x".repeat(MAX_RESULT_BYTES / 2);
	for (const requestId of ["r1", "r2", "r3"]) await deliver(requestId, async () => large);
	expect(once.bytes).toBe(MAX_RESULT_BYTES);
	expect([await deliver("r1"), await deliver("r3")]).toEqual(["forgotten", large]);
	for (let index = 0; index < MAX_CALLS; index += 1) await deliver(`many ${index}`);
	expect(once.bytes).toBeLessThan(MAX_RESULT_BYTES);
	const again = deliver("slow");
	await Promise.resolve();
	end("slow");
	expect([await slow, await again, runs()]).toEqual(["slow", "slow", 4 + MAX_CALLS]);
});
