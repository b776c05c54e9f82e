import type { RememberedRule } from "@rightseat/protocol/model/remembered-rule";
import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";
import { type FormWords, formWords } from "./form-words.ts";

/** What the commands say. Every text is here twice; what the agent and the server say comes from them. */
export interface Words extends FormWords {
	unknownFlag(flag: string): string;
	badFlag(flag: string): string;
	badNumber(flag: string, least: number): string;
	tooManyArguments: string;
	notWritten(why: string): string;
	noServer(home: string): string;
	notReached(url: string): string;
	badUrl(url: string): string;
	noToken: string;
	noTokenForUrl(url: string): string;
	wrongToken(url: string): string;
	notOurs(url: string): string;
	olderServer(url: string): string;
	olderClient(url: string): string;
	noPrompt: string;
	promptTooLong(chars: number): string;
	inputTooLong(bytes: number): string;
	noInputCame: string;
	conversationAndNew: string;
	elsewhere(folder: string, instead: string): string;
	needsConversation: string;
	answerFreely: string;
	answerNumber: string;
	answerNumberOrText: string;
	allow: string;
	allowKeys: string;
	allowKeysHere: string;
	/** What `r` would mean, a line for each. */
	allowHere(rule: RememberedRule): string;
	allowElsewhere: string;
	/** Which language these are. */
	language: SpokenLanguage;
	plan: string;
	planKeys: string;
	planTaken: string;
	planSentBack: string;
	budgetKeys(next: number): string;
	waitsFor(where: string): string;
	queued: string;
	queueRests(where: string): string;
	dropped: string;
	begunAgain: string;
	interrupted: string;
	stoppedElsewhere: string;
	stopping: string;
	timedOut(where: string): string;
	answerLost(where: string): string;
	lost: string;
	back: string;
	conversation: string;
	stopped: string;
	nothingRuns: string;
	notStopped: string;
	needsTerminal: string;
	noConversations: string;
	chooseNumber(most: number): string;
	notOffered(most: number): string;
	olderConversations: string;
	attachedTo(title: string, agent: string, folder: string): string;
	attachHint: string;
	attachHelp: readonly string[];
	thought(time: string): string;
	ended: { completed: string; aborted: string; interrupted: string; error: string };
	exitCode(code: number | null): string;
	waiting(count: number): string;
	queueEmpty: string;
	planNone: string;
	settingIs(setting: "mode" | "effort", value: string): string;
	asideEmpty: string;
	asideHead(question: string): string;
	notOpened: string;
	unknownSlash(name: string): string;
	notAnAnswer: string;
	answered(answer: string, by: string): string;
	expired: string;
	changed(files: number, added: number, removed: number): string;
	moreOutput(lines: number): string;
	tooLongHere(chars: number): string;
	busyHere: string;
	left(id: string): string;
	columns: { id: string; state: string; agent: string; age: string; folder: string; title: string };
	states: { streaming: string; asking: string; idle: string; completed: string; error: string };
	nothingHere: string;
	moreConversations(count: number): string;
}

const english: Words = {
	...formWords.en,
	unknownFlag: (flag) => `unknown flag ${flag}. Try --help.`,
	badFlag: (flag) => `${flag} is not written correctly: a flag takes its value as "--flag VALUE", a switch takes none. Try --help.`,
	badNumber: (flag, least) => `--${flag} must be a whole number of at least ${least}.`,
	notWritten: (why) => `standard output cannot be written (${why}).`,
	tooManyArguments: "too many arguments. Put a prompt of several words in quotes; try --help.",
	noServer: (home) => `no Rightseat server runs with ${home}. Start one with "rightseat", or name another with --home or --url.`,
	notReached: (url) => `no Rightseat server answers at ${url}. Start it, or name another with --home or --url.`,
	badUrl: (url) => `--url: ${JSON.stringify(url)} is not an address like http://127.0.0.1:7417.`,
	noToken: "there is no access token: set RIGHTSEAT_TOKEN, or name the server's home with --home.",
	noTokenForUrl: (url) => `set RIGHTSEAT_TOKEN to the access token of ${url}; the token of this machine is not sent to another.`,
	wrongToken: (url) =>
		`${url} does not accept this access token. It is in the file "token" of the server's home; RIGHTSEAT_TOKEN sets another.`,
	notOurs: (url) =>
		`what answers at ${url} is not Rightseat, or a version too old for this command. Update the server, or check the address.`,
	olderServer: (url) => `the server at ${url} is older than this command. Update the server.`,
	olderClient: (url) => `the server at ${url} is newer than this command. Update Rightseat here.`,
	noPrompt: 'what shall be asked? Give the prompt in quotes, or on standard input: rightseat ask "…"',
	promptTooLong: (chars) =>
		`the prompt is too long: at most ${chars.toLocaleString("en")} characters. Put the text into a file and name it.`,
	inputTooLong: (bytes) => `standard input is too long: at most ${bytes.toLocaleString("en")} bytes. Put the text into a file and name it.`,
	noInputCame: 'Nothing came on standard input; going on without it. To wait for it: rightseat ask "…" -',
	conversationAndNew: "--conversation goes on with one that is there; --new, --agent, --model and --cwd are for a new one.",
	elsewhere: (folder, instead) =>
		`The server may not work in ${folder} (RIGHTSEAT_ROOTS), so this conversation works in ${instead}. --cwd names another folder.`,
	needsConversation: 'which conversation? "rightseat ls" lists them with their ids.',
	answerFreely: "Type an answer.",
	answerNumber: "Type a number.",
	answerNumberOrText: "Type a number, or an answer of your own.",
	allow: "Allow?",
	allowKeys: "y: once · a: also from now on in this session · n: no",
	allowKeysHere: "y: once · a: also from now on in this session · r: always here, as listed · n: no",
	allowHere: ({ text, folder, exact, writes }) =>
		`r: ${text} · ${exact ? "exactly these words" : "any arguments"}${writes ? ", output into its files" : ""} · in ${folder}`,
	language: "en",
	plan: "The agent has a plan",
	planKeys: "y or a number: carry it out · n: send it back · or type what to change",
	planTaken: "taken",
	planSentBack: "sent back",
	budgetKeys: (next) => `o: go on with this turn · r: raise to ${next.toLocaleString("en")}, or type a limit · s: stop`,
	allowElsewhere: "Too long to be shown here whole: allow it on the page, or type n for no.",
	waitsFor: (where) => `It waits for an answer, on the page or in Telegram: ${where}`,
	queued: "Another turn runs in this conversation; the prompt is in the queue.",
	queueRests: (where) => `The turn before did not end well, so the queue rests. Send the prompt on from the page: ${where}`,
	dropped: "The prompt was taken out of the queue.",
	begunAgain: "(The answer is begun again.)",
	interrupted: "The turn was interrupted: the server stopped while it ran. What was written is kept.",
	stoppedElsewhere: "The turn was stopped by somebody else.",
	stopping: "Stopping. Ctrl-C again leaves at once.",
	timedOut: (where) => `The time is up; the turn goes on without this command: ${where}`,
	answerLost: (where) => `what became of the prompt could not be found. Look at the page: ${where}`,
	lost: "Connection lost; trying again.",
	back: "Connected again.",
	conversation: "conversation",
	stopped: "Stopped.",
	nothingRuns: "Nothing runs there.",
	notStopped: "it did not stop within 15 s. Try again, or look at the page.",
	needsTerminal:
		'attach needs a terminal. In a script "rightseat ls" lists the conversations, "rightseat tail ID --follow" follows one, and "rightseat ask" writes.',
	noConversations: 'there are no conversations yet. Begin one with: rightseat ask "…"',
	chooseNumber: (most) => `Which one? 1-${most}, Enter for 1: `,
	notOffered: (most) => `Type a number from 1 to ${most}, or Ctrl-C to leave.`,
	olderConversations: "Older ones: rightseat ls, then rightseat attach ID",
	attachedTo: (title, agent, folder) => `${title} · ${agent} · ${folder}`,
	attachHint: "Type a prompt, or !command for the shell. /help lists the rest; Ctrl-D leaves.",
	attachHelp: [
		"text          a prompt; while a turn runs it is queued",
		"!command      runs in the conversation's shell",
		"/stop         stops the turn, or the command (Ctrl-C does the same; a second one leaves)",
		"/mode NAME    how the agent works: agent, plan or autopilot; without a name: which it is",
		"/effort NAME  how hard its model thinks",
		"/btw QUESTION a side question: answered here alone, kept nowhere, also while a turn runs",
		"/queue        what waits",
		"/plan         the agent's plan",
		"/open N       the whole of a tool call",
		"//text        a prompt or an answer that begins with /",
		"/quit         leaves, as Ctrl-D does; the turn goes on",
	],
	thought: (time) => `thought for ${time}`,
	ended: { completed: "done", aborted: "stopped", interrupted: "interrupted: the server stopped while it ran", error: "failed" },
	exitCode: (code) => (code === null ? "ended without an exit code" : `exit ${code}`),
	waiting: (count) => (count === 1 ? "1 prompt waits" : `${count} prompts wait`),
	queueEmpty: "Nothing waits.",
	planNone: "The agent has made no plan.",
	settingIs: (setting, value) => (setting === "mode" ? `Mode: ${value}` : `Effort: ${value === "" ? "the agent's own" : value}`),
	asideEmpty: "Write the question behind /btw.",
	asideHead: (question) => `Side question, kept nowhere: ${question}`,
	notOpened: "There is no such call. The number stands before its line.",
	unknownSlash: (name) => `There is no ${name}. /help lists what there is; //… sends a prompt that begins with /.`,
	notAnAnswer: "That is none of the answers above.",
	answered: (answer, by) => `answered: ${answer}${by}`,
	expired: "no longer waits",
	changed: (files, added, removed) => `${files} ${files === 1 ? "file" : "files"} changed  +${added} −${removed}`,
	moreOutput: (lines) => `… ${lines} more lines`,
	tooLongHere: (chars) => `At most ${chars.toLocaleString("en")} characters.`,
	busyHere: "Too much waits for the connection. Try again when it is back.",
	left: (id) => `Left; it goes on. Come back with: rightseat attach ${id}`,
	columns: { id: "ID", state: "STATE", agent: "AGENT", age: "AGE", folder: "FOLDER", title: "TITLE" },
	states: { streaming: "working", asking: "asks", idle: "new", completed: "done", error: "failed" },
	nothingHere: 'There are no conversations yet. Begin one with: rightseat ask "…"',
	moreConversations: (count) => `… and more: the newest ${count} are listed; --all lists every one.`,
};

const chinese: Words = {
	...formWords["zh-Hant"],
	unknownFlag: (flag) => `沒有 ${flag} 這個選項。請看 --help。`,
	badFlag: (flag) => `${flag} 的寫法有誤：選項的值寫成「--選項 值」，開關不帶值。請看 --help。`,
	badNumber: (flag, least) => `--${flag} 必須是至少 ${least} 的整數。`,
	notWritten: (why) => `無法寫到標準輸出（${why}）。`,
	tooManyArguments: "參數太多。多個字的提示請加引號；請看 --help。",
	noServer: (home) => `沒有以 ${home} 執行的 Rightseat 伺服器。請用「rightseat」啟動，或用 --home、--url 指定另一個。`,
	notReached: (url) => `${url} 沒有 Rightseat 伺服器回應。請先啟動，或用 --home、--url 指定另一個。`,
	badUrl: (url) => `--url：${JSON.stringify(url)} 不是像 http://127.0.0.1:7417 這樣的網址。`,
	noToken: "沒有存取權杖：請設定 RIGHTSEAT_TOKEN，或用 --home 指定伺服器的資料夾。",
	noTokenForUrl: (url) => `請將 RIGHTSEAT_TOKEN 設為 ${url} 的存取權杖；這台機器的權杖不會傳給別的機器。`,
	wrongToken: (url) => `${url} 不接受這個存取權杖。權杖在伺服器資料夾的「token」檔案裡；也可以用 RIGHTSEAT_TOKEN 設定。`,
	notOurs: (url) => `${url} 的回應不是 Rightseat，或版本太舊，無法使用這個指令。請更新伺服器或檢查網址。`,
	olderServer: (url) => `${url} 的伺服器比這個指令舊。請更新伺服器。`,
	olderClient: (url) => `${url} 的伺服器比這個指令新。請更新這裡的 Rightseat。`,
	noPrompt: '要問什麼？請把提示放在引號裡，或從標準輸入傳入：rightseat ask "…"',
	promptTooLong: (chars) => `提示太長：最多 ${chars.toLocaleString("en")} 個字元。請把內容放進檔案，再告訴它檔名。`,
	inputTooLong: (bytes) => `標準輸入太長：最多 ${bytes.toLocaleString("en")} 位元組。請把內容放進檔案，再告訴它檔名。`,
	noInputCame: '標準輸入沒有內容，不等了。若要等待：rightseat ask "…" -',
	conversationAndNew: "--conversation 是接續已有的對話；--new、--agent、--model 和 --cwd 用於新對話。",
	elsewhere: (folder, instead) =>
		`伺服器不能在 ${folder} 工作（RIGHTSEAT_ROOTS），所以這個對話在 ${instead} 工作。可用 --cwd 指定其他資料夾。`,
	needsConversation: "哪一個對話？「rightseat ls」會列出編號。",
	answerFreely: "請輸入回答。",
	answerNumber: "請輸入號碼。",
	answerNumberOrText: "請輸入號碼，或自己寫回答。",
	allow: "允許嗎？",
	allowKeys: "y：這一次 · a：這個工作階段都允許 · n：不允許",
	allowKeysHere: "y：這一次 · a：這個工作階段都允許 · r：如上所列，在此一律允許 · n：不允許",
	allowHere: ({ text, folder, exact, writes }) =>
		`r：${text} · ${exact ? "僅限完全相同的內容" : "任何參數"}${writes ? "，可將輸出寫入其中的檔案" : ""} · 於 ${folder}`,
	language: "zh-Hant",
	plan: "代理提出計畫",
	planKeys: "y 或數字：執行 · n：退回 · 或輸入要修改什麼",
	planTaken: "採用",
	planSentBack: "退回",
	budgetKeys: (next) => `o：這個回合繼續 · r：提高到 ${next.toLocaleString("zh-Hant")}，或輸入上限 · s：停止`,
	allowElsewhere: "內容太長，這裡無法完整顯示：請在網頁上允許，或輸入 n 拒絕。",
	waitsFor: (where) => `正在等待回答，可在網頁或 Telegram 回答：${where}`,
	queued: "這個對話正在執行另一回合；提示已排入佇列。",
	queueRests: (where) => `前一回合沒有順利結束，佇列暫停。請在網頁上繼續送出：${where}`,
	dropped: "提示已從佇列中移除。",
	begunAgain: "（回答重新開始。）",
	interrupted: "這一回合被中斷：伺服器在執行中停止。已寫出的內容都保留著。",
	stoppedElsewhere: "這一回合被其他人停止了。",
	stopping: "正在停止。再按一次 Ctrl-C 立即離開。",
	timedOut: (where) => `時間到了；這一回合會繼續執行：${where}`,
	answerLost: (where) => `找不到這個提示的結果。請看網頁：${where}`,
	lost: "連線中斷，正在重試。",
	back: "已重新連線。",
	conversation: "對話",
	stopped: "已停止。",
	nothingRuns: "那裡沒有正在執行的回合。",
	notStopped: "15 秒內沒有停下來。請再試一次，或看網頁。",
	needsTerminal: "attach 需要終端機。腳本請用「rightseat ls」列出對話、「rightseat tail 編號 --follow」跟隨、「rightseat ask」輸入。",
	noConversations: '還沒有對話。可以這樣開始：rightseat ask "…"',
	chooseNumber: (most) => `哪一個？1-${most}，直接按 Enter 是 1：`,
	notOffered: (most) => `請輸入 1 到 ${most} 的號碼，或按 Ctrl-C 離開。`,
	olderConversations: "更早的對話：先用 rightseat ls，再用 rightseat attach 編號",
	attachedTo: (title, agent, folder) => `${title} · ${agent} · ${folder}`,
	attachHint: "輸入提示，或用 !指令 執行命令。/help 列出其他功能；Ctrl-D 離開。",
	attachHelp: [
		"文字          提示；有回合在執行時會排入佇列",
		"!指令         在這個對話的 shell 執行",
		"/stop         停止回合或指令（Ctrl-C 也一樣；再按一次離開）",
		"/mode 名稱    代理怎麼做事：agent、plan 或 autopilot；不加名稱：目前是哪一種",
		"/effort 名稱  模型思考的程度",
		"/btw 問題     旁問：只在這裡回答，不留紀錄，回合執行中也可以",
		"/queue        正在等待的提示",
		"/plan         代理的計畫",
		"/open N       完整的工具呼叫",
		"//文字        以 / 開頭的提示或回答",
		"/quit         離開，和 Ctrl-D 一樣；回合會繼續執行",
	],
	thought: (time) => `思考了 ${time}`,
	ended: { completed: "完成", aborted: "已停止", interrupted: "被中斷：伺服器在執行中停止", error: "失敗" },
	exitCode: (code) => (code === null ? "結束，沒有結束代碼" : `結束代碼 ${code}`),
	waiting: (count) => `${count} 個提示在等待`,
	queueEmpty: "沒有等待中的提示。",
	planNone: "代理還沒有計畫。",
	settingIs: (setting, value) => (setting === "mode" ? `模式：${value}` : `思考程度：${value === "" ? "代理自己的" : value}`),
	asideEmpty: "請在 /btw 後面寫問題。",
	asideHead: (question) => `旁問，不留紀錄：${question}`,
	notOpened: "沒有這個工具呼叫。號碼在該行的前面。",
	unknownSlash: (name) => `沒有 ${name}。/help 列出所有功能；//… 傳送以 / 開頭的提示。`,
	notAnAnswer: "這不是上面的任何一個回答。",
	answered: (answer, by) => `已回答：${answer}${by}`,
	expired: "不再等待",
	changed: (files, added, removed) => `變更了 ${files} 個檔案  +${added} −${removed}`,
	moreOutput: (lines) => `…… 還有 ${lines} 行`,
	tooLongHere: (chars) => `最多 ${chars.toLocaleString("en")} 個字元。`,
	busyHere: "等待連線的內容太多。請等連線恢復後再試。",
	left: (id) => `已離開，它會繼續執行。回來請用：rightseat attach ${id}`,
	columns: { id: "編號", state: "狀態", agent: "代理", age: "時間", folder: "資料夾", title: "標題" },
	states: { streaming: "進行中", asking: "等待回答", idle: "新的", completed: "完成", error: "失敗" },
	nothingHere: '還沒有對話。可以這樣開始：rightseat ask "…"',
	moreConversations: (count) => `……還有更多：以上是最新的 ${count} 個；--all 列出全部。`,
};

/** The words of a language. */
export const wordsIn = (language: SpokenLanguage): Words => (language === "en" ? english : chinese);
