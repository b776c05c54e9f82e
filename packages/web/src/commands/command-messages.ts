import { defineWords } from "../i18n/words.ts";

/** What commands answer; what they are called stands in the registry. */
export const commandReplyWords = defineWords(
	{
		withUsage: "{title} ({usage})",
		unknownModel: "There is no model named {name}.",
		unknownValue: "/{name} takes {values}.",
		contextCleared: "The waiting shell results are left out.",
		shellRestarted: "The shell of this conversation was reset.",
		cwdChanged: "Working in {cwd}",
		permissionsAuto: "Actions are approved automatically.",
		permissionsAsk: "You are asked before each action.",
		archived: "Moved to the archive.",
		noConversation: "/{name} belongs to a conversation. Start one first.",
		help: "Type a prompt. !command runs in the shell, @ finds a file, / lists commands.",
	},
	{
		withUsage: "{title}（{usage}）",
		unknownModel: "沒有名為 {name} 的模型。",
		unknownValue: "/{name} 可用的值：{values}。",
		contextCleared: "等待中的 shell 結果不會附上。",
		shellRestarted: "這個對話的 shell 已重新開始。",
		cwdChanged: "工作目錄：{cwd}",
		permissionsAuto: "動作會自動核准。",
		permissionsAsk: "每個動作前都會先詢問你。",
		archived: "已移到封存。",
		noConversation: "/{name} 屬於對話，請先開始一個對話。",
		help: "輸入提示；!指令 在 shell 執行；@ 找檔案；/ 列出指令。",
	},
);

export type CommandReply = keyof (typeof commandReplyWords)["en"];
