import type { ClientCommand } from "./commands/command.ts";

/** Everything that is run against a running server. */
export const CLIENT_COMMANDS: readonly ClientCommand[] = [
	{
		name: "ls",
		summary: { en: "list the conversations", "zh-Hant": "列出對話" },
		load: async () => (await import("./commands/ls.ts")).ls,
	},
];
