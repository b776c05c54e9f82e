import { defineWords } from "../i18n/words.ts";

export const terminalWords = defineWords(
	{
		close: "End this terminal",
		restart: "Start again",
		exited: "The shell ended with exit code {code}.",
		killed: "The shell was ended.",
		connecting: "Opening a terminal…",
		waiting: "Waiting for the connection. What runs in the terminal keeps running.",
		keys: "Keys",
		larger: "Larger text",
		smaller: "Smaller text",
	},
	{
		close: "結束這個終端機",
		restart: "重新開始",
		exited: "Shell 已結束，結束代碼 {code}。",
		killed: "Shell 已被結束。",
		connecting: "正在開啟終端機…",
		waiting: "等待連線。終端機裡執行的程式會繼續。",
		keys: "按鍵",
		larger: "放大文字",
		smaller: "縮小文字",
	},
);
