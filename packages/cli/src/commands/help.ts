import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";
import { EXIT } from "../cli-error.ts";
import { writeAll } from "../terminal/output.ts";
import type { CommandContext } from "./command.ts";

/** What `--help` of a command prints. */
const HELP: Readonly<Record<string, Readonly<Record<SpokenLanguage, string>>>> = {
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
