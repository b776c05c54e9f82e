import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { isolate, isolateTimers } from "./isolate.ts";
import { silentLogger } from "./logger.ts";

function bed() {
	const errors: object[] = [];
	return { errors, logger: { ...silentLogger, error: (fields: object) => void errors.push(fields) } };
}

test("[SE140] what a timer throws is logged and ends nobody else", async () => {
	const { errors, logger } = bed();
	const fake = createFakeClock();
	const clock = isolateTimers(fake, logger);
	const ran: string[] = [];
	const broken = new Error("EPERM");
	clock.after(10, () => {
		throw broken;
	});
	clock.after(20, () => ran.push("later"));
	clock.soon(() => {
		throw broken;
	});
	const cancel = clock.after(30, () => ran.push("cancelled"));
	cancel();
	await fake.advance(100);
	expect(ran).toEqual(["later"]);
	expect(errors).toEqual([
		{ err: broken, what: "timer" },
		{ err: broken, what: "timer" },
	]);
	expect(clock.now()).toBe(fake.now());
});

test("[SE140] a listener that throws is logged under its name", () => {
	const { errors, logger } = bed();
	const listener = isolate(logger, "upgrade", (a: number, b: number) => {
		if (a > b) throw new Error("no");
	});
	listener(1, 2);
	listener(2, 1);
	expect(errors).toMatchObject([{ what: "upgrade" }]);
});
