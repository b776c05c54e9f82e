import type { TurnAsk } from "@rightseat/protocol/model/turn";
import type { TurnOutcome } from "@rightseat/protocol/model/vocabulary";

/** In which language the words around what was said are. */
export type HtmlLanguage = "en" | "zh-Hant";

/** The words of a page that others read: it says "person", because the reader is not the one who wrote. */
export interface HtmlWords {
	person: string;
	command: string;
	attached: string;
	running: string;
	untitled: string;
	times(zone: string): string;
	saved(time: string): string;
	live: string;
	newest(count: number): string;
	calledWith: string;
	result: string;
	toolFailed: string;
	toolRuns: string;
	noOutput: string;
	exit(code: number): string;
	noExit: string;
	plan: string;
	changed(files: number, added: number, removed: number): string;
	outcome: Readonly<Record<Exclude<TurnOutcome, "completed">, string>>;
	asked: Readonly<Record<TurnAsk["kind"], string>>;
	limit(used: number, limit: number): string;
	answered(answer: string): string;
	answeredIn(where: string, answer: string): string;
	expired: string;
	withdrawn: string;
	waits: string;
	emptyAnswer: string;
	decided: Readonly<Record<string, string>>;
}

export const HTML_WORDS: Readonly<Record<HtmlLanguage, HtmlWords>> = {
	en: {
		person: "Person",
		command: "Command",
		attached: "Attached",
		running: "Answering now",
		untitled: "Conversation",
		times: (zone) => `Times in ${zone}`,
		saved: (time) => `As of ${time}`,
		live: "Live: this page keeps itself up to date.",
		newest: (count) => `The newest ${count} messages are shown.`,
		calledWith: "Called with",
		result: "Result",
		toolFailed: "failed",
		toolRuns: "runs",
		noOutput: "No output.",
		exit: (code) => `exit code ${code}`,
		noExit: "no exit code",
		plan: "Plan",
		changed: (files, added, removed) => `${files === 1 ? "1 file" : `${files} files`} changed, +${added} −${removed}`,
		outcome: {
			aborted: "Stopped by a person.",
			interrupted: "Interrupted: the server ended while this was being written.",
			error: "This answer failed.",
		},
		asked: { question: "Question", permission: "Permission", plan: "Plan", budget: "Limit" },
		limit: (used, limit) => `Limit reached: ${used} of ${limit}.`,
		answered: (answer) => `Answered: ${answer}`,
		answeredIn: (where, answer) => `Answered on ${where}: ${answer}`,
		expired: "Nobody answered in time",
		withdrawn: "Withdrawn",
		waits: "Waits for an answer",
		emptyAnswer: "an empty answer",
		decided: {
			"approve-once": "allowed once",
			"approve-for-session": "exactly this is allowed in this conversation",
			"approve-always": "always allowed in this folder",
			reject: "rejected",
			once: "the turn goes on",
			raise: "the limit was raised",
			stop: "stopped",
		},
	},
	"zh-Hant": {
		person: "使用者",
		command: "指令",
		attached: "附件",
		running: "正在回答",
		untitled: "對話",
		times: (zone) => `時間以 ${zone} 表示`,
		saved: (time) => `截至 ${time}`,
		live: "即時觀看：這個頁面會自動更新。",
		newest: (count) => `顯示最新的 ${count} 則訊息。`,
		calledWith: "呼叫參數",
		result: "結果",
		toolFailed: "失敗",
		toolRuns: "執行中",
		noOutput: "沒有輸出。",
		exit: (code) => `結束代碼 ${code}`,
		noExit: "沒有結束代碼",
		plan: "計畫",
		changed: (files, added, removed) => `變更了 ${files} 個檔案，+${added} −${removed}`,
		outcome: {
			aborted: "已由使用者停止。",
			interrupted: "已中斷：寫到一半時伺服器結束了。",
			error: "這次回答失敗了。",
		},
		asked: { question: "提問", permission: "許可", plan: "計畫", budget: "上限" },
		limit: (used, limit) => `已達上限：${used}，上限 ${limit}。`,
		answered: (answer) => `已回答：${answer}`,
		answeredIn: (where, answer) => `已在 ${where} 回答：${answer}`,
		expired: "沒有人及時回答",
		withdrawn: "已不再詢問",
		waits: "等待回答",
		emptyAnswer: "空白回答",
		decided: {
			"approve-once": "允許一次",
			"approve-for-session": "在此對話中允許完全相同的請求",
			"approve-always": "在此資料夾一律允許",
			reject: "拒絕",
			once: "這個回合繼續",
			raise: "已提高上限",
			stop: "已停止",
		},
	},
};
