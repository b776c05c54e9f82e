import { HEARTBEAT_TIMEOUT_MS } from "@rightseat/protocol/limits";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import {
	BAD_FRAMES_BEFORE_CLOSE,
	createFrameGuard,
	FRAME_BURST,
	FRAMES_PER_SECOND,
	GUARD_WINDOW_MS,
	REFUSED_BEFORE_CLOSE,
} from "./frame-guard.ts";
import { createHeartbeat } from "./heartbeat.ts";

test("[WS14] silence is noticed once, after exactly the time", async () => {
	const clock = createFakeClock();
	let silences = 0;
	createHeartbeat({
		clock,
		timeoutMs: HEARTBEAT_TIMEOUT_MS,
		onSilence: () => {
			silences += 1;
		},
	});
	await clock.advance(HEARTBEAT_TIMEOUT_MS - 1);
	expect(silences).toBe(0);
	await clock.advance(1);
	expect(silences).toBe(1);
	await clock.advance(HEARTBEAT_TIMEOUT_MS * 2);
	expect(silences).toBe(1);
});

test("[WS15] a restart gives the whole time again, with one timer however often", async () => {
	const clock = createFakeClock();
	let silences = 0;
	const heartbeat = createHeartbeat({
		clock,
		timeoutMs: 180_000,
		onSilence: () => {
			silences += 1;
		},
	});
	await clock.advance(179_000);
	for (let i = 0; i < 1_000; i += 1) heartbeat.restart();
	expect(clock.pending()).toBe(1);
	await clock.advance(179_999);
	expect(silences).toBe(0);
	await clock.advance(1);
	expect(silences).toBe(1);
	heartbeat.stop();
	expect(clock.pending()).toBe(0);
});

test("[WS25] a burst passes, what is over the rate is refused, and a long flood ends the connection", async () => {
	const clock = createFakeClock();
	const guard = createFrameGuard(clock);
	const arrive = (count: number) => Array.from({ length: count }, () => guard.arrive());
	expect(new Set(arrive(FRAME_BURST))).toEqual(new Set(["pass"]));
	expect(guard.arrive()).toBe("refuse");
	await clock.advance(1_000);
	expect(arrive(FRAMES_PER_SECOND + 1)).toEqual([...Array.from({ length: FRAMES_PER_SECOND }, () => "pass"), "refuse"]);
	expect(arrive(REFUSED_BEFORE_CLOSE).at(-1)).toBe("close");
});

test("[WS9] fifty frames that cannot be understood are tolerated in ten seconds", async () => {
	const clock = createFakeClock();
	const guard = createFrameGuard(clock);
	const bad = (count: number) => Array.from({ length: count }, () => guard.tolerate());
	expect(bad(BAD_FRAMES_BEFORE_CLOSE)).not.toContain(false);
	await clock.advance(GUARD_WINDOW_MS);
	expect(bad(BAD_FRAMES_BEFORE_CLOSE)).not.toContain(false);
	expect(guard.tolerate()).toBe(false);
});
