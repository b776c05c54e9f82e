import { expect, test } from "vitest";
import { readSources } from "./support/source-files.ts";

const MAX_LINES = 120;
/** Longer than that today, with their length. A line here may only shrink or go. */
const LONG_TODAY: Readonly<Record<string, number>> = {
	"server/src/channels/telegram/bot-runtime.ts createBotRuntime": 204,
	"server/src/channels/telegram/create-telegram-channel.ts createTelegramChannel": 136,
	"server/src/channels/telegram/inbox/router.ts createRouter": 129,
	"server/src/channels/telegram/render/ask-view.ts createAskView": 137,
	"server/src/channels/telegram/render/turn-view.ts createTurnView": 160,
	"server/src/channels/web/create-web-channel.ts createWebChannel": 160,
	"server/src/channels/web/terminal/terminals.ts createTerminals": 152,
	"server/src/core/commands/commands.ts createCommands": 147,
	"server/src/core/conversations/create-conversations.ts createConversations": 256,
	"server/src/core/turns/prompts.ts createPrompts": 201,
	"server/src/core/turns/sessions.ts createSessions": 137,
	"server/src/core/turns/turns.ts createTurns": 125,
	"server/src/runtime/copilot/process/supervisor.ts createSupervisor": 220,
	"server/src/runtime/copilot/session/copilot-session.ts createCopilotSession": 171,
	"server/src/runtime/copilot/turn/turn-translator.ts createTurnTranslator": 146,
	"server/src/runtime/copilot/turn/turn.ts createTurn": 206,
	"server/src/services/work-roots/folder-client.ts createFolderClient": 165,
	"shell/src/command/command.ts startCommand": 232,
	"shell/src/daemon/host.ts createHost": 182,
	"shell/src/output/output-files.ts createSpills": 134,
	"shell/src/output/output.ts createOutput": 144,
	"shell/src/output/terminal-text.ts createCleaner": 213,
	"server/src/shell/jobs/job-registry.ts createJobBook": 176,
	"server/src/shell/service/shelld-client.ts createShelldClient": 136,
	"server/src/store/tables/message-store.ts createMessageStore": 137,
};

const START =
	/^\t*(?:.*\bfunction\b\*? ?(?<name>\w*)|.*=> \{$|(?!if|for|while|switch|catch|return)(?:async )?\*?(?<method>\w+)(?:<.*>)?\(.*\{$)/;

/** Every function of a formatted file: it ends at the first line that closes its own indentation. */
function functionsOf(path: string, text: string): { name: string; lines: number }[] {
	const lines = text.split("\n");
	return lines.flatMap((line, at) => {
		const start = START.exec(line)?.groups;
		if (start === undefined) return [];
		const indent = /^\t*/.exec(line)?.[0] ?? "";
		const close = new RegExp(`^${indent}\\}[);,\\]]*$`);
		const length = lines.slice(at + 1).findIndex((later) => close.test(later)) + 2;
		const name = start.name || start.method || (/(\w+)\s*[=:(]/.exec(line)?.[1] ?? "");
		return length === 1 ? [] : [{ name: `${path.replace(/^packages\//, "")} ${name}`, lines: length }];
	});
}

test("[AR144] no function is longer than 120 lines, and the ones that are do not grow", () => {
	const product = readSources(["packages"]).filter((file) => /^packages\/\w+\/src\//.test(file.path) && !file.isTest);
	const long = product.flatMap((file) => functionsOf(file.path, file.text)).filter(({ lines }) => lines > MAX_LINES);
	const today = Object.fromEntries(long.map(({ name, lines }) => [name, lines]));
	const grown = Object.entries(today).filter(([name, lines]) => lines > (LONG_TODAY[name] ?? MAX_LINES));
	const gone = Object.keys(LONG_TODAY).filter((name) => today[name] === undefined);
	expect({ grown: Object.fromEntries(grown), gone }).toEqual({ grown: {}, gone: [] });
});
