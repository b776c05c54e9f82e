import { afterEach, expect, test } from "vitest";
import { createBotClient } from "../../../packages/server/src/channels/telegram/api/bot-client.ts";
import { createPollLoop } from "../../../packages/server/src/channels/telegram/inbox/poll-loop.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { recordingLogger } from "./telegram-bed-parts.ts";
import { ANN, createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

test("[TG15] an update is on disk before it is confirmed, and one that is delivered again is handled once", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("once");
	const [update] = bed.api.lastBatch().length > 0 ? bed.api.lastBatch() : bed.api.updates.pending();
	if (update === undefined) throw new Error("an update was delivered");
	turn.end();
	await bed.settle();
	bed.api.updates.again(update);
	await bed.settle();
	const prompts = bed.conversations.messages(bed.conversation(), { limit: 9 }).messages.filter((message) => message.role === "user");
	expect(prompts).toHaveLength(1);
	const offsets = bed.api.callsOf("getUpdates").map((call) => call.params.offset);
	expect(offsets.at(-1)).toBe(update.update_id + 1);
});

test("[TG15] a command that is delivered again is not run again", async () => {
	bed = await createTelegramBed();
	bed.ann.text("/new");
	await bed.settle();
	const [update] = bed.api.lastBatch().length > 0 ? bed.api.lastBatch() : bed.api.updates.pending();
	if (update === undefined) throw new Error("an update was delivered");
	bed.api.updates.again(update);
	await bed.settle();
	expect(bed.conversations.list().conversations).toHaveLength(1);
});

test("[TG15] updates that cannot be stored are not confirmed and come again", async () => {
	bed = await createTelegramBed();
	const { sql } = bed.opened;
	sql.exec("CREATE TRIGGER full BEFORE INSERT ON telegram_inbox BEGIN SELECT RAISE(ABORT, 'disk full'); END");
	bed.ann.text("keep this");
	await bed.settle();
	expect(bed.api.updates.pending()).toHaveLength(1);
	sql.exec("DROP TRIGGER full");
	await bed.advance(2_100);
	const turn = await bed.nextTurn();
	expect(turn.input.displayPrompt).toBe("keep this");
	turn.end();
});

test("[TG16] a conflict with another poller ends by itself: afterwards messages are answered as ever", async () => {
	bed = await createTelegramBed();
	bed.api.holdSlot(60_000);
	await bed.advance(80_000, 1_000);
	(await bed.ask("are you there?")).end();
});

test("[TG265] during a conflict polls come after 5, 10, 20, 40 seconds", async () => {
	bed = await createTelegramBed();
	bed.api.holdSlot(60_000);
	await bed.advance(80_000, 1_000);
	const polls = bed.api.callsOf("getUpdates").filter((call) => call.code === 409);
	const gaps = polls.slice(1).map((poll, index) => Math.round((poll.at - (polls[index]?.at ?? 0)) / 1000));
	expect(gaps.length).toBeGreaterThan(2);
	expect(gaps).toEqual([5, 10, 20, 40].slice(0, gaps.length));
});

test("[TG266] a conflict is a state with its reason while it lasts, and one warning in the log", async () => {
	bed = await createTelegramBed();
	const states: string[] = [];
	bed.channel.onStatus((status) => states.push(status.state));
	bed.api.holdSlot(60_000);
	await bed.settle();
	expect(bed.channel.status()).toMatchObject({ state: "degraded", problem: "conflict", botUsername: "rightseat_bot" });
	expect(bed.channel.status().message).toContain("Another instance polls this bot token");
	await bed.advance(80_000, 1_000);
	expect(states).toEqual(["degraded", "ok"]);
	expect(bed.log.filter((line) => line.level === "warn")).toHaveLength(1);
});

test("[TG74] that a conflict is over is told with the next answer, though nobody writes", async () => {
	bed = await createTelegramBed();
	bed.api.holdSlot(1_000);
	await bed.settle();
	expect(bed.channel.status().state).toBe("degraded");
	await bed.advance(6_000, 1_000);
	expect(bed.channel.status().state).toBe("ok");
});

test("[TG18] a refused token stops everything at once, and the status says what to do", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("hello");
	bed.api.revokeToken();
	const before = bed.api.calls.length;
	turn.text("answer");
	await bed.advance(60_000, 1_000);
	expect(bed.channel.status()).toMatchObject({ state: "token-refused", problem: "token-refused" });
	expect(bed.channel.status().message).toContain("@BotFather");
	expect(bed.api.calls.length - before).toBeLessThanOrEqual(3);
	turn.end();
});

test("[TG18] a token that is wrong from the start is a status, not a crash", async () => {
	bed = await createTelegramBed({ config: { token: "1:wrong" } });
	expect(bed.channel.status()).toMatchObject({ state: "token-refused" });
	await bed.advance(30_000, 1_000);
	expect(bed.api.calls).toHaveLength(1);
});

test("[TG19] a poll that hangs is cut although sends succeed meanwhile", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	bed.api.hang(true);
	bed.api.updates.leave();
	await bed.settle();
	turn.text("still sending");
	await bed.advance(20_000, 1_000);
	expect(bed.api.callsOf("editMessageText").length).toBeGreaterThan(0);
	bed.api.hang(false);
	bed.ann.text("/status");
	await bed.advance(40_000, 1_000);
	expect(bed.said().some((message) => message.text.includes("State: working"))).toBe(true);
	turn.end();
});

test("[TG237] after ten minutes without a network the first update is handled within five seconds", async () => {
	bed = await createTelegramBed();
	bed.api.fault("getUpdates", { dropBefore: true, times: 10_000 });
	bed.api.updates.leave();
	await bed.advance(600_000, 20_000);
	expect(bed.channel.status().state).toBe("degraded");
	bed.api.clearFaults();
	bed.ann.text("/help");
	await bed.advance(5_000, 500);
	expect(bed.last().text).toContain("/stop stop what is running");
	expect(bed.channel.status().state).toBe("ok");
});

test("[TG23] after a quiet week the old offset is not used, because Telegram starts at a random number again", async () => {
	bed = await createTelegramBed();
	bed.ann.text("/help");
	await bed.settle();
	expect(bed.api.callsOf("getUpdates").at(-1)?.params.offset).toBeGreaterThan(0);
	bed = await bed.crash({ ms: 7 * 24 * 3_600_000 });
	expect(bed.api.callsOf("getUpdates").at(-1)?.params.offset).toBe(0);
});

test("[TG24] an update whose handling fails does not stop the next one", async () => {
	bed = await createTelegramBed();
	const broken = {
		message_id: 5,
		date: Math.floor(bed.clock.now() / 1000),
		chat: { id: ANN.id, type: "private" },
		from: { id: ANN.id, is_bot: false, first_name: "Ann" },
		text: 5,
	};
	bed.api.updates.push("message", broken);
	const turn = await bed.ask("after the broken one");
	turn.end();
	expect(bed.log.some((line) => line.level === "error")).toBe(true);
});

test("[TG26] what was taken and not handled when the process died is handled once by the next one", async () => {
	bed = await createTelegramBed();
	bed.ann.text("x".repeat(4_050));
	await bed.settle();
	expect(bed.runtime.opened).toEqual([]);
	bed = await bed.crash();
	await bed.advance(2_000);
	const turn = await bed.nextTurn();
	expect(turn.input.displayPrompt).toHaveLength(4_050);
	turn.end();
	await bed.settle();
	expect(bed.conversations.list().conversations).toHaveLength(1);
});

test("[TG9] on shutdown polling stops first, and after close nothing more is called", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("hello");
	const closing = bed.channel.close();
	await bed.settle();
	await bed.clock.advance(3_000);
	await closing;
	const calls = bed.api.calls.length;
	bed.ann.text("too late");
	turn.text("nobody listens");
	turn.end();
	await bed.advance(10_000, 1_000);
	expect(bed.api.calls).toHaveLength(calls);
	expect(bed.api.updates.pending()).toHaveLength(1);
	expect(bed.channel.status().state).toBe("stopped");
});

test("[TG221] while the server drains nothing more is polled, and what a running turn still says goes out", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("hello");
	await bed.channel.drain();
	bed.ann.text("too late for this run");
	turn.text("The last words.");
	turn.end();
	await bed.advance(3_000);
	expect(bed.last().text).toBe("The last words.");
	expect(bed.api.updates.pending()).toHaveLength(1);
});

test("[TG103] after the clock was set back updates are confirmed as ever, and a poll that brings nothing new is followed by a pause", async () => {
	bed = await createTelegramBed();
	bed.ann.text("/help");
	await bed.settle();
	bed.clock.jump(-60_000);
	bed.ann.text("/status");
	await bed.settle();
	expect(bed.api.updates.pending()).toEqual([]);
	const before = bed.api.callsOf("getUpdates").length;
	for (let round = 0; round < 20; round++) {
		const [update] = bed.api.lastBatch();
		if (update !== undefined) bed.api.updates.again(update);
		await bed.settle();
	}
	expect(bed.api.callsOf("getUpdates").length - before).toBeLessThanOrEqual(2);
	await bed.advance(2_500);
	(await bed.ask("still heard")).end();
});

test("[TG103] more updates than one poll brings do not make the bot deaf, whatever the clock says", async () => {
	bed = await createTelegramBed();
	bed.ann.text("/help");
	await bed.settle();
	const strangers = () => {
		bed.clock.jump(-3_600_000);
		const bob = bed.api.private({ id: 2002, name: "Bob" });
		for (let index = 0; index < 150; index++) bob.text(`noise ${index}`);
		bed.ann.text("through the noise");
	};
	bed = await bed.crash({ meanwhile: strangers });
	const turn = await bed.nextTurn();
	expect(turn.input.displayPrompt).toBe("through the noise");
	turn.end();
	await bed.advance(3_000, 1_000);
	expect(bed.api.updates.pending()).toEqual([]);
	bed = await bed.crash();
	(await bed.ask("and after a restart")).end();
});

test("[TG103] a storage that cannot say where to go on delays polling and does not end it", async () => {
	let broken = true;
	const clock = createFakeClock();
	const health: string[] = [];
	let polls = 0;
	bed = await createTelegramBed({ idle: true });
	const loop = createPollLoop({
		client: {
			...createBotClient({ token: "1:x", apiRoot: "http://127.0.0.1:1", onUnauthorized: () => undefined, durable: async () => undefined }),
			getUpdates: async () => {
				polls += 1;
				return new Promise(() => undefined);
			},
		},
		offset: () => {
			if (broken) throw new Error("disk I/O error");
			return 7;
		},
		accept: () => 0,
		onHealth: ({ state }) => health.push(state),
		clock,
		logger: recordingLogger([]),
	});
	loop.start();
	await clock.advance(10_000);
	expect(polls).toBe(0);
	expect(health).toContain("degraded");
	broken = false;
	await clock.advance(3_000);
	expect(polls).toBe(1);
});
