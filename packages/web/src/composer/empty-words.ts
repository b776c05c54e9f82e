import { defineWords } from "../i18n/words.ts";

export const emptyWords = defineWords(
	{
		title: "What shall we work on?",
		intro:
			"Rightseat puts you beside a coding agent that works on your own machine, in {cwd}. Close the page whenever you like: it keeps working.",
		introNoCwd:
			"Rightseat puts you beside a coding agent that works on your own machine. Close the page whenever you like: it keeps working.",
		try: "Try",
		explain: "What is in this directory? Explain it in three sentences.",
		explainLabel: "Explain this directory",
		plan: "Write a short plan for adding tests here. Ask me before you change anything.",
		planLabel: "Plan the tests",
		change: "Create a file notes.md with today's date and a haiku about terminals.",
		changeLabel: "Write a file",
		shell: "!ls",
		shellLabel: "Run a command yourself",
		demoTitle: "This is the demo pilot",
		demoText:
			"It follows a script behind the real runtime, so that you can look around. To talk to a real model, restart with one of these:",
		demoCopilot: "GitHub Copilot",
		demoOwn: "Your own model (OpenAI-compatible, Ollama, vLLM …)",
		keys: "! runs a command, @ names a file, / lists commands, {palette} finds everything.",
	},
	{
		title: "今天要做什麼？",
		intro: "Rightseat 讓你坐在程式代理的旁邊，它在你自己的機器上、{cwd} 裡工作。隨時可以關掉頁面，它會繼續做完。",
		introNoCwd: "Rightseat 讓你坐在程式代理的旁邊，它在你自己的機器上工作。隨時可以關掉頁面，它會繼續做完。",
		try: "試試看",
		explain: "這個目錄裡有什麼？請用三句話說明。",
		explainLabel: "說明這個目錄",
		plan: "請為這裡寫一份加上測試的簡短計畫，修改任何東西之前先問我。",
		planLabel: "規劃測試",
		change: "建立 notes.md，寫上今天的日期和一首關於終端機的俳句。",
		changeLabel: "寫一個檔案",
		shell: "!ls",
		shellLabel: "自己執行一個指令",
		demoTitle: "這是示範駕駛",
		demoText: "它在真正的執行環境裡照腳本回答，讓你先看看。要使用真正的模型，請用以下其中一種方式重新啟動：",
		demoCopilot: "GitHub Copilot",
		demoOwn: "自己的模型（相容 OpenAI、Ollama、vLLM …）",
		keys: "! 執行指令，@ 提及檔案，/ 列出指令，{palette} 尋找一切。",
	},
);
