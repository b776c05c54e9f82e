import { createHash } from "node:crypto";
import type { BotCommand } from "grammy/types";
import type { Logger } from "../../core/logger.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import type { BotClient } from "./bot-client.ts";
import { textOf } from "./row.ts";

/** Telegram refuses menus beyond about 4 KB, whatever its documentation says. */
export const MAX_MENU_BYTES = 3_500;
export const MAX_MENU_COMMANDS = 100;
const MAX_DESCRIPTION_CHARS = 60;

export const COMMANDS: BotCommand[] = [
	{ command: "new", description: "Start a new conversation here" },
	{ command: "stop", description: "Stop what is running and empty the queue" },
	{ command: "status", description: "What is going on in this conversation" },
	{ command: "list", description: "Pick another conversation" },
	{ command: "model", description: "Show or change the model" },
	{ command: "cwd", description: "Show or change the working directory" },
	{ command: "ps", description: "Background processes, with a button to end each" },
	{ command: "reset", description: "Forget this conversation here; the page keeps it" },
	{ command: "link", description: "Open this conversation on the page, or link one by code" },
	{ command: "help", description: "How this works" },
];

/** Sets the menu when it differs from the one set last. Never fails: a bot without a menu still works. */
export async function updateMenu(deps: {
	client: BotClient;
	sql: SqlDatabase;
	logger: Logger;
	botId: number;
	commands?: BotCommand[];
}): Promise<void> {
	const { client, sql, logger } = deps;
	const key = `menu:${deps.botId}`;
	let commands = trimMenu(deps.commands ?? COMMANDS);
	const hash = createHash("sha256").update(JSON.stringify(commands)).digest("hex");
	const known = sql.prepare("SELECT value FROM telegram_state WHERE key = ?").get(key);
	if (known !== undefined && textOf(known, "value") === hash) return;
	while (commands.length > 0) {
		const result = await client.setCommands(commands);
		if (result.kind === "ok") {
			sql.prepare("INSERT OR REPLACE INTO telegram_state (key, value) VALUES (?, ?)").run(key, hash);
			return;
		}
		const isTooLong = result.kind === "refused" && /TOO_MUCH/.test(result.description);
		logger.warn({ result, commands: commands.length }, "Telegram did not take the command menu");
		if (!isTooLong) return;
		commands = commands.slice(0, Math.floor(commands.length / 2));
	}
}

export function trimMenu(commands: BotCommand[]): BotCommand[] {
	const kept: BotCommand[] = [];
	for (const { command, description } of commands.slice(0, MAX_MENU_COMMANDS)) {
		const next = [...kept, { command, description: description.slice(0, MAX_DESCRIPTION_CHARS) }];
		if (Buffer.byteLength(JSON.stringify(next)) > MAX_MENU_BYTES) break;
		kept.splice(0, kept.length, ...next);
	}
	return kept;
}
