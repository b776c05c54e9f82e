import { promptsOfChats } from "../chats.ts";
import type { Fault } from "../fault.ts";
import { ANN } from "../history.ts";
import { until } from "../quiet.ts";
import { wait } from "../wait.ts";
import type { World } from "../world.ts";

/** Telegram refuses, forgets, or redelivers. */
export const TELEGRAM_FAULTS: Fault[] = [
	{
		name: "telegram-409",
		breaks: "another process polls the bot",
		inject: (world) =>
			world.telegram.fault("getUpdates", { code: 409, description: "Conflict: terminated by other getUpdates request", times: 1 }),
	},
	{
		name: "telegram-409-on",
		breaks: "another process polls the bot for seconds",
		shows: [{ anyOf: ["telegram:degraded"] }],
		async inject(world, _random, struck) {
			// After an earlier refusal the bot rests for seconds, and would not notice this one.
			await until("The bot's return", async () => (await telegramState(world)) === "ok", 30_000);
			struck();
			world.telegram.holdSlot(3_000);
		},
	},
	{
		name: "telegram-429",
		breaks: "Telegram asks to wait",
		inject: (world) => world.telegram.fault("sendMessage", { code: 429, retryAfter: 1, times: 1 }),
	},
	{
		name: "telegram-lost-response",
		breaks: "Telegram sends a message and its answer is lost",
		inject: (world) => world.telegram.fault("sendMessage", { dropAfter: true, times: 1 }),
	},
	{ name: "telegram-500", breaks: "Telegram answers 502", inject: (world) => world.telegram.fault("sendMessage", { code: 502, times: 1 }) },
	{
		name: "telegram-batch-kill",
		breaks: "the server is killed while it takes a batch of Telegram messages",
		restarts: true,
		shows: [{ anyOf: ["lost"] }],
		async inject(world, random, struck) {
			const id = random.between(0, 1e9);
			const batch = Array.from({ length: 5 }, (_, n) => `batch-${id}-${n}`);
			const before = world.telegram.callsOf("getUpdates").length;
			const person = world.telegram.private(ANN);
			for (const text of batch) person.text(text);
			world.history.chats.push(...batch);
			await until("The batch's delivery", () => world.telegram.callsOf("getUpdates").length > before, 10_000);
			struck();
			await world.server.kill("SIGKILL");
			await world.revive();
		},
	},
	{
		name: "clock-back-telegram",
		breaks: "the server's clock is set back an hour while the bot polls",
		async inject(world, random) {
			const before = world.telegram.callsOf("getUpdates").length;
			world.shiftClock(-3_600_000);
			await wait(2_000);
			const polls = world.telegram.callsOf("getUpdates").length - before;
			if (polls > MAX_POLLS) throw new Error(`The bot polled ${polls} times in two seconds after the clock was set back.`);
			const text = `set-back-${random.between(0, 1e9)}`;
			world.telegram.private(ANN).text(text);
			world.history.chats.push(text);
			await until("A message after the clock was set back", async () => (await promptsOfChats(world)).includes(text), 30_000);
		},
		heal: (world) => world.shiftClock(0),
	},
];

/** A long poll ends with what arrives, so there are a few; one that does not wait makes hundreds. */
const MAX_POLLS = 30;

async function telegramState(world: World): Promise<string> {
	const status: { telegram: { state: string } } = await (await world.server.api("/api/status")).json();
	return status.telegram.state;
}
