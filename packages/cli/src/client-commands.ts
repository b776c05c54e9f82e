import type { ClientCommand } from "./commands/command.ts";

/** Everything that is run against a running server. */
export const CLIENT_COMMANDS: readonly ClientCommand[] = [
	{
		name: "ask",
		summary: { en: "ask the agent something, from a script or a terminal", "zh-Hant": "從腳本或終端機問代理" },
		load: async () => (await import("./commands/ask.ts")).ask,
	},
	{
		name: "ls",
		summary: { en: "list the conversations", "zh-Hant": "列出對話" },
		load: async () => (await import("./commands/ls.ts")).ls,
	},
	{
		name: "stop",
		summary: { en: "stop the turn that runs in a conversation", "zh-Hant": "停止對話中正在執行的回合" },
		load: async () => (await import("./commands/stop.ts")).stop,
	},
];
