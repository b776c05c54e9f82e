import { defineWords } from "../../i18n/words.ts";

export const awayWords = defineWords(
	{
		title: "While you were away",
		turns: "{count} answer finished || {count} answers finished",
		failed: "{count} failed || {count} failed",
		files: "{count} file changed || {count} files changed",
		commands: "{count} command || {count} commands",
		failedCommands: "{count} failed || {count} failed",
		questions: "{count} question waits for you || {count} questions wait for you",
		running: "still working",
		show: "Show",
		details: "Details",
		dismiss: "Dismiss",
		andMore: "and {count} more || and {count} more",
	},
	{
		title: "你離開的時候",
		turns: "完成 {count} 個回答",
		failed: "{count} 個失敗",
		files: "{count} 個檔案變更",
		commands: "{count} 個指令",
		failedCommands: "{count} 個失敗",
		questions: "{count} 個問題等你回答",
		running: "仍在進行",
		show: "查看",
		details: "詳細內容",
		dismiss: "知道了",
		andMore: "還有 {count} 個",
	},
);
