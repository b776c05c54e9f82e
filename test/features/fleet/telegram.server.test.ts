import { afterEach, expect, test } from "vitest";
import { ANN, createTelegramFleet, type TelegramFleet } from "./telegram-fleet-harness.ts";

let bed: TelegramFleet;
afterEach(() => bed.close());

const times = (text: string) => bed.said().filter((each) => each.includes(text)).length;
const heard = (text: string) => bed.until(() => times(text) > 0, text);

test("[FL240] the bot runs on one host; when that lets go, the other one has it with its chats and people, and what is elsewhere is said there", async () => {
	bed = await createTelegramFleet({ allowedUsers: [] });
	const [desk, laptop] = bed.hosts;
	await bed.until(() => laptop.channel.status().problem === "elsewhere", "where it runs");
	expect([desk.isHolder(), laptop.channel.status()]).toMatchObject([
		true,
		{ state: "stopped", message: expect.stringContaining("host 1") },
	]);
	expect(() => laptop.channel.pairing.confirm("x")).toThrow(/runs on host 1/);
	bed.ann.text("let me in");
	const code = await bed.until(() => /[0-9A-F]{4}-[0-9A-F]{4}/.exec(bed.said().join(" "))?.[0], "a code");
	expect(desk.channel.pairing.confirm(code)).toMatchObject({ userId: ANN.id });
	bed.ann.text("hello");
	const turn = await desk.nextTurn();
	turn.text("Hi Ann");
	turn.end();
	await heard("Hi Ann");
	const closing = desk.channel.close();
	await bed.until(laptop.isHolder, "the other holder");
	await closing;
	expect(laptop.channel.pairing.people()).toMatchObject([{ userId: ANN.id, fixed: false }]);
	// The chat shows the same conversation, which is on another host now.
	bed.ann.text("and again");
	const next = await desk.nextTurn();
	expect(next.input.prompt).toContain("and again");
	next.text("Still here");
	next.end();
	await heard("Still here");
	expect([times("Hi Ann"), times("Still here"), times("and again")]).toEqual([1, 1, 0]);
});

test("[FL241] a holder that is cut off calls nothing more before another one does, and what it wakes up with is refused", async () => {
	bed = await createTelegramFleet();
	const [desk, laptop] = bed.hosts;
	bed.ann.text("hello");
	const turn = await desk.nextTurn();
	await bed.advance(1_000);
	desk.setOffline(true);
	await bed.until(() => !desk.isHolder(), "the end of the old holder");
	expect(laptop.isHolder()).toBe(false);
	turn.text("Said while cut off");
	turn.end();
	await bed.until(laptop.isHolder, "the other holder");
	expect(times("Said while cut off")).toBe(0);
	desk.setOffline(false);
	await heard("Said while cut off");
	await bed.advance(5_000);
	expect([times("Said while cut off"), desk.isHolder(), laptop.isHolder()]).toEqual([1, false, true]);
	expect(bed.hosts.flatMap(({ log }) => log.filter(({ message }) => message.startsWith("Another instance")))).toEqual([]);
});

test("[TG500] conversations of all hosts are offered, shown, prompted, asked and stopped in the chat; one that is away says so", async () => {
	bed = await createTelegramFleet();
	const [, laptop] = bed.hosts;
	const id = await laptop.core.begin();
	await laptop.core.conversations.update(id, { title: "Far away" });
	await bed.advance(6_000);
	bed.ann.text("/list");
	const list = await bed.until(() => bed.api.fromBot(ANN.id).find(({ buttons }) => buttons.length > 0), "the list");
	expect(list.buttons.flat().map(({ text }) => text)).toEqual(["Far away · host 2"]);
	bed.ann.tap(list, "Far away · host 2");
	await heard("This chat shows “Far away” now.");
	bed.ann.text("go");
	const turn = await laptop.nextTurn();
	const asked = turn.options.ask({ question: "Which colour?", choices: ["Red"], allowFreeform: true }, turn.signal);
	await heard("❓ Which colour?");
	bed.ann.text("purple, please");
	await heard("✅ purple, please");
	expect(await asked).toEqual({ answer: "purple, please", wasFreeform: true });
	turn.text("On its way.");
	await bed.until(() => bed.said().some((text) => text.includes("On its way.")), "the status");
	bed.ann.text("/stop");
	await heard("Stopped");
	expect(turn.signal.aborted).toBe(true);
	turn.end("aborted");
	await bed.advance(2_000);
	laptop.setOffline(true);
	await bed.until(() => bed.hosts[0].everywhere.hosts()[1]?.state === "offline", "that it is away");
	bed.ann.text("later");
	await heard("📮 host 2 is offline.");
	bed.ann.text("/status");
	await heard("💤 host 2 is offline.");
	laptop.setOffline(false);
	const next = await laptop.nextTurn();
	expect(next.input.prompt).toContain("later");
	next.text("Back again");
	next.end();
	await heard("Back again");
	expect(times("Back again")).toBe(1);
});

test("[TG501] of a holder that dies in mid-answer the other one sends the answer once, and a prompt sent meanwhile runs once", async () => {
	bed = await createTelegramFleet();
	const [desk, laptop] = bed.hosts;
	const id = await laptop.core.begin();
	await laptop.core.conversations.update(id, { title: "Far away" });
	await bed.advance(6_000);
	bed.ann.text("/list");
	const list = await bed.until(() => bed.api.fromBot(ANN.id).find(({ buttons }) => buttons.length > 0), "the list");
	bed.ann.tap(list, "Far away · host 2");
	await heard("This chat shows");
	bed.ann.text("first");
	const turn = await laptop.nextTurn();
	turn.text("Half of it. ");
	await heard("Half of it.");
	await bed.advance(250);
	desk.die();
	bed.ann.text("second");
	await bed.until(laptop.isHolder, "the other holder");
	turn.text("All of it.");
	turn.end();
	await heard("All of it.");
	const next = await laptop.nextTurn();
	expect(next.input.prompt).toContain("second");
	next.text("The second answer");
	next.end();
	await heard("The second answer");
	await bed.advance(5_000);
	// The status message of the dead holder is gone, and nothing is said twice.
	expect([times("All of it."), times("The second answer"), times("🖥")]).toEqual([1, 1, 0]);
	expect(bed.said().filter((text) => text.includes("⏳"))).toEqual([]);
});

test("[TG502] a message that was on its way when the holder died is not sent again but told with a button; one that waited is sent, once", async () => {
	bed = await createTelegramFleet();
	const [desk, laptop] = bed.hosts;
	bed.ann.text("hello");
	const turn = await desk.nextTurn();
	bed.api.fault("sendMessage", { code: 429, retryAfter: 60, times: 100 });
	turn.text("On its way");
	turn.end();
	await bed.until(() => bed.api.callsOf("sendMessage").some(({ params }) => String(params.text).includes("On its way")), "the call");
	bed.ann.text("/help");
	await bed.advance(1_000);
	// As it stands between the intent and Telegram's answer.
	desk.sql.prepare("UPDATE telegram_outbox SET state = 'sending' WHERE payload LIKE '%On its way%'").run();
	await bed.advance(1_000);
	bed.api.clearFaults();
	desk.die();
	await bed.until(laptop.isHolder, "the other holder");
	await heard("may not have arrived");
	await heard("Write what you want done");
	await bed.advance(3_000);
	expect([times("On its way"), times("may not have arrived"), times("Write what you want done")]).toEqual([0, 1, 1]);
	const notice = bed.api.fromBot(ANN.id).find(({ text }) => text.includes("may not have arrived"));
	if (notice === undefined) throw new Error("There is no notice.");
	bed.ann.tap(notice, "Send it again");
	await heard("On its way");
	expect(times("On its way")).toBe(1);
});

test("[TG503] what a holder had taken and not handled when it died is handled by the next one", async () => {
	bed = await createTelegramFleet();
	const [desk, laptop] = bed.hosts;
	// Long enough to be a piece of a longer text: it is waited for the rest.
	bed.ann.text(`begin ${"x".repeat(4_000)}`);
	const pending = () => desk.sql.prepare("SELECT 1 FROM telegram_inbox WHERE state = 'pending'").all().length === 1;
	for (let step = 0; step < 200 && !pending(); step++) await new Promise((resolve) => setTimeout(resolve, 5));
	expect(pending()).toBe(true);
	desk.die();
	await bed.until(laptop.isHolder, "the other holder");
	const turn = await laptop.nextTurn();
	expect(turn.input.prompt).toMatch(/^begin x+$/);
	turn.text("Got all of it");
	turn.end();
	await heard("Got all of it");
});

test("[FL248] a host that is out of the fleet lets the bot go, and another one has it", async () => {
	bed = await createTelegramFleet();
	const [desk, laptop] = bed.hosts;
	desk.remove();
	await bed.until(laptop.isHolder, "the other holder");
	await bed.advance(3_000);
	expect([desk.isHolder(), laptop.isHolder()]).toEqual([false, true]);
});

test("[FL249] a holder that slept and goes on where it was edits and sends nothing: its time is over", async () => {
	bed = await createTelegramFleet();
	const [desk, laptop] = bed.hosts;
	bed.ann.text("hello");
	const turn = await desk.nextTurn();
	turn.text("Before. ");
	await heard("Before.");
	const status = bed.api.fromBot(ANN.id).find(({ text }) => text.includes("Before."))?.messageId;
	await bed.advance(1_000);
	// Its timers stand still, so that it does not look at its lease when it is back; what it follows goes on.
	desk.die();
	await bed.until(laptop.isHolder, "the other holder");
	desk.setOffline(false);
	const old = bed.api.calls.length;
	turn.text("After.");
	await bed.advance(3_000);
	turn.end();
	await bed.advance(3_000);
	const byDesk = bed.api.calls.slice(old).filter(({ method, params }) => method === "editMessageText" && params.message_id === status);
	expect([times("Before. After."), byDesk.map(({ params }) => params.text)]).toEqual([1, []]);
	expect(desk.sql.prepare("SELECT state FROM telegram_outbox WHERE payload LIKE '%After.%'").all()).toMatchObject([{ state: "pending" }]);
});
