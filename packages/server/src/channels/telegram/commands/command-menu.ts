import { createHash } from "node:crypto";
import type { BotCommand, LanguageCode } from "grammy/types";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import { textColumn } from "../../../core/ports/sql-row.ts";
import type { BotClient } from "../api/bot-client.ts";
import { type Language, MESSAGES, type Messages } from "../messages/messages.ts";

/** Telegram refuses menus beyond about 4 KB, whatever its documentation says. */
export const MAX_MENU_BYTES = 3_500;
const MAX_MENU_COMMANDS = 100;
const MAX_DESCRIPTION_CHARS = 60;

const commandsIn = (words: Messages): BotCommand[] => [
	{ command: "new", description: words.menuNew },
	{ command: "stop", description: words.menuStop },
	{ command: "status", description: words.menuStatus },
	{ command: "inbox", description: words.menuInbox },
	{ command: "schedules", description: words.menuSchedules },
	{ command: "permissions", description: words.menuPermissions },
	{ command: "list", description: words.menuList },
	{ command: "model", description: words.menuModel },
	{ command: "agent", description: words.menuAgent },
	{ command: "mode", description: words.menuMode },
	{ command: "effort", description: words.menuEffort },
	{ command: "cwd", description: words.menuCwd },
	{ command: "trust", description: words.menuTrust },
	{ command: "context", description: words.menuContext },
	{ command: "compact", description: words.menuCompact },
	{ command: "aside", description: words.menuAside },
	{ command: "ps", description: words.menuPs },
	{ command: "fork", description: words.menuFork },
	{ command: "reset", description: words.menuReset },
	{ command: "link", description: words.menuLink },
	{ command: "help", description: words.menuHelp },
];

/** Sets the menu of every language; with a language in the configuration they all say the same. */
export async function updateMenus(deps: {
	client: Pick<BotClient, "setCommands">;
	sql: SqlDatabase;
	logger: Logger;
	botId: number;
	language: "auto" | Language;
}): Promise<void> {
	const { language } = deps;
	await updateMenu({ ...deps, commands: commandsIn(MESSAGES[language === "auto" ? "en" : language]) });
	await updateMenu({ ...deps, commands: commandsIn(MESSAGES[language === "auto" ? "zh-Hant" : language]), languageCode: "zh" });
}

/** Sets the menu when it differs from the one set last. Never fails: a bot without a menu still works. */
async function updateMenu(deps: {
	client: Pick<BotClient, "setCommands">;
	sql: SqlDatabase;
	logger: Logger;
	botId: number;
	commands: BotCommand[];
	/** Whose Telegram shows this menu; without it everybody's that has no menu of its own. */
	languageCode?: LanguageCode;
}): Promise<void> {
	const { client, sql, logger } = deps;
	const key = `menu:${deps.botId}${deps.languageCode === undefined ? "" : `:${deps.languageCode}`}`;
	let commands = trimMenu(deps.commands);
	const hash = createHash("sha256").update(JSON.stringify(commands)).digest("hex");
	const known = sql.prepare("SELECT value FROM telegram_state WHERE key = ?").get(key);
	if (known !== undefined && textColumn(known, "value") === hash) return;
	while (commands.length > 0) {
		const result = await client.setCommands(commands, deps.languageCode);
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
