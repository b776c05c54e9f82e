import { HEARTBEAT_TIMEOUT_MS, PONG_TIMEOUT_MS } from "@rightseat/protocol/limits";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type FakeSocket, setUpConnection as setUp } from "../testing/fake-connection.ts";
import { BACKOFF_MAX_MS, backoffMs, HEALTHY_MS, OPEN_TIMEOUT_MS, STATUS_DELAY_MS } from "./policy.ts";

const pings = (socket: FakeSocket) => socket.sent.filter((text) => text.includes('"ping"')).length;

test("[PG1] a page that becomes visible pings at once", () => {
	const { connected, show, last } = setUp();
	connected();
	show(false);
	expect(pings(last())).toBe(0);
	show(true);
	expect(pings(last())).toBe(1);
});

test("[PG2] no pong in 5 s after becoming visible: a new connection without any delay", () => {
	const { clock, connected, show, sockets, states } = setUp();
	connected();
	show(false);
	show(true);
	clock.advance(PONG_TIMEOUT_MS - 1);
	expect(sockets).toHaveLength(1);
	clock.advance(1);
	expect(sockets).toHaveLength(2);
	expect(sockets[0]?.closed).toBe(true);
	expect(states.at(-1)).toBe("connecting");
});

test("[PG2] a pong in time keeps the connection", () => {
	const { clock, connected, show, sockets, last } = setUp();
	connected();
	show(false);
	show(true);
	clock.advance(PONG_TIMEOUT_MS - 1);
	last().onText('{"type":"pong"}');
	clock.advance(1_000);
	expect(sockets).toHaveLength(1);
});

test("[PG3] lost while hidden: no timer runs, and becoming visible connects at once", () => {
	const { clock, connected, show, sockets, last, states } = setUp();
	connected();
	show(false);
	last().onClose(1006);
	expect(states.at(-1)).toBe("resting");
	expect(clock.pending()).toBe(0);
	clock.advance(3_600_000);
	expect(sockets).toHaveLength(1);
	show(true);
	expect(sockets).toHaveLength(2);
});

test("[PG3] a page that is hidden while it waits stops waiting", () => {
	const { clock, connection, show, sockets, last, states } = setUp({ random: 0.99 });
	connection.connect();
	last().onClose(1006);
	expect(states.at(-1)).toBe("waiting");
	show(false);
	clock.advance(60_000);
	expect(sockets).toHaveLength(1);
});

test("[PG4] a connection that dies silently in the foreground is replaced within 10 s", () => {
	const { clock, connected, sockets } = setUp();
	connected();
	clock.advance(10_000);
	expect(sockets.length).toBeGreaterThan(1);
});

test("[PG130] words about a connection that died silently stand on the page within 10 s", () => {
	const { clock, connected, states } = setUp();
	connected();
	clock.advance(10_000 - STATUS_DELAY_MS);
	expect(states.at(-1)).toBe("connecting");
});

test("[PG131] when the browser says that it is offline the connection is asked at once, and words stand there within 5 s", () => {
	const { clock, connected, connection, last, states } = setUp();
	connected();
	connection.networkGone();
	expect(pings(last())).toBe(1);
	clock.advance(5_000 - STATUS_DELAY_MS);
	expect(states.at(-1)).toBe("connecting");
});

test("[PG131] offline, but the server is on this machine and answers: nothing happens", () => {
	const { clock, connected, connection, last, sockets } = setUp();
	connected();
	connection.networkGone();
	last().onText('{"type":"pong"}');
	clock.advance(3_000);
	expect(sockets).toHaveLength(1);
});

test("[PG131] a new network replaces a handshake that hangs on the old one", () => {
	const { connection, sockets } = setUp();
	connection.connect();
	connection.networkBack();
	expect(sockets.map((socket) => socket.closed)).toEqual([true, false]);
});

test("[PG4] a hidden page still says something before the server's heartbeat ends", () => {
	const { clock, connected, show, last, sockets } = setUp();
	connected();
	show(false);
	last().onText('{"type":"pong"}');
	let answered = 0;
	for (let passed = 0; passed < HEARTBEAT_TIMEOUT_MS; passed += 1_000) {
		clock.advance(1_000);
		if (pings(last()) > answered) last().onText('{"type":"pong"}');
		answered = pings(last());
	}
	expect(answered).toBeGreaterThan(1);
	expect(sockets).toHaveLength(1);
});

test("[PG4] an answer that streams for minutes does not keep the page from pinging: the server hears only what the page says", () => {
	const { clock, connected, last } = setUp();
	connected();
	for (let passed = 0; passed < HEARTBEAT_TIMEOUT_MS; passed += 100) {
		clock.advance(100);
		last().onText('{"type":"copilot:delta"}');
	}
	expect(pings(last())).toBeGreaterThanOrEqual(2);
});

test("[PG5] every frame that arrives restarts the time to the next ping", () => {
	const { clock, connected, last } = setUp();
	connected();
	for (let index = 0; index < 12; index++) {
		clock.advance(3_000);
		last().onText('{"type":"copilot:delta"}');
	}
	expect(pings(last())).toBe(0);
});

test("[PG6] waits grow from half a second to eight and are spread over the whole range", () => {
	expect(backoffMs(0, 0.999)).toBeLessThanOrEqual(500);
	expect(backoffMs(3, 0.5)).toBe(2_000);
	fc.assert(
		fc.property(fc.nat(200), fc.double({ min: 0, max: 0.999999, noNaN: true }), (failures, random) => {
			const delay = backoffMs(failures, random);
			return delay >= 0 && delay <= BACKOFF_MAX_MS;
		}),
	);
});

test("[PG6] the first loss after a healthy minute is repaired at once, flapping is not", () => {
	const { clock, connected, last, sockets } = setUp({ random: 0.9 });
	connected();
	for (let index = 0; index < HEALTHY_MS / 1_000; index++) {
		clock.advance(1_000);
		last().onText('{"type":"pong"}');
	}
	last().onClose(1006);
	clock.advance(0);
	expect(sockets).toHaveLength(2);
	last().onOpen();
	last().onClose(1006);
	clock.advance(100);
	expect(sockets).toHaveLength(2);
	clock.advance(1_000);
	expect(sockets).toHaveLength(3);
});

test("[PG6] a handshake that hangs is given up", () => {
	const { clock, connection, states, last } = setUp({ random: 0.9 });
	connection.connect();
	const hung = last();
	clock.advance(OPEN_TIMEOUT_MS);
	expect(states.at(-1)).toBe("waiting");
	expect(hung.closed).toBe(true);
});

test("[PG7] an ended login shows the login form, a restart is waited for shortly, a limit longer", () => {
	const ended = setUp();
	ended.connected();
	ended.last().onClose(4001);
	expect(ended.states.at(-1)).toBe("signed-out");
	ended.clock.advance(100_000);
	expect(ended.sockets).toHaveLength(1);

	const restart = setUp({ random: 0 });
	restart.connected();
	restart.last().onClose(1012);
	restart.clock.advance(199);
	expect(restart.sockets).toHaveLength(1);
	restart.clock.advance(1);
	expect(restart.sockets).toHaveLength(2);

	const limited = setUp({ random: 0 });
	limited.connected();
	limited.last().onClose(4029);
	limited.clock.advance(4_999);
	expect(limited.sockets).toHaveLength(1);
	limited.clock.advance(1);
	expect(limited.sockets).toHaveLength(2);
});

test("[PG9] a refused handshake after the login ended leads to the login form", async () => {
	const { connection, last, states } = setUp({ probe: "signed-out" });
	connection.connect();
	last().onClose(1006);
	await Promise.resolve();
	await Promise.resolve();
	expect(states.at(-1)).toBe("signed-out");
});

test("[PG8] whatever happens, one socket is alive at most and replaced ones are not heard", () => {
	const event = fc.constantFrom(
		"open",
		"close",
		"restart",
		"text",
		"old-text",
		"old-close",
		"hide",
		"show",
		"online",
		"offline",
		"connect",
		"short",
		"long",
	);
	fc.assert(
		fc.property(fc.array(event, { maxLength: 80, size: "max" }), (events) => {
			const { clock, connection, sockets, texts, show, last } = setUp();
			connection.connect();
			let heard = 0;
			for (const name of events) {
				const socket = last();
				const old = sockets[sockets.length - 2];
				const live = !socket.closed;
				if (name === "open" && live && connection.state().kind === "connecting") socket.onOpen();
				else if (name === "close" && live) socket.onClose(1006);
				else if (name === "restart" && live) socket.onClose(1012);
				else if (name === "text" && connection.state().kind === "open") {
					socket.onText("new");
					heard += 1;
				} else if (name === "old-text") old?.onText("old");
				else if (name === "old-close") old?.onClose(1006);
				else if (name === "hide") show(false);
				else if (name === "show") show(true);
				else if (name === "online") connection.networkBack();
				else if (name === "offline") connection.networkGone();
				else if (name === "connect") connection.connect();
				else if (name === "short") clock.advance(700);
				else if (name === "long") clock.advance(40_000);
				expect(sockets.filter((each) => !each.closed).length).toBeLessThanOrEqual(1);
			}
			expect(texts).toEqual(Array.from({ length: heard }, () => "new"));
		}),
		{ numRuns: 400 },
	);
});
