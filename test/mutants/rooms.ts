import type { Mutant } from "./mutant.ts";

/** Where each room lies. A file belongs to the room with the longest path that it begins with. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
	"core/turns": ["packages/server/src/core/turns/"],
	"core/commands": ["packages/server/src/core/commands/"],
	"core/log": ["packages/server/src/core/log/"],
	"core/active, kernel": ["packages/server/src/core/active/", "packages/server/src/core/kernel/", "packages/protocol/src/text.ts"],
	"core/asks": ["packages/server/src/core/asks/"],
	"core/asks/plans (modes and plans)": ["packages/server/src/core/asks/plans/"],
	"core/asks/remembered (permissions for good)": ["packages/server/src/core/asks/remembered/"],
	forms: ["packages/protocol/src/form/", "packages/server/src/core/asks/forms.ts", "packages/server/src/core/asks/ask-form.ts"],
	"core/inbox": ["packages/server/src/core/inbox/"],
	"core/schedules": ["packages/server/src/core/schedules/"],
	"core/usage (budgets)": ["packages/server/src/core/usage/"],
	"core/forks": ["packages/server/src/core/forks/"],
	"core/context, titles": ["packages/server/src/core/context/", "packages/server/src/core/titles/"],
	"core/fleet": ["packages/server/src/core/fleet/"],
	fleet: ["packages/server/src/fleet/"],
	"runtime/copilot": ["packages/server/src/runtime/copilot/"],
	"runtime/copilot/sub-agents": ["packages/server/src/runtime/copilot/sub-agents/"],
	"runtime/acp": ["packages/server/src/runtime/acp/"],
	"services/folder-setup (trust)": ["packages/server/src/services/folder-setup/"],
	"MCP servers": ["packages/server/src/services/mcp-servers/", "packages/server/src/runtime/copilot/mcp/"],
	"services/attachments": ["packages/server/src/services/attachments/"],
	"services/git": ["packages/server/src/services/git/"],
	changes: ["packages/changes/", "packages/server/src/core/changes/"],
	store: ["packages/server/src/store/"],
	shell: ["packages/shell/", "packages/server/src/shell/"],
	"channels/web": ["packages/server/src/channels/web/"],
	"channels/telegram": ["packages/server/src/channels/telegram/"],
	"channels/mcp": ["packages/server/src/channels/mcp/"],
	app: ["packages/server/src/app/"],
	cli: ["packages/cli/"],
	"page: connection, outbox, storage, conversation": [
		...["packages/web/src/connection/", "packages/web/src/outbox/", "packages/web/src/storage/", "packages/web/src/conversation/"],
	],
	"page: the rest": ["packages/web/"],
};

/** The room of a file; undefined: none is named for it. */
export function roomOf(file: string): string | undefined {
	const found = Object.entries(ROOMS).flatMap(([room, paths]) =>
		paths.filter((path) => file.startsWith(path)).map((path) => ({ room, length: path.length })),
	);
	return found.toSorted((a, b) => b.length - a.length)[0]?.room;
}

/** The mutants of each room, in the order of the rooms. */
export function byRoom(mutants: readonly Mutant[]): Map<string, Mutant[]> {
	const rooms = new Map<string, Mutant[]>(Object.keys(ROOMS).map((room) => [room, []]));
	for (const mutant of mutants) rooms.get(roomOf(mutant.file) ?? "")?.push(mutant);
	return rooms;
}
