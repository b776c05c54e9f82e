import type { Sentences } from "./say-coded.ts";

/** Why something waits in the inbox, where it is not an error: by code, or by `code/reason`. */
export const inboxSentences: Sentences = {
	en: {
		"turn-finished": "The answer is ready.",
		"turn-finished/changes": "The answer is ready. Files changed: {files}.",
		"queue-resting": "Prompts that wait until somebody goes on: {count}.",
		"budget-reached/conversation-tokens": "A limit is reached: {used} of {limit} tokens are used in this conversation.",
		"budget-reached/conversation-cost": "A limit is reached: {used} of {limit} (cost) are used in this conversation.",
		"budget-reached/day-tokens": "A limit is reached: {used} of {limit} tokens are used today, in all conversations.",
		"budget-reached/day-cost": "A limit is reached: {used} of {limit} (cost) are used today, in all conversations.",
		"schedule-missed/server-off": "A scheduled prompt was missed at {time}: the server was off.",
		"schedule-missed/still-waiting": "A scheduled prompt was left out at {time}: the one before still waits in the queue.",
		"schedule-missed/failed": "A scheduled prompt could not be sent at {time}.",
	},
	"zh-Hant": {
		"turn-finished": "回答完成了。",
		"turn-finished/changes": "回答完成了，改動了 {files} 個檔案。",
		"queue-resting": "有 {count} 則提示在等人繼續。",
		"budget-reached/conversation-tokens": "已達上限：這個對話已使用 {used} 個 token，上限 {limit}。",
		"budget-reached/conversation-cost": "已達上限：這個對話的費用已達 {used}，上限 {limit}。",
		"budget-reached/day-tokens": "已達上限：今天所有對話已使用 {used} 個 token，上限 {limit}。",
		"budget-reached/day-cost": "已達上限：今天所有對話的費用已達 {used}，上限 {limit}。",
		"schedule-missed/server-off": "錯過了 {time} 的排程提示：當時伺服器沒有執行。",
		"schedule-missed/still-waiting": "略過了 {time} 的排程提示：前一則還在佇列中等待。",
		"schedule-missed/failed": "無法送出 {time} 的排程提示。",
	},
};
