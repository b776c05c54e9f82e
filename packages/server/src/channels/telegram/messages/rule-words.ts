import type { RememberedRule } from "@rightseat/protocol/model/remembered-rule";

/** What the bot says about commands that are allowed for good. */
export const englishRuleWords = {
	menuPermissions: "Commands that are always allowed",
	allowHere: "✅ Always allow here",
	allowedHere: "Always allowed here",
	allowHereMeans: "“Always allow here” means, in every conversation and unasked:",
	rule: ({ text, folder, exact, writes }: RememberedRule) =>
		`${text} · ${exact ? "exactly these words" : "any arguments"}${writes ? ", output into its files" : ""} · in ${folder}`,
	noRules: "Nothing is always allowed. A permission request has a button for it.",
	rulesPrivate: "Commands that are always allowed are listed in a private chat with the bot only.",
	rulesTitle: "Always allowed, until you take it back:",
	moreRules: (number: number) => `… and ${number} more in the settings of the page.`,
	takeBack: "Take back",
	ruleTakenBack: "It is asked about again.",
	ruleGone: "It was taken back already.",
};

/** The same in Traditional Chinese. */
export const chineseRuleWords: typeof englishRuleWords = {
	menuPermissions: "一律允許的指令",
	allowHere: "✅ 在此一律允許",
	allowedHere: "在此一律允許",
	allowHereMeans: "「在此一律允許」表示今後在所有對話中都不經詢問執行：",
	rule: ({ text, folder, exact, writes }) =>
		`${text} · ${exact ? "僅限完全相同的內容" : "任何參數"}${writes ? "，可將輸出寫入其中的檔案" : ""} · 於 ${folder}`,
	noRules: "沒有一律允許的指令。許可請求上有按鈕可以設定。",
	rulesPrivate: "一律允許的指令只在與機器人的私人聊天中列出。",
	rulesTitle: "一律允許，直到你收回：",
	moreRules: (number) => `…網頁的設定中還有 ${number} 項。`,
	takeBack: "收回",
	ruleTakenBack: "今後會再詢問。",
	ruleGone: "已經收回了。",
};
