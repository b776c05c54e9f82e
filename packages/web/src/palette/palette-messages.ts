import { defineWords } from "../i18n/words.ts";

export const paletteWords = defineWords(
	{
		palette: "Search and commands",
		placeholder: "Command or conversation",
		nothing: "Nothing matches",
		actions: "Commands",
		conversations: "Conversations",
		models: "Model of this conversation",
		searchFor: "Search all messages for “{query}”",
		sheet: "Keyboard shortcuts",
		everywhere: "Everywhere",
		inMessage: "In the message box",
	},
	{
		palette: "搜尋與指令",
		placeholder: "指令或對話",
		nothing: "沒有符合的項目",
		actions: "指令",
		conversations: "對話",
		models: "這個對話的模型",
		searchFor: "在所有訊息中搜尋「{query}」",
		sheet: "鍵盤快捷鍵",
		everywhere: "任何地方",
		inMessage: "在訊息輸入框",
	},
);

/** Keys that only mean something in the message box. */
export const composerKeyWords = defineWords(
	{
		send: "Send",
		line: "New line",
		steer: "Send into the running turn",
		history: "Earlier messages",
		shell: "Shell command",
		file: "Name a file",
		command: "Commands of this page",
	},
	{
		send: "送出",
		line: "換行",
		steer: "送入正在進行的回合",
		history: "先前的訊息",
		shell: "Shell 指令",
		file: "提及檔案",
		command: "這個頁面的指令",
	},
);
