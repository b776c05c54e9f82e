import { CHINESE_DURATION_UNITS, formatElapsed } from "@rightseat/protocol/duration";
import type { RunOutcome } from "@rightseat/protocol/http/schedules";
import type { ReachedLimit } from "@rightseat/protocol/model/budget";
import { sayReason } from "@rightseat/protocol/sentences/change-sentences";
import { describeReached, limitKind } from "@rightseat/protocol/sentences/describe-reached";
import { errorSentences } from "@rightseat/protocol/sentences/error-sentences";
import { inboxSentences } from "@rightseat/protocol/sentences/inbox-sentences";
import { type CodedMessage, sayCoded } from "@rightseat/protocol/sentences/say-coded";
import type { RuntimeHealth } from "../../../core/ports/agent-runtime.ts";
import { contextTraditionalChinese } from "./context-words.ts";
import type { Messages } from "./messages.ts";
import { chinesePlanWords } from "./plan-words.ts";
import { chineseRuleWords } from "./rule-words.ts";
import { chineseSubAgentWords } from "./sub-agent-words.ts";
import { trustTraditionalChinese } from "./trust-messages.ts";
import { turnTraditionalChinese } from "./turn-words.ts";

const AGENT_STATES: Readonly<Record<RuntimeHealth["state"], string>> = {
	off: "等待第一個提示",
	starting: "啟動中",
	ready: "就緒",
	restarting: "重新啟動中",
	resting: "暫時放棄",
	stopped: "已停止",
	"login-needed": "需要登入",
	missing: "尚未安裝",
};
const SETTINGS = { mode: "模式", effort: "思考強度" };
const sayReached = (reached: ReachedLimit) => {
	const params = { reason: limitKind(reached), used: reached.used, limit: reached.limit };
	return sayCoded({ code: "budget-reached", message: describeReached(reached), params }, "zh-Hant", inboxSentences);
};
const number = (value: number) => value.toLocaleString("en");

/** Everything the bot says, in Traditional Chinese. */
export const traditionalChinese: Messages = {
	help: `寫下要做的事，代理會在這裡和網頁上回答；兩邊是同一個對話。
• !指令 會在對話的 shell 中執行，例如 !git status
• 照片、文件和語音訊息會交給代理
• 回覆一則訊息即可引用它；編輯排隊中的訊息即可修改它

/new [模式] [思考強度] 開始新對話
/stop 停止執行中的工作
/inbox 每個對話裡等你處理的事
/schedules 定時送出的提示
/trust 資料夾會執行什麼，以及是否信任
/permissions 一律允許的指令
/status 目前狀況
/list 選擇其他對話
/model [名稱] 顯示或更換模型
/agent [名稱] 顯示代理，或選擇新對話的代理
/mode [名稱]、/effort [名稱] 顯示或更換代理的模式與思考強度
/cwd [路徑] 顯示或變更工作目錄
/context 上下文裡有什麼，/compact 騰出空間
/aside 問題 旁問，不留在對話裡，工作中也能問
/ps 背景程序
/fork 在這個對話的分支中繼續
/reset 在這裡忘記這個對話
/link 在網頁開啟，或用 /link 代碼 從網頁接手對話`,
	...contextTraditionalChinese,
	...turnTraditionalChinese,
	...trustTraditionalChinese,
	hello: (name) => `${name}，你好。`,
	welcome: (name) => `歡迎，${name}。寫下要做的事；其他說明請看 /help。`,
	greeting: (code) =>
		`這個機器人是私人的。如果你就是主人，請開啟 Rightseat 網頁，選擇「設定」、「Telegram」，並在 15 分鐘內輸入這個代碼：\n\n${code}`,
	unknownCommand: (name) => `我不認得 /${name}。/help 會列出可用的指令；這則訊息沒有交給代理。`,

	menuNew: "在這裡開始新對話",
	menuStop: "停止執行中的工作並清空佇列",
	menuStatus: "這個對話目前的狀況",
	menuInbox: "每個對話裡等你處理的事",
	menuSchedules: "定時送出的提示",
	...chineseRuleWords,
	menuList: "選擇其他對話",
	menuModel: "顯示或更換模型",
	menuAgent: "顯示代理，或選擇新對話的代理",
	menuMode: "顯示或更換代理的模式",
	menuEffort: "顯示或更換模型的思考強度",
	menuCwd: "顯示或變更工作目錄",
	menuPs: "背景程序，可逐一結束",
	menuFork: "在這個對話的分支中繼續",
	menuReset: "在這裡忘記這個對話；網頁仍會保留",
	menuLink: "在網頁開啟這個對話，或用代碼連結",
	menuHelp: "使用說明",

	newConversation: "新對話",
	inboxTitle: (number) => `📥 ${number} 件事在等你`,
	inboxMore: (number) => `…還有 ${number} 件：處理完再傳 /inbox。`,
	inboxEmpty: "📥 沒有事情在等你。",
	inboxOld: "📥 這份清單舊了：/inbox 會顯示現在的。",
	inboxWhy: (coded) => sayCoded(coded, "zh-Hant", WHY_SENTENCES),
	inboxOpen: "在這裡開啟",
	inboxSeen: "看過了",
	inboxLater: "一小時後",
	noSchedules: "🗓 沒有任何排程。請在頁面上用 /schedules 建立。",
	moreSchedules: (number) => `…頁面上還有 ${number} 個。`,
	scheduleNext: (time) => `下次 ${time}`,
	scheduleState: (state) =>
		({ waiting: "等待中", paused: "已暫停", done: "沒有剩下的時間", "conversation-gone": "休息中：它的對話已被刪除" })[state],
	scheduleLast: (outcome) => `上次執行：${RUN_OUTCOMES[outcome]}`,
	scheduleMissed: (time, number) => (number === 1 ? `⚠️ 錯過了 ${time}` : `⚠️ 從 ${time} 起錯過 ${number} 次`),
	scheduleButton: (what) => ({ run: "立即執行", pause: "暫停", resume: "繼續", "make-up": "現在執行", skip: "略過" })[what],
	scheduleDone: (what) => ({ run: "已送出。", pause: "已暫停。", resume: "繼續進行。", "make-up": "已送出。", skip: "已略過。" })[what],
	inboxPutOff: "一小時後再提醒。",
	started: (model, cwd) => `新對話：使用 ${model}，位於 ${cwd}。`,
	earlierStays: "先前的對話仍在網頁和 /list 中。",
	nothingToFork: "沒有可以分支的對話。下一則訊息會開始新對話。",
	nothingToReset: "沒有需要重設的對話。下一則訊息會開始新對話。",
	reset: "已重設。下一則訊息會開始新對話；這個對話仍保留在網頁上。",
	deletedOnPage: "這個對話已在網頁上刪除。下一則訊息會開始新對話。",
	unknownModel: (name) => `沒有「${name}」這個模型。/model 會列出可用的模型。`,
	modelChanged: (model) => `從下一則訊息起使用模型 ${model}。先前的內容會保留。`,
	pickModel: (model) => `目前的模型是 ${model}。請選擇其他模型，或輸入 /model 名稱。`,
	ownModel: "由代理決定",
	noChoices: (agent) => `${agent} 沒有這類可選擇的項目。`,
	newTakesNothing: (agent) => `/new 後面可寫模式和思考強度，但 ${agent} 沒有可選擇的項目。請只寫 /new。`,
	choicesUnknown: (agent) => `要等 ${agent} 在這裡開啟過，才知道它提供什麼。請先寫一則訊息給它。`,
	unknownChoice: (name, agent, offered) => `${agent} 沒有「${name}」。可用的有：${offered.join("、")}。`,
	choiceChanged: (setting, name) => `從下一則訊息起${SETTINGS[setting]}（/${setting}）為 ${name}。先前的內容會保留。`,
	pickChoice: (setting, name) => `目前的${SETTINGS[setting]}是 ${name}。請選擇其他項目，或輸入 /${setting} 名稱。`,
	agentState: (state) => AGENT_STATES[state],
	agentsAre: "代理清單。● 會用於這個聊天室的下一個新對話；對話開始後不會更換代理。",
	agentChosen: (name) => `這個聊天室的新對話會使用 ${name}。用 /new 開始新對話。`,
	noSuchAgent: (name) => `沒有「${name}」這個代理。/agent 會列出可用的代理。`,
	directoryIs: ["工作目錄是 ", "。用 /cwd 路徑 變更。"],
	directoryChanged: ["工作目錄現在是 ", "。"],
	noConversations: "還沒有任何對話。寫一則訊息就能開始。",
	pickConversation: "選擇這個聊天室要顯示的對話：",
	nothingToLink: "請先寫一則訊息，這個聊天室才有可開啟的對話。若有網頁上的代碼：/link 代碼。",
	openOnPage: "在網頁開啟",
	linkHere: "在你的電腦上開啟網頁：這個對話就在清單中。",
	linkThere: "在網頁上繼續：",
	linkBack: "要把網頁上的對話帶到這裡，請在網頁選擇「Telegram」，並把代碼傳給我：/link 代碼。",
	badLinkCode: "代碼錯誤或已過期。請在網頁上重新產生；每個代碼只能用一次，十分鐘內有效。",
	hostAway: (host) => `💤 ${host} 離線。可以閱讀；您傳送的內容會等它回來。`,
	hostWentAway: (host) => `💤 ${host} 離線了。它回來後會顯示進行中的內容。`,
	waitsForHost: (host) => `📮 ${host} 離線。您的訊息在這裡等候，它回來時就會送出。`,
	leftBehind: "📄 這裡還有更多內容，無法帶到另一台主機。網頁上有全部內容。",
	hostLine: (host) => `主機：${host}`,
	switched: (title) => `這個聊天室現在顯示「${title}」。`,
	you: "你",
	agent: "代理",

	noConversation: "這個聊天室還沒有對話。寫一則訊息就能開始。",
	titled: (title) => `對話「${title}」`,
	stateLine: (state, since, queued) => {
		const words = { asking: "等待你的回答", working: "工作中", idle: "閒置" };
		return `狀態：${words[state]}${since === undefined ? "" : `，已 ${since}`}${queued === 0 ? "" : `，${queued} 則排隊中`}`;
	},
	modelLine: (model) => `模型：${model}`,
	directoryLine: (cwd) => `目錄：${cwd}`,
	otherAgentLine: (name, state, problem) => `代理：${name}，${AGENT_STATES[state]}${problem === undefined ? "" : `：${problem}`}`,
	agentLine: (state, isDemo, problem) =>
		`代理：${AGENT_STATES[state]}${isDemo ? "（示範）" : ""}${problem === undefined ? "" : `：${problem}`}`,
	noProcesses: "這個對話沒有背景程序在執行。",
	commandRuns: "你的一個指令正在執行。",
	port: (ports) => `連接埠 ${ports}`,
	endJob: (id) => `⏹ 結束 ${id}`,
	endCommand: "⏹ 結束你的指令",
	jobEnded: (id) => `已結束 ${id}。`,
	jobStillRuns: (id) => `已要求結束 ${id}，但它仍在執行。請稍後再看。`,

	stop: "⏹ 停止",
	stopped: "已停止。",
	nothingRuns: "目前沒有任何工作在執行。",
	commandsEnded: (ended) => `已結束 ${ended} 個指令。`,
	queueDropped: (dropped) => `已捨棄 ${dropped} 則排隊中的訊息。`,
	inputDropped: "已捨棄你正在傳送的內容。",

	buttonExpired: "這個按鈕已失效，請重新操作。",
	failed: "操作失敗，詳細資訊請看記錄檔。",
	answered: "已回答。",
	typeAnswer: "請把答案寫在下一則訊息中。",
	denied: "已拒絕。",
	allowed: "已允許。",
	sendingNow: "立即送出。",
	dropped: "已捨棄。",
	ending: "正在結束。",
	hasEnded: "它已經結束了。",
	sendingAgain: "正在重新傳送。",
	sentAgain: "先前已重新傳送過了。",
	runningNow: "現在執行。",

	late: (age, text, more) => `你在 ${age}前寫了這則訊息，當時我不在：「${text}」${more === 0 ? "" : `，另有 ${more} 則`}。現在要執行嗎？`,
	runLate: "▶ 現在執行",
	dropLate: "✖ 捨棄",
	inDoubt: "⚠️ 我的上一則訊息可能沒有送達：Telegram 沒有確認。",
	sendAgain: "重新傳送",
	tooMuchAtOnce: "一次傳送太多訊息。請稍候再傳送其餘的。",

	unreadable: "我看得懂文字、照片、文件和語音訊息，但這則訊息無法讀取。",
	needsButton: "這個問題只能用按鈕回答。請點選一個，或輸入 /stop。",
	shellIsNoAnswer: "這是在 shell 中執行的指令，不是回答。問題仍在等待你的下一則訊息。",
	tooLateToEdit: "代理已經收到這則訊息。請另外傳送更正。",
	cannotHear: "我還聽不到。請把 RIGHTSEAT_TRANSCRIBE_URL 設為與 OpenAI 相容的語音轉文字服務，再傳送一次。",
	hearingUnreachable: (why) => `無法連線到語音轉文字服務（${why}）。`,
	hearingFailed: (status) => `語音轉文字服務回應 ${status}。`,
	heardNothing: "語音轉文字服務沒有聽到內容。",
	tooManyFiles: (most) => `一則訊息最多 ${most} 個檔案。`,
	fileTooLarge: (name, megabytes) => `${name} 太大：最多 ${megabytes} MB。`,
	fileNotFetched: (name, why) => `無法從 Telegram 取得 ${name}（${why}）。請再傳送一次。`,

	formAsks: (source) => `📝 MCP 伺服器 ${source} 詢問：`,
	formNeeded: "必填",
	formSkip: "略過",
	formYes: "✅ 是",
	formNo: "否",
	formDone: "✅ 完成",
	formDecline: "⛔ 婉拒",
	formAction: (action) => ({ accept: "已填寫。", decline: "已婉拒。", cancel: "先不要。" })[action],
	nextIsAnswer: "你的下一則訊息就是答案。",
	other: "其他…",
	expiredByRestart: "⌛ 因重新啟動而失效。如果仍然需要，請再問一次。",
	answeredOnWeb: "（已在網頁上回答）",
	answeredElsewhere: "（已在別處回答）",
	turnStopped: "⏹ 這一輪已停止。",
	expired: "⌛ 已逾時：沒有人及時回答。",
	questionTimedOut: (question) => `⌛ 問題已逾時，代理會在沒有答案的情況下繼續：${question}`,
	reminder: (what, secondsLeft) => {
		const left = secondsLeft === undefined ? "" : `：還剩 ${secondsLeft} 秒`;
		return `⏰ ${what === "question" ? "問題" : "權限請求"}仍在等待你的回覆${left}。`;
	},
	movedAway: "這個聊天室現在顯示其他對話；請在網頁上回答。",
	mayI: "可以嗎？",
	moreCharacters: (more) => `…（還有 ${number(more)} 個字元）`,
	moreInFile: (more, file) => `… 還有 ${number(more)} 個字元。完整內容在上面的 ${file}：請先閱讀。`,
	allowOnce: "✅ 允許一次",
	allowSession: "✅ 這個工作階段內允許完全相同的操作",
	deny: "⛔ 拒絕",
	allowedOnce: "已允許一次",
	allowedSession: "這個工作階段內已允許，僅限完全相同的操作",
	wasDenied: "已拒絕",
	budgetReached: (reached) => `🪙 ${sayReached(reached)}接下來呢？回覆一個數字就是新的上限。`,
	...chinesePlanWords,
	...chineseSubAgentWords,
	budgetOnce: "▶️ 這個回合繼續",
	budgetRaise: (limit) => `⬆️ 提高到 ${limit}`,
	budgetStop: "⏹ 停止",
	budgetDecided: (decision) => ({ once: "這個回合繼續", raise: "已提高上限", stop: "已停止" })[decision],
	budgetOver: "⌛ 一天過去了，繼續進行。",

	queued: (position, text) => `🕓 排隊 #${position}：${text}`,
	sendNow: "⚡ 立即送出",
	cancel: "✖ 取消",
	queuedElsewhere: "🕓 在這個聊天室已不再顯示的對話中等待。",
	droppedFromQueue: "✖ 已從佇列移除。",
	steered: "⚡ 已送進執行中的這一輪。",

	changed: (files, added, removed) => `📝 ${files} 個檔案 +${added} −${removed}`,
	notRecorded: (paths) => `⚠️ ${paths} 個路徑未能記錄`,
	diff: "📄 差異",
	undo: "↩ 復原…",
	undoNow: (files) => `↩ 復原 ${files} 個檔案`,
	redo: "↪ 取消復原",
	diffSent: "差異會以檔案傳送。",
	diffCut: (megabytes) => `只有前 ${megabytes} MB；完整內容在網頁上。`,
	nothingToShow: "沒有可顯示的文字。",
	lookBelow: "下方說明會做什麼。",
	undoWould: "復原會這樣做：",
	nothingToUndo: "沒有可復原的內容了。",
	nothingToRedo: "沒有可取消的復原。",
	undone: "↩ 已復原。",
	redone: "↪ 已取消復原。",
	fileMerged: (path) => `${path}：與之後的編輯合併`,
	fileSkipped: (path, reason) => `${path}：${sayReason(reason, "zh-Hant")}`,
	moreFiles: (files) => `… 還有 ${files} 個`,

	answerBegins: (length) => `回答的前 ${number(length)} 個字元。網頁上有完整內容。`,
	wholeAnswer: (length) => `完整回答：${number(length)} 個字元。`,
	wholeOutput: "完整輸出。",
	bySignal: "被訊號結束",
	exitCode: (code) => `結束代碼 ${code}`,
	elapsed: (ms) => formatElapsed(ms, CHINESE_DURATION_UNITS),

	error: say,
	notice: say,
};

const WHY_SENTENCES = { en: {}, "zh-Hant": { ...errorSentences["zh-Hant"], ...inboxSentences["zh-Hant"] } };

function say(coded: CodedMessage): string {
	return sayCoded(coded, "zh-Hant", errorSentences);
}
const RUN_OUTCOMES: Record<RunOutcome, string> = {
	starting: "正在開始",
	queued: "在佇列中等待",
	running: "進行中",
	completed: "已完成",
	aborted: "已停止",
	interrupted: "已中斷",
	error: "失敗",
	dropped: "已從佇列移除",
	failed: "無法送出",
};
