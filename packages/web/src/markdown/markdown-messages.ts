import { defineWords } from "../i18n/words.ts";

export const markdownWords = defineWords(
	{
		copyCode: "Copy code",
		remoteImage: "Picture from {host}",
		remoteImageHint: "Not loaded: opening it tells that host that you read this. It opens in a new tab.",
		opensIn: "Opens {url} in a new tab",
		done: "Done",
		notDone: "Not done",
	},
	{
		copyCode: "複製程式碼",
		remoteImage: "來自 {host} 的圖片",
		remoteImageHint: "尚未載入：開啟圖片會讓對方知道你讀了這則訊息。會在新分頁開啟。",
		opensIn: "在新分頁開啟 {url}",
		done: "已完成",
		notDone: "未完成",
	},
);
