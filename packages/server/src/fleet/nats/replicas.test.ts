import { JetStreamApiError } from "@nats-io/jetstream";
import { errors, type NatsConnection } from "@nats-io/transport-node";
import { expect, test, vi } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { createPlacement } from "./replicas.ts";

/** What a placement looks at, and no more. */
const connectionTo = (cluster: string | undefined): NatsConnection => Object.assign(Object.create(null), { info: { cluster } });
const answer = (err_code: number) => new JetStreamApiError({ code: 500, err_code, description: "no" });
const failing = (err_code: number, asked: number[]) => async (replicas: number) => {
	asked.push(replicas);
	if (replicas > 1) throw answer(err_code);
	return "made";
};

test("[FL390] a cluster with too few servers is waited for, and half a minute later one server is better than none", async () => {
	const clock = createFakeClock();
	const onFewServers = vi.fn();
	const placement = createPlacement({ clock, onFewServers });
	const [asked, done]: [number[], string[]] = [[], []];
	const make = async () => void done.push(await placement.make(connectionTo("c"), failing(10_005, asked)));
	void make();
	await clock.advance(29_999);
	expect([done, new Set(asked), asked.length, onFewServers.mock.calls.length]).toEqual([[], new Set([3]), 60, 1]);
	await clock.advance(1);
	expect([done, asked.at(-1)]).toEqual([["made"], 1]);
	// The next one has not to wait once more.
	await make();
	expect([done.length, asked.slice(-2), onFewServers.mock.calls.length]).toEqual([2, [3, 1], 1]);
});

test("[FL390] a cluster that gets its third server in time has what is stored on all three", async () => {
	const clock = createFakeClock();
	const placement = createPlacement({ clock });
	let tries = 0;
	const made = placement.make(connectionTo("c"), async (replicas) => {
		tries += 1;
		if (tries < 4) throw answer(10_005);
		return replicas;
	});
	await clock.advance(2_000);
	expect([await made, tries]).toEqual([3, 4]);
});

test("[FL390] where there is no cluster one server is enough at once, and another refusal stays one", async () => {
	const placement = createPlacement({ clock: createFakeClock() });
	const asked: number[] = [];
	expect(await placement.make(connectionTo(undefined), failing(10_005, asked))).toBe("made");
	expect(await placement.make(connectionTo("c"), failing(10_074, asked))).toBe("made");
	await expect(placement.make(connectionTo("c"), failing(10_047, asked))).rejects.toMatchObject({ code: 10_047 });
	expect(asked).toEqual([1, 3, 1, 3]);
});

test("[FL390] a stream is brought to three servers every minute until it is there, or this login may not", async () => {
	const forbidden = new errors.RequestError("no", { cause: new errors.PermissionViolationError("no", "publish", "x") });
	for (const [ends, times] of [
		[undefined, 3],
		[forbidden, 3],
		[answer(10_005), 5],
	] as const) {
		const clock = createFakeClock();
		const tries: string[] = [];
		const bring = async (_: NatsConnection, stream: string) => {
			tries.push(stream);
			const problem = tries.length < 3 ? answer(10_005) : ends;
			if (problem !== undefined) throw problem;
		};
		const placement = createPlacement({ clock, bring });
		placement.raise(connectionTo(undefined), "S");
		for (let minute = 0; minute < 5; minute += 1) {
			for (let again = 0; again < 3; again += 1) placement.raise(connectionTo("c"), "S");
			await clock.advance(60_000);
		}
		expect([String(ends), tries]).toEqual([String(ends), Array(times).fill("S")]);
		// Another one, and one that was made anew on one server, are looked at again.
		placement.raise(connectionTo("c"), "T");
		const made = placement.make(connectionTo("c"), failing(10_005, []));
		await clock.advance(60_000);
		await made;
		placement.raise(connectionTo("c"), "S");
		expect(tries.slice(times)).toEqual(["T", "S"]);
	}
});
