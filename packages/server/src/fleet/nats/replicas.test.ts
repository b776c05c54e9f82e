import { JetStreamApiError } from "@nats-io/jetstream";
import { errors, type NatsConnection } from "@nats-io/transport-node";
import { expect, test } from "vitest";
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
	const placement = createPlacement("S", clock);
	const asked: number[] = [];
	const make = () => placement.make(connectionTo("c"), failing(10_005, asked));
	await expect(make()).rejects.toMatchObject({ code: "fleet-not-connected", retryable: true, params: { reason: "few-servers" } });
	await clock.advance(29_999);
	await expect(make()).rejects.toMatchObject({ code: "fleet-not-connected" });
	await clock.advance(1);
	expect([await make(), asked]).toEqual(["made", [3, 3, 3, 1]]);
});

test("[FL390] where there is no cluster one server is enough at once, and another refusal stays one", async () => {
	const placement = createPlacement("S", createFakeClock());
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
		let tries = 0;
		const placement = createPlacement("S", clock, async () => {
			tries += 1;
			const problem = tries < 3 ? answer(10_005) : ends;
			if (problem !== undefined) throw problem;
		});
		placement.raise(connectionTo(undefined));
		for (let minute = 0; minute < 5; minute += 1) {
			for (let again = 0; again < 3; again += 1) placement.raise(connectionTo("c"));
			await clock.advance(60_000);
		}
		expect([String(ends), tries]).toEqual([String(ends), times]);
		// One that was made anew may be on one server again.
		await placement.make(connectionTo("c"), async () => "made");
		placement.raise(connectionTo("c"));
		expect(tries).toBe(times + 1);
	}
});
