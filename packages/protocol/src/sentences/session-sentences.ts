/** What is said about agents' sessions in Traditional Chinese, by code; see `error-sentences.ts`. */
export const sessionSentences: Readonly<Record<string, string>> = {
	"bad-request/not-handed-over": "只有與 Copilot 的對話可以在 Copilot CLI 中接續。",
	"bad-request/still-answering": "代理還在回答。請等候或先停止，再試一次。",
	"bad-request/nothing-said": "這個對話還沒有說過任何話，沒有可接續的內容。",
	"provider-auth/no-gh-login": "這台電腦上的 GitHub CLI（gh）沒有登入。請執行「gh auth login」後再試一次。",
	"session-not-found": "代理 {agent} 沒有這個工作階段，或無法接續。",
	"session-taken": "另一個對話已經接續了這個工作階段，請開啟那個對話。",
	"session-failed": "無法開啟這個對話的代理工作階段。請再試一次；若仍失敗，請開新對話。",
	"session-failed/not-opened": "無法開啟這個對話的代理工作階段。請再送出一次，或開新對話。",
	"session-failed/not-copied": "無法複製代理工作階段：{because}",
	"session-failed/damaged": "這個對話的代理工作階段已損壞，請開新對話。",
	"session-failed/timed-out": "開啟代理工作階段逾時，請再試一次。",
	"session-failed/closed": "代理工作階段已關閉，請再送出一次。",
	"session-continued": "這個對話接續 {name} 的一個工作階段：之前說的話它還記得，但不會顯示在這裡。",
};
