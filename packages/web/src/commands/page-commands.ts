import { groupConversations } from "../sidebar/group-conversations.ts";
import type { Command, CommandContext } from "./command.ts";

/** Commands that need no conversation. */
export const PAGE_COMMANDS = [
	{
		id: "palette",
		words: { en: "Search and commands", "zh-Hant": "搜尋與指令" },
		keys: "mod+k",
		inTerminal: true,
		when: (state) => !state.paletteOpen,
		run: ({ actions }) => actions.show({ paletteOpen: true }),
	},
	{
		id: "new-conversation",
		words: { en: "New conversation", "zh-Hant": "新對話" },
		keys: "mod+shift+o",
		slash: { name: "new", argument: "none" },
		run({ actions, by }) {
			actions.openConversation(undefined);
			// A tap must not bring up the keyboard of a phone.
			if (by !== "pointer" || matchMedia("(pointer: fine)").matches) focusMessage();
		},
	},
	{
		id: "search",
		words: { en: "Search all messages", "zh-Hant": "搜尋所有訊息" },
		keys: "mod+shift+f",
		slash: { name: "search", argument: "optional" },
		run({ actions, events, argument }) {
			actions.changeSettings({ sidebar: true });
			actions.show({ sidebarOpen: true });
			events.search.emit(argument);
		},
	},
	{
		id: "inbox",
		words: { en: "Inbox", "zh-Hant": "收件匣" },
		keys: "mod+i",
		slash: { name: "inbox", argument: "none" },
		run: (context) => showPanel(context, "inbox"),
	},
	{
		id: "previous-conversation",
		words: { en: "Conversation above", "zh-Hant": "上一個對話" },
		keys: "alt+arrowup",
		when: (state) => Object.keys(state.conversations).length > 0,
		run: (context) => step(context, -1),
	},
	{
		id: "next-conversation",
		words: { en: "Conversation below", "zh-Hant": "下一個對話" },
		keys: "alt+arrowdown",
		when: (state) => Object.keys(state.conversations).length > 0,
		run: (context) => step(context, 1),
	},
	{
		id: "focus-message",
		words: { en: "Go to the message box", "zh-Hant": "跳到訊息輸入框" },
		keys: "/",
		run: focusMessage,
	},
	{
		id: "toggle-sidebar",
		words: { en: "Show or hide the conversation list", "zh-Hant": "顯示或隱藏對話列表" },
		keys: "mod+b",
		run({ actions, state }) {
			actions.changeSettings({ sidebar: !state.settings.sidebar });
			actions.show({ sidebarOpen: !state.sidebarOpen });
		},
	},
	{
		id: "terminal",
		words: { en: "Terminal", "zh-Hant": "終端機" },
		keys: "mod+j",
		inTerminal: true,
		slash: { name: "terminal", argument: "none" },
		run: (context) => showPanel(context, "terminal"),
	},
	{
		id: "processes",
		words: { en: "Background processes", "zh-Hant": "背景程序" },
		keys: "mod+shift+e",
		slash: { name: "processes", argument: "none" },
		run: (context) => showPanel(context, "processes"),
	},
	{
		id: "settings",
		words: { en: "Settings", "zh-Hant": "設定" },
		keys: "mod+,",
		slash: { name: "settings", argument: "none" },
		run: ({ actions }) => actions.show({ settingsOpen: true }),
	},
	{
		id: "shortcuts",
		words: { en: "Keyboard shortcuts", "zh-Hant": "鍵盤快捷鍵" },
		keys: "?",
		slash: { name: "shortcuts", argument: "none" },
		run: ({ ui }) => ui.set({ dialog: "shortcuts" }),
	},
	{
		id: "new-with-options",
		words: { en: "New conversation with model and directory", "zh-Hant": "選擇模型與目錄的新對話" },
		run: ({ ui }) => ui.set({ dialog: "new-conversation" }),
	},
	{
		id: "worktrees",
		words: { en: "Work trees of conversations", "zh-Hant": "對話的工作樹" },
		slash: { name: "worktrees", argument: "none" },
		run: ({ ui }) => ui.set({ dialog: "worktrees" }),
	},
	{
		id: "schedules",
		words: { en: "Schedules", "zh-Hant": "排程" },
		slash: { name: "schedules", argument: "none" },
		run: ({ ui }) => ui.set({ dialog: "schedules" }),
	},
	{
		id: "theme",
		words: { en: "Theme", "zh-Hant": "主題" },
		slash: { name: "theme", argument: "optional", usage: { en: "light, dark or system", "zh-Hant": "light、dark 或 system" } },
		choices: [
			{ value: "light", words: { en: "Theme: light", "zh-Hant": "主題：淺色" } },
			{ value: "dark", words: { en: "Theme: dark", "zh-Hant": "主題：深色" } },
			{ value: "system", words: { en: "Theme: same as the system", "zh-Hant": "主題：跟隨系統" } },
		],
		run({ actions, argument, t }) {
			if (argument === "") return actions.show({ settingsOpen: true });
			if (argument === "light" || argument === "dark" || argument === "system") return actions.changeSettings({ theme: argument });
			actions.toast({ kind: "error", text: t("unknownValue", { name: "theme", values: "light, dark, system" }) });
		},
	},
	{
		id: "language",
		// Whoever cannot read this page must be able to read this line.
		words: { en: "語言：繁體中文", "zh-Hant": "Language: English" },
		run: ({ actions, language }) => actions.changeSettings({ language: language === "en" ? "zh-Hant" : "en" }),
	},
	{
		id: "help",
		words: { en: "What you can type here", "zh-Hant": "這裡可以輸入什麼" },
		slash: { name: "help", argument: "none" },
		run: ({ actions, t }) => void actions.toast({ kind: "info", text: t("help") }),
	},
] as const satisfies readonly Command[];

function focusMessage(): void {
	document.getElementById("message")?.focus();
}

/** Opens the conversation above or below in the order of the list. */
function step({ state, ui, actions }: CommandContext, by: 1 | -1): void {
	const listed = Object.values(state.conversations).filter(({ id, archived }) => !archived && !ui.deleting.has(id));
	const ids = groupConversations(listed, new Date()).flatMap((group) => group.conversations.map(({ id }) => id));
	const at = state.openId === undefined ? -1 : ids.indexOf(state.openId);
	const next = ids[at < 0 ? (by === 1 ? 0 : ids.length - 1) : at + by];
	if (next !== undefined) actions.openConversation(next);
}

/** Who types a name wants to see the panel; keys, buttons and the palette also close it. */
function showPanel({ state, actions, by }: CommandContext, panel: "terminal" | "processes" | "inbox"): void {
	actions.show({ panel: by !== "slash" && state.panel === panel ? undefined : panel });
}
