import { defineWords } from "../i18n/words.ts";

/** Words of the card that shows an agent's plan. */
export const planWords = defineWords(
	{
		plan: "Plan",
		hint: "Nothing is changed before you take it.",
		"take.interactive": "Carry it out",
		"take.autopilot": "Carry it out on autopilot",
		"take.autopilot_fleet": "On autopilot, with several agents",
		"take.exit_only": "Take it, carry out later",
		edit: "Edit",
		reset: "Undo my changes",
		planText: "Plan, as it shall be carried out",
		sendBack: "Send back",
		words: "What to change",
		wordsHint: "What to change, or to mind (optional)",
		edited: "Your changed plan goes to the agent.",
		tooLong: "This plan is too long.",
		taken: "Show the plan",
	},
	{
		plan: "計畫",
		hint: "採用之前不會有任何變更。",
		"take.interactive": "執行",
		"take.autopilot": "自動執行到完成",
		"take.autopilot_fleet": "自動執行，多個代理並行",
		"take.exit_only": "採用，稍後執行",
		edit: "編輯",
		reset: "放棄我的修改",
		planText: "要執行的計畫",
		sendBack: "退回",
		words: "要修改什麼",
		wordsHint: "要修改或注意什麼（可不填）",
		edited: "會把你修改後的計畫交給代理。",
		tooLong: "這份計畫太長。",
		taken: "顯示計畫",
	},
);
