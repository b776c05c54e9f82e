import { defineWords } from "../../i18n/words.ts";

/** Words of forms. */
export const formWords = defineWords(
	{
		form: "Form",
		asks: "The MCP server {source} asks:",
		required: "needed",
		choose: "Choose…",
		send: "Send",
		yes: "Yes",
		done: "Done",
		decline: "Decline",
		cancel: "Not now",
		openPage: "Open the page at {host}",
		pageNote: "It opens in a new tab. Open it only if you know why.",
		goesTo: "What you fill in goes to this server and is not kept here.",
	},
	{
		form: "表單",
		asks: "MCP 伺服器 {source} 詢問：",
		required: "必填",
		choose: "請選擇…",
		send: "送出",
		yes: "是",
		done: "完成",
		decline: "婉拒",
		cancel: "先不要",
		openPage: "開啟 {host} 的網頁",
		pageNote: "會在新分頁開啟。知道原因時才開啟。",
		goesTo: "填寫的內容會交給這個伺服器，這裡不會保留。",
	},
);
