/** What became of a plan, as far as it is known. */
interface Decided {
	approved?: boolean;
	action?: string | undefined;
	feedback?: string;
}

const ENGLISH_WAYS: Readonly<Record<string, string>> = {
	interactive: "▶️ Carry it out",
	autopilot: "🚀 On autopilot",
	exit_only: "📌 Take it, carry out later",
};

/** Words about plans. */
export const englishPlanWords = {
	planTitle: "Plan:",
	planReply: "Reply to this message with what to change, or take the plan.",
	planTake: (action: string) => ENGLISH_WAYS[action] ?? `▶️ Take it: ${action}`,
	planSendBack: "↩️ Send back",
	planDecided: ({ approved, feedback }: Decided) =>
		approved === true ? "Plan taken" : feedback === undefined ? "Plan sent back" : `Plan sent back: ${feedback}`,
};

const CHINESE_WAYS: Readonly<Record<string, string>> = {
	interactive: "▶️ 執行",
	autopilot: "🚀 自動執行到完成",
	exit_only: "📌 採用，稍後執行",
};

/** The same in Traditional Chinese. */
export const chinesePlanWords: typeof englishPlanWords = {
	planTitle: "計畫：",
	planReply: "回覆這則訊息說明要修改什麼，或採用計畫。",
	planTake: (action) => CHINESE_WAYS[action] ?? `▶️ 採用：${action}`,
	planSendBack: "↩️ 退回",
	planDecided: ({ approved, feedback }) =>
		approved === true ? "已採用計畫" : feedback === undefined ? "已退回計畫" : `已退回計畫：${feedback}`,
};
