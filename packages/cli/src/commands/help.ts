import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";
import { EXIT } from "../cli-error.ts";
import { writeAll } from "../terminal/output.ts";
import type { CommandContext } from "./command.ts";

/** What `--help` of a command prints. */
const HELP: Readonly<Record<string, Readonly<Record<SpokenLanguage, string>>>> = {
	ask: {
		en: `Usage: rightseat ask "PROMPT" [--conversation ID | --new] [--agent ID] [--model M] [--cwd DIR] [--json]

Asks the agent. The answer's text goes to standard output as it comes, everything else to standard error. Without --conversation a
new conversation is begun. The prompt may come from standard input; with an argument as well, the argument goes first.
Questions and permission requests are answered in place on a terminal; otherwise they wait for the page or Telegram.
Ctrl-C stops the turn, a second one leaves at once.

  -c, --conversation ID   go on with this conversation; where a turn runs, the prompt is queued
  --new                   a new conversation (the default)
  --agent ID, --model M   of the new conversation
  --cwd DIR               where the new conversation works; else here, or where the server works if it is not here or may not
  --json                  one frame of the protocol a line, instead of the text
  --timeout SECONDS       leave after so long; the turn goes on`,
		"zh-Hant": `用法：rightseat ask "提示" [--conversation 編號 | --new] [--agent 編號] [--model 模型] [--cwd 資料夾] [--json]

問代理。回答的文字會即時寫到標準輸出，其他內容寫到標準錯誤。不加 --conversation 就開始新對話。提示可以從標準輸入傳入；若同時有參數，參數在前。
在終端機上可以直接回答問題和權限請求；否則等待網頁或 Telegram 的回答。
Ctrl-C 停止這一回合，再按一次立即離開。

  -c, --conversation 編號  接續這個對話；若有回合正在執行，提示會排入佇列
  --new                    新對話（預設）
  --agent 編號、--model 模型  新對話的代理和模型
  --cwd 資料夾             新對話的工作資料夾；否則是目前的資料夾，伺服器在別處或不能用時則用伺服器的
  --json                   每行一個協定訊框，而不是文字
  --timeout 秒數           最多等這麼久；回合會繼續執行`,
	},
	attach: {
		en: `Usage: rightseat attach [ID]

A conversation in a terminal: what was said last, what is said now, and a line to type in. Without ID
it lists the newest conversations and asks for a number; where there is only one, it takes that.

  text          a prompt; while a turn runs it is queued
  !command      runs in the conversation's shell
  /help         lists the rest: /stop, /mode, /effort, /btw, /queue, /plan, /open N, /quit
  Ctrl-C        stops the turn, a second one leaves; Ctrl-D leaves, and the turn goes on`,
		"zh-Hant": `用法：rightseat attach [編號]

在終端機裡參與對話：最近說了什麼、現在說什麼，還有輸入的一行。不加編號會列出最近的對話，
請輸入號碼；只有一個對話時直接進入。

  文字          提示；有回合在執行時會排入佇列
  !指令         在這個對話的 shell 執行
  /help         列出其他功能：/stop、/mode、/effort、/btw、/queue、/plan、/open N、/quit
  Ctrl-C        停止回合，再按一次離開；Ctrl-D 離開，回合會繼續執行`,
	},
	tail: {
		en: `Usage: rightseat tail ID [-n N] [--follow] [--json]

Prints the last messages of a conversation.

  -n N            how many, 10 by default
  -f, --follow    go on with what follows, until Ctrl-C
  --json          one message a line as JSON; what follows, one frame a line`,
		"zh-Hant": `用法：rightseat tail 編號 [-n N] [--follow] [--json]

顯示對話最後的訊息。

  -n N            幾則，預設 10
  -f, --follow    繼續顯示後續內容，直到 Ctrl-C
  --json          每行一則 JSON 訊息；後續內容每行一個訊框`,
	},
	mcp: {
		en: `Usage: rightseat mcp [--permissions ask|auto] [--reach own|all]
       rightseat mcp token NAME [--permissions ask|auto] [--reach own|all]
       rightseat mcp tokens
       rightseat mcp revoke ID

Without more: MCP over standard input and output, for clients that start their servers: they list, start, prompt, await, read and stop
conversations of the running server. token makes a token for MCP over HTTP at /mcp and prints it, this once; tokens lists them, revoke ends one.

  --permissions ask|auto  whether conversations that are started ask a person before they act (ask, the default)
  --reach own|all         only conversations that it started, or every one (a token: own; standard input and output: all)`,
		"zh-Hant": `用法：rightseat mcp [--permissions ask|auto] [--reach own|all]
      rightseat mcp token 名稱 [--permissions ask|auto] [--reach own|all]
      rightseat mcp tokens
      rightseat mcp revoke 編號

不加其他參數：經由標準輸入輸出的 MCP，給會自行啟動伺服器的用戶端使用；可以列出、開始、提示、等待、閱讀和停止執行中伺服器的對話。
token 建立給 /mcp（HTTP 上的 MCP）用的權杖並印出，只顯示這一次；tokens 列出權杖，revoke 撤銷一個。

  --permissions ask|auto  開始的對話在動作前是否先詢問人（預設 ask）
  --reach own|all         只限它開始的對話，或全部對話（權杖預設 own；標準輸入輸出預設 all）`,
	},
	schedules: {
		en: `Usage: rightseat schedules [--json]
       rightseat schedules add "PROMPT" (--at TIME | --cron "EXPRESSION") [--timezone ZONE] [--conversation ID]
       rightseat schedules pause ID | resume ID | run ID | skip ID | remove ID

Prompts that are sent at a time. Without more it lists them. ID may be its beginning.

  add           a new one; without --conversation it begins a new conversation each time, with --title, --agent, --model and --cwd
    --at TIME           once, such as 2027-01-31T09:00
    --cron EXPRESSION   again and again: minute, hour, day of the month, month, day of the week, such as "0 9 * * 1-5"
    --timezone ZONE     whose clocks, such as Asia/Taipei; else the server's
  pause, resume it rests, and goes on with its next time
  run           now, beside its times; what was missed counts as run
  skip          what was missed is left out
  remove        the schedule; what it said stays
  --json        one schedule a line, as JSON`,
		"zh-Hant": `用法：rightseat schedules [--json]
      rightseat schedules add "提示" (--at 時間 | --cron "運算式") [--timezone 時區] [--conversation 編號]
      rightseat schedules pause 編號 | resume 編號 | run 編號 | skip 編號 | remove 編號

在指定時間送出的提示。不加其他參數會列出全部。編號可以只寫開頭。

  add           新增；不加 --conversation 就每次開始新對話，可加 --title、--agent、--model、--cwd
    --at 時間           一次，例如 2027-01-31T09:00
    --cron 運算式       重複執行：分、時、日、月、星期，例如 "0 9 * * 1-5"
    --timezone 時區     依哪裡的時間，例如 Asia/Taipei；否則用伺服器的時區
  pause、resume 暫停，以及從下一個時間繼續
  run           現在執行一次，不影響原定時間；錯過的視為已執行
  skip          略過錯過的那一次
  remove        移除這個排程；已經說過的內容會留下
  --json        每行一個排程，格式為 JSON`,
	},
	stop: {
		en: `Usage: rightseat stop ID

Stops the turn that runs in a conversation, and waits until it has ended.`,
		"zh-Hant": `用法：rightseat stop 編號

停止對話中正在執行的回合，並等它結束。`,
	},
	ls: {
		en: `Usage: rightseat ls [--all] [--json]

Lists the newest conversations: id, state, agent, age, folder, title.

  -a, --all    every conversation, archived ones too
  --json       one conversation a line, as JSON`,
		"zh-Hant": `用法：rightseat ls [--all] [--json]

列出最新的對話：編號、狀態、代理、時間、資料夾、標題。

  -a, --all    全部對話，包括已封存的
  --json       每行一個對話，格式為 JSON`,
	},
};

const WHICH_SERVER: Readonly<Record<SpokenLanguage, string>> = {
	en: `
  --home DIR   the home of a server on this machine (RIGHTSEAT_HOME, else ~/.rightseat)
  --url URL    a server at this address; RIGHTSEAT_TOKEN holds its access token

Exit codes: 0 done, 1 failed, 2 wrong usage or no server, 3 interrupted, 130 Ctrl-C.
`,
	"zh-Hant": `
  --home 資料夾  這台機器上伺服器的資料夾（RIGHTSEAT_HOME，否則 ~/.rightseat）
  --url 網址     這個網址的伺服器；存取權杖放在 RIGHTSEAT_TOKEN

結束代碼：0 完成，1 失敗，2 用法有誤或沒有伺服器，3 被中斷，130 Ctrl-C。
`,
};

/** Prints the help of a command. */
export async function helpOf(name: string, { language, stdout }: Pick<CommandContext, "language" | "stdout">): Promise<number> {
	await writeAll(stdout, [`${HELP[name]?.[language] ?? name}\n${WHICH_SERVER[language]}`]);
	return EXIT.done;
}
