import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";

/** What is said around requests, forms and sub-agents. */
export interface FormWords {
	/** Before the words of a form. */
	formAsks(source: string): string;
	formKeys: string;
	formYesKeys: string;
	formPageKeys: string;
	formNeeded: string;
	formSkip: string;
	formDefault(value: string): string;
	formYesOrNo: string;
	formNumbers: string;
	formActions: { accept: string; decline: string; cancel: string };
	askedBy(agent: string): string;
	subAgent: { started: string; completed: string; failed: string; cancelled: string };
	tokens(count: number): string;
	/** The line was begun before this was asked. */
	askedMeanwhile: string;
	/** The line was begun for what somebody else has answered, or what is over. */
	settledMeanwhile: string;
}

/** In every language. */
export const formWords: Record<SpokenLanguage, FormWords> = {
	en: {
		formAsks: (source) => `${source} asks:`,
		formKeys: "One field after the other, sent after the last · d: decline · c: cancel",
		formYesKeys: "y: yes · d: decline · c: cancel",
		formPageKeys: "Open this page yourself, if you trust it. y: done · d: decline · c: cancel",
		formNeeded: "needed",
		formSkip: "Enter: leave it out",
		formDefault: (value) => `Enter: ${value}`,
		formYesOrNo: "y or n",
		formNumbers: "Type numbers, with commas between them.",
		formActions: { accept: "filled in", decline: "declined", cancel: "cancelled" },
		askedBy: (agent) => `The sub-agent ${agent} asks.`,
		subAgent: { started: "started", completed: "done", failed: "failed", cancelled: "stopped" },
		tokens: (count) => `${count.toLocaleString("en")} tokens`,
		askedMeanwhile: "This was asked while you typed, so nothing was sent. Enter answers with this line, Ctrl-C clears it.",
		settledMeanwhile: "What you were answering is settled, so nothing was sent. Enter sends this line as a prompt, Ctrl-C clears it.",
	},
	"zh-Hant": {
		formAsks: (source) => `${source} 詢問：`,
		formKeys: "逐欄填寫，填完最後一欄就送出 · d：拒絕 · c：取消",
		formYesKeys: "y：好 · d：拒絕 · c：取消",
		formPageKeys: "如果信任，請自行開啟這個網頁。y：完成了 · d：拒絕 · c：取消",
		formNeeded: "必填",
		formSkip: "Enter：略過",
		formDefault: (value) => `Enter：${value}`,
		formYesOrNo: "y 或 n",
		formNumbers: "請輸入號碼，以逗號分隔。",
		formActions: { accept: "已填寫", decline: "已拒絕", cancel: "已取消" },
		askedBy: (agent) => `由子代理 ${agent} 提出`,
		subAgent: { started: "開始", completed: "完成", failed: "失敗", cancelled: "已停止" },
		tokens: (count) => `${count.toLocaleString("en")} 個 token`,
		askedMeanwhile: "這是在你輸入時提出的，所以沒有送出任何內容。按 Enter 以這一行回答，按 Ctrl-C 清除。",
		settledMeanwhile: "你正在回答的事已經有結果，所以沒有送出任何內容。按 Enter 把這一行當作提示送出，按 Ctrl-C 清除。",
	},
};
