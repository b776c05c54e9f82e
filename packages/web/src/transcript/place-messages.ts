import { defineWords } from "../i18n/words.ts";

/** What stands where the conversation will be, before its code has come. */
export const placeWords = defineWords(
	{
		conversation: "Conversation",
		loadingConversation: "Loading conversation…",
		missingTitle: "This conversation is not here",
		missingHint: "It was deleted, or the link is from another server.",
		startNew: "Start a new conversation",
		offlineEmpty: "This conversation is not on this device. It appears when the connection is back.",
	},
	{
		conversation: "對話內容",
		loadingConversation: "載入對話中…",
		missingTitle: "找不到這個對話",
		missingHint: "它已被刪除，或連結來自另一台伺服器。",
		startNew: "開始新對話",
		offlineEmpty: "這台裝置上沒有這個對話，恢復連線後就會出現。",
	},
);
