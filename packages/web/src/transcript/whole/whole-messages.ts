import { defineWords } from "../../i18n/words.ts";

/** Words about what is on the page only in part. */
export const wholeWords = defineWords(
	{
		partOfText: "Only the beginning is shown, {count} characters in all.",
		partOfList: "Only a part of this answer is shown.",
		partWhileRunning: "Only a part is shown; the rest can be opened when the turn has ended.",
		showWhole: "Show all of it",
		loadingWhole: "Loading the rest…",
		retry: "Retry",
		unreadable: "The server's answer could not be read.",
	},
	{
		partOfText: "僅顯示開頭，全文共 {count} 個字元。",
		partOfList: "僅顯示這則回覆的一部分。",
		partWhileRunning: "僅顯示一部分；這一輪結束後即可開啟其餘內容。",
		showWhole: "顯示全部",
		loadingWhole: "正在載入其餘內容…",
		retry: "重試",
		unreadable: "無法讀取伺服器的回應。",
	},
);
