import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { createStallTimer } from "./stall-timer.ts";

function setUp() {
	const clock = createFakeClock();
	const notices: string[] = [];
	let waiting = false;
	const timer = createStallTimer({ clock, isWaiting: () => waiting, notice: (message) => notices.push(message) });
	return {
		clock,
		notices,
		timer,
		wait: (value: boolean) => {
			waiting = value;
		},
	};
}

test("[RT49] a minute without a word from the model is said, and every minute again", async () => {
	const { clock, notices, timer } = setUp();
	timer.touch();
	await clock.advance(59_999);
	expect(notices).toEqual([]);
	await clock.advance(1);
	expect(notices).toEqual(["No word from the model for 60 s. Wait, or stop and send the message again."]);
	await clock.advance(120_000);
	expect(notices.map((notice) => /\d+/.exec(notice)?.[0])).toEqual(["60", "120", "180"]);
});

test("[RT49] any event starts the minute anew, with one timer however many events come", async () => {
	const { clock, notices, timer } = setUp();
	for (let second = 0; second < 300; second += 1) {
		timer.touch();
		await clock.advance(1_000);
	}
	expect(notices).toEqual([]);
	expect(clock.pending()).toBe(1);
	timer.stop();
	expect(clock.pending()).toBe(0);
});

test("[RT49] waiting for a tool or a person is not a stall", async () => {
	const { clock, notices, timer, wait } = setUp();
	timer.touch();
	wait(true);
	await clock.advance(600_000);
	expect(notices).toEqual([]);
	wait(false);
	timer.touch();
	await clock.advance(60_000);
	expect(notices).toHaveLength(1);
});

test("[RT49] a turn that has ended has no timer, whatever settles after it", async () => {
	const { clock, notices, timer } = setUp();
	timer.touch();
	timer.stop();
	// A question of the turn settles when the turn does, and says that there was a sign of life.
	timer.touch();
	expect(clock.pending()).toBe(0);
	await clock.advance(600_000);
	expect(notices).toEqual([]);
});
