import { defineWords } from "../i18n/words.ts";

/** What the list of an agent's earlier sessions says. */
export const earlierWords = defineWords(
	{
		earlier: "Continue a session of this agent",
		earlierCli: "Continue a session of the Copilot CLI",
		earlierAsking: "Asking the agent …",
		earlierNone: "The agent lists no session that could be continued here.",
		earlierHint: "The agent remembers what was said there; it is not shown here.",
		earlierCopied: "From the Copilot CLI on this machine. A copy goes on here, with what was said; the CLI’s own session stays as it is.",
		earlierHeld: "Open in another program: the copy has what was said until now.",
		"earlier.outside": "Works in a folder that is closed to conversations.",
		"earlier.gone": "Its folder is not there any more.",
		"earlier.damaged": "Cannot be read.",
		"earlier.too-large": "Too large to be copied.",
		"earlier.foreign": "Belongs to another user, or leads out of its folder.",
		earlierUntitled: "Without a title",
		earlierContinue: "Continue",
		earlierMore: "Show more",
	},
	{
		earlier: "接續這個代理的工作階段",
		earlierCli: "接續 Copilot CLI 的工作階段",
		earlierAsking: "正在詢問代理…",
		earlierNone: "這個代理沒有列出可在此接續的工作階段。",
		earlierHint: "代理記得先前說過的話，但不會顯示在這裡。",
		earlierCopied: "來自這台電腦上的 Copilot CLI。這裡接續的是一份複本，含先前說過的話；CLI 自己的工作階段不變。",
		earlierHeld: "正由另一個程式開啟：複本只含到目前為止說過的話。",
		"earlier.outside": "在對話不可使用的資料夾中工作。",
		"earlier.gone": "它的資料夾已不存在。",
		"earlier.damaged": "無法讀取。",
		"earlier.too-large": "太大，無法複製。",
		"earlier.foreign": "屬於另一位使用者，或指向資料夾之外。",
		earlierUntitled: "沒有標題",
		earlierContinue: "接續",
		earlierMore: "顯示更多",
	},
);
