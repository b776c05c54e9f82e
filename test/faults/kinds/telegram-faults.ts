import type { Fault } from "../fault.ts";

export const TELEGRAM_FAULTS: Fault[] = [
	{
		name: "telegram-409",
		breaks: "another process polls the bot",
		inject: (world) =>
			world.telegram.fault("getUpdates", { code: 409, description: "Conflict: terminated by other getUpdates request", times: 1 }),
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
];
