import type { Sentences } from "./say-coded.ts";

/** Why something waits in the inbox, where it is not an error: by code, or by `code/reason`. */
export const inboxSentences: Sentences = {
	en: {
		"turn-finished": "The answer is ready.",
		"turn-finished/changes": "The answer is ready. Files changed: {files}.",
		"queue-resting": "Prompts that wait until somebody goes on: {count}.",
	},
	"zh-Hant": {
		"turn-finished": "回答完成了。",
		"turn-finished/changes": "回答完成了，改動了 {files} 個檔案。",
		"queue-resting": "有 {count} 則提示在等人繼續。",
	},
};
