import { defineWords } from "../../i18n/words.ts";

export const contextWords = defineWords(
	{
		meter: "Context window {percent}% full",
		title: "Context window",
		used: "{used} of {limit} tokens",
		usedOnly: "{used} tokens",
		last: "Last answer: {input} in, {output} out",
		model: "Model: {model}",
		cost: "Cost: {cost}",
		fills: "What fills it",
	},
	{
		meter: "上下文已使用 {percent}%",
		title: "上下文視窗",
		used: "{used} / {limit} 個 token",
		usedOnly: "{used} 個 token",
		last: "上次回答：輸入 {input}，輸出 {output}",
		model: "模型：{model}",
		cost: "費用：{cost}",
		fills: "查看內容",
	},
);
