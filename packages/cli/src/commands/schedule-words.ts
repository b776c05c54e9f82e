import type { RunOutcome, Schedule } from "@rightseat/protocol/http/schedules";
import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";

/** What `rightseat schedules` says. */
export interface ScheduleWords {
	unknown(what: string): string;
	needsId: string;
	needsTime: string;
	conversationAndNew: string;
	notThere(id: string): string;
	several(id: string): string;
	none: string;
	removed: string;
	missedHint: string;
	columns: { id: string; state: string; next: string; last: string; when: string; prompt: string };
	states: Readonly<Record<Schedule["state"], string>>;
	missed: string;
	outcomes: Readonly<Record<RunOutcome, string>>;
}

export const SCHEDULE_WORDS: Readonly<Record<SpokenLanguage, ScheduleWords>> = {
	en: {
		unknown: (what) => `unknown: ${what}. Say add, pause, resume, run, skip or remove.`,
		needsId: "say which one by its id; rightseat schedules lists them.",
		needsTime: "say when: either --at TIME or --cron EXPRESSION.",
		conversationAndNew: "a conversation that is there keeps its title, agent, model and folder: leave --conversation or these away.",
		notThere: (id) => `there is no schedule ${id}; rightseat schedules lists them.`,
		several: (id) => `several schedules begin with ${id}; write more of the id.`,
		none: "There are no schedules.",
		removed: "Removed.",
		missedHint: "Missed: rightseat schedules run ID, or skip ID.",
		columns: { id: "ID", state: "STATE", next: "NEXT", last: "LAST", when: "WHEN", prompt: "PROMPT" },
		states: { waiting: "waiting", paused: "paused", done: "done", "conversation-gone": "conversation gone" },
		missed: "missed",
		outcomes: {
			...{ completed: "done", aborted: "stopped", interrupted: "interrupted", error: "failed" },
			...{ starting: "starting", queued: "queued", running: "running", dropped: "dropped", failed: "failed" },
		},
	},
	"zh-Hant": {
		unknown: (what) => `不認得 ${what}。可用 add、pause、resume、run、skip、remove。`,
		needsId: "請指定編號；rightseat schedules 會列出全部。",
		needsTime: "請指定時間：--at 時間 或 --cron 運算式，擇一。",
		conversationAndNew: "現有的對話已有標題、代理、模型和資料夾：--conversation 不能和這些參數一起用。",
		notThere: (id) => `沒有排程 ${id}；rightseat schedules 會列出全部。`,
		several: (id) => `有多個排程以 ${id} 開頭；請寫出更多編號。`,
		none: "沒有排程。",
		removed: "已移除。",
		missedHint: "有錯過的排程：rightseat schedules run 編號 執行，或 skip 編號 略過。",
		columns: { id: "編號", state: "狀態", next: "下次", last: "上次", when: "時間", prompt: "提示" },
		states: { waiting: "等待中", paused: "已暫停", done: "已結束", "conversation-gone": "對話已刪除" },
		missed: "錯過",
		outcomes: {
			...{ completed: "完成", aborted: "已停止", interrupted: "已中斷", error: "失敗" },
			...{ starting: "啟動中", queued: "排隊中", running: "執行中", dropped: "已移除", failed: "失敗" },
		},
	},
};
