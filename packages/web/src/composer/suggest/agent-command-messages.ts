import { defineWords } from "../../i18n/words.ts";

/** What the commands of an agent do. */
export const agentCommandWords = defineWords(
	{
		skill: "Skill",
		init: "Write instructions for agents from what is in this repository",
		review: "Have the changes in the working directory reviewed",
		"security-review": "Look for security holes in the changes",
		research: "Look into a question thoroughly and write a report",
	},
	{
		skill: "技能",
		init: "依這個儲存庫的內容撰寫給代理的說明",
		review: "審查工作目錄中的變更",
		"security-review": "在變更中尋找安全漏洞",
		research: "深入研究一個問題並寫成報告",
	},
);
