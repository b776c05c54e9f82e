import { defineWords } from "../i18n/words.ts";

export const rulesWords = defineWords(
	{
		rules: "Always allowed commands",
		rulesHint: "In conversations that ask, these run without a question in their folder. Anything that differs is still asked about.",
		takeBack: "Take back",
		takeBackNamed: "Take back {rule}",
		takeBackAsk: "{rule} is asked about again from now on.",
		takenBack: "{rule} is asked about again.",
		failed: "That did not work: {message}",
	},
	{
		rules: "一律允許的指令",
		rulesHint: "在會詢問的對話中，這些指令在其資料夾內不經詢問就執行；只要有任何不同，仍會詢問。",
		takeBack: "收回",
		takeBackNamed: "收回 {rule}",
		takeBackAsk: "今後會再詢問 {rule}。",
		takenBack: "會再詢問 {rule}。",
		failed: "操作失敗：{message}",
	},
);
