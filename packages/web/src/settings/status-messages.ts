import { defineWords, type Language } from "../i18n/words.ts";

/** States of the server's parts, by the name the server gives them. */
export const stateWords = defineWords(
	{
		off: "idle until the first prompt",
		starting: "starting",
		ready: "ready",
		restarting: "restarting",
		resting: "paused after repeated failures",
		stopped: "stopped",
		ok: "ok",
		degraded: "degraded",
		"token-refused": "token refused",
		"read-only": "read-only",
	},
	{
		off: "閒置，等待第一個提示",
		starting: "啟動中",
		ready: "就緒",
		restarting: "重新啟動中",
		resting: "連續失敗，暫停中",
		stopped: "已停止",
		ok: "正常",
		degraded: "有問題",
		"token-refused": "權杖被拒絕",
		"read-only": "只能讀取",
	},
);

/** What is wrong with Telegram, by the name the server gives it. English has the server's own sentence, which says more. */
const telegramProblems: Readonly<Record<string, string>> = {
	unreachable: "無法連線到 Telegram，每隔幾秒會再試一次。",
	conflict: "另一個程式也在使用這個機器人權杖。請停止它，或讓這裡使用自己的機器人；在那之前，訊息會被先取得的一方收走。",
	"poll-refused": "Telegram 拒絕了要求，稍後會再試一次。",
	elsewhere: "Telegram 現在由艦隊中的另一台主機執行。那台主機離線時會移到這裡。",
	"no-holder": "Telegram 正在等候：能連線到 NATS 且沒有其他主機在執行時，就會在其中一台主機上開始。",
	disk: "磁碟現在無法寫入。Telegram 會在可以寫入時開始。",
	"token-refused": "Telegram 拒絕了機器人權杖。請向 @BotFather 取得新的，設定 TELEGRAM_BOT_TOKEN 後重新啟動。",
};

/** How Telegram is, in a sentence. */
export function telegramState(language: Language, status: { state?: string; message?: string; problem?: string } | undefined): string {
	const translated = language === "en" ? undefined : telegramProblems[status?.problem ?? ""];
	return translated ?? status?.message ?? wordFor(stateWords[language], status?.state ?? "");
}

export const providerWords = defineWords(
	{ demo: "Demo pilot (no real model)", copilot: "GitHub Copilot", byok: "Your own model" },
	{ demo: "示範駕駛（非真正的模型）", copilot: "GitHub Copilot", byok: "自己的模型" },
);

/** Lines of the audit log, by their kind. */
export const auditWords = defineWords(
	{
		login: "Logged in",
		"login-failed": "Login refused",
		logout: "Logged out",
		"logout-everywhere": "Logged out everywhere",
		"session-revoked": "Device logged out",
		"login-code": "Login link made",
		"token-rotated": "New access token",
		permission: "Permission",
		"permission-mode": "Permission mode changed",
		answer: "Question answered",
		"conversation-deleted": "Conversation deleted",
		command: "Command",
		terminal: "Terminal opened",
		settings: "Settings changed",
		telegram: "Telegram",
		push: "Notifications",
		undo: "Changes undone",
		redo: "Changes brought back",
		mcp: "Call of a program",
		"mcp-token": "Token for a program",
		"model-account": "Model connection",
		reach: "Reach from other devices",
		budget: "Limit of tokens or cost",
		schedule: "Schedule",
		plan: "Plan of an agent",
		"folder-trust": "Trust in a folder",
		"permission-rule": "Remembered permission",
		"rule-used": "Allowed by a remembered permission",
	},
	{
		login: "登入",
		"login-failed": "登入被拒",
		logout: "登出",
		"logout-everywhere": "登出所有裝置",
		"session-revoked": "登出裝置",
		"login-code": "建立登入連結",
		"token-rotated": "更換存取權杖",
		permission: "權限",
		"permission-mode": "變更權限模式",
		answer: "回答問題",
		"conversation-deleted": "刪除對話",
		command: "指令",
		terminal: "開啟終端機",
		settings: "變更設定",
		telegram: "Telegram",
		push: "通知",
		undo: "還原變更",
		redo: "恢復變更",
		mcp: "程式的呼叫",
		"mcp-token": "給程式的權杖",
		"model-account": "模型連線",
		reach: "其他裝置的連線",
		budget: "Token 或費用上限",
		schedule: "排程",
		plan: "代理的計畫",
		"folder-trust": "資料夾的信任",
		"permission-rule": "記住的權限",
		"rule-used": "由記住的權限放行",
	},
);

/** The word for a name from the server, or the name itself when it is a new one. */
export function wordFor<K extends string>(words: Readonly<Record<K, string>>, name: string): string {
	const entry = Object.entries(words).find(([key]) => key === name);
	return typeof entry?.[1] === "string" ? entry[1] : name;
}
