import fc from "fast-check";
import { expect, test } from "vitest";
import { deadlineOf, type Link, type LinkInput, next } from "./connection-machine.ts";

const input: fc.Arbitrary<LinkInput> = fc.oneof(
	fc.constantFrom<LinkInput>(
		{ kind: "connect" },
		{ kind: "opened" },
		{ kind: "received" },
		{ kind: "sent" },
		{ kind: "shown" },
		{ kind: "hidden" },
		{ kind: "online" },
		{ kind: "offline" },
	),
	// Twice as often as the rest: it is the handshake limit, the retry, the ping and the missing pong.
	fc.constant<LinkInput>({ kind: "due" }),
	fc.record({ kind: fc.constant("closed" as const), code: fc.constantFrom(1000, 1006, 1012, 4029) }),
);
const steps = fc.array(fc.record({ input, afterMs: fc.nat(90_000), random: fc.double({ min: 0, max: 0.999, noNaN: true }) }), {
	maxLength: 120,
	size: "max",
});

/** The connection with its socket counted instead of opened, at a time of its own. */
function createWorld() {
	let link: Link = { kind: "stopped" };
	let now = 1_800_000_000_000;
	let visible = true;
	let sockets = 0;
	let sound = true;
	function feed(given: LinkInput, { afterMs = 0, random = 0.5 } = {}): void {
		if (given.kind === "due") {
			const deadline = deadlineOf(link);
			if (deadline === undefined) return;
			now = Math.max(now, deadline);
		} else now += afterMs;
		if (given.kind === "shown" || given.kind === "hidden") visible = given.kind === "shown";
		const step = next(link, given, { now, visible, random });
		link = step.link;
		for (const effect of step.effects) {
			if (effect === "drop-socket") sockets -= 1;
			if (effect === "open-socket") sockets += 1;
			sound &&= sockets === 0 || sockets === 1;
		}
		sound &&= sockets === (link.kind === "connecting" || link.kind === "open" ? 1 : 0);
	}
	/** Nobody waits for ever: only a hidden page has nothing planned. */
	const planned = () => (link.kind === "resting" ? !visible : deadlineOf(link) !== undefined);
	return { feed, link: () => link, sound: () => sound, planned };
}

test("[PG300] in any order of events there is one socket while connecting or open, and none otherwise", () => {
	fc.assert(
		fc.property(steps, (given) => {
			const world = createWorld();
			world.feed({ kind: "connect" });
			for (const step of given) world.feed(step.input, step);
			return world.sound();
		}),
		{ numRuns: 300 },
	);
});

test("[PG301] in any order of events a visible page is connected or has a deadline after which it tries, and it connects as soon as the server answers", () => {
	fc.assert(
		fc.property(steps, (given) => {
			const world = createWorld();
			world.feed({ kind: "connect" });
			for (const step of given) {
				world.feed(step.input, step);
				if (!world.planned()) return false;
			}
			world.feed({ kind: "shown" });
			for (let tries = 0; tries < 3 && world.link().kind !== "open"; tries++) {
				if (world.link().kind === "waiting") world.feed({ kind: "due" });
				if (world.link().kind === "connecting") world.feed({ kind: "opened" });
			}
			return world.link().kind === "open";
		}),
		{ numRuns: 300 },
	);
});

test("[PG301] a login that ended stops every attempt, and one that is open is not disturbed by a late answer about it", () => {
	const world = createWorld();
	world.feed({ kind: "connect" });
	world.feed({ kind: "closed", code: 1006 });
	world.feed({ kind: "login-ended" });
	expect([world.link().kind, deadlineOf(world.link())]).toEqual(["signed-out", undefined]);
	world.feed({ kind: "connect" });
	world.feed({ kind: "opened" });
	world.feed({ kind: "login-ended" });
	expect(world.link().kind).toBe("open");
});
