import type { ClientCommand } from "./commands/command.ts";

/** Everything that is run against a running server. */
export const CLIENT_COMMANDS: readonly ClientCommand[] = [
	{
		name: "ask",
		summary: { en: "ask the agent something, from a script or a terminal", "zh-Hant": "從腳本或終端機問代理" },
		load: async () => (await import("./commands/ask.ts")).ask,
	},
	{
		name: "attach",
		summary: {
			en: "follow a conversation in a terminal: write, answer, stop, !cmd",
			"zh-Hant": "在終端機裡參與對話：輸入、回答、停止、!指令",
		},
		load: async () => (await import("./commands/attach.ts")).attach,
	},
	{
		name: "ls",
		summary: { en: "list the conversations", "zh-Hant": "列出對話" },
		load: async () => (await import("./commands/ls.ts")).ls,
	},
	{
		name: "tail",
		summary: { en: "print the end of a conversation, and what follows", "zh-Hant": "顯示對話的結尾和後續內容" },
		load: async () => (await import("./commands/tail.ts")).tail,
	},
	{
		name: "mcp",
		summary: {
			en: "conversations for an MCP client, over standard input and output",
			"zh-Hant": "經由標準輸入輸出，把對話提供給 MCP 用戶端",
		},
		load: async () => (await import("./commands/mcp.ts")).mcp,
	},
	{
		name: "schedules",
		summary: { en: "prompts that are sent at a time: list, add, pause, run, remove", "zh-Hant": "排程提示：列出、新增、暫停、執行、移除" },
		load: async () => (await import("./commands/schedules.ts")).schedules,
	},
	{
		name: "stop",
		summary: { en: "stop the turn that runs in a conversation", "zh-Hant": "停止對話中正在執行的回合" },
		load: async () => (await import("./commands/stop.ts")).stop,
	},
];
