import type { FolderSetupItem } from "@rightseat/protocol/http/folders";

/** What the bot says about a folder's set-up, in English. */
export const trustEnglish = {
	menuTrust: "What this folder would run, and whether it is trusted",
	trustState: (isTrusted: boolean): string =>
		isTrusted
			? "✅ Trusted: what this folder brings is on, here and in the folders below."
			: "🔒 Not trusted: nothing of this folder runs or is offered. Somebody else may have written it.",
	trustNothing: "It brings nothing for the agent that would have to be trusted.",
	trustKind: (kind: FolderSetupItem["kind"]): string =>
		({
			...{ hook: "Hook", mcp: "MCP server", lsp: "Language server", command: "Command", skill: "Skill", agent: "Agent" },
			instructions: "Instructions",
		})[kind],
	trustUnknown: "could not be understood here; the agent may understand it",
	trustOffers: (number: number) => `and ${number} ${number === 1 ? "skill, agent or command" : "skills, agents and commands"}`,
	trustTooMuch: "There is more than fits here. Look at it on the page, under Set-up, and trust it there.",
	trustButton: (isTrusted: boolean): string => (isTrusted ? "Trust this folder" : "Take trust back"),
	trustDone: (isTrusted: boolean): string =>
		isTrusted ? "Trusted from the next prompt on." : "Taken back. From the next prompt on nothing of this folder runs.",
	trustChanged: "The folder has changed since. Look at it again: /trust",
	trustElsewhere: (host: string) => `The folder is on ${host}. Look at its set-up on the page.`,
};

/** The same in Traditional Chinese. */
export const trustTraditionalChinese: typeof trustEnglish = {
	menuTrust: "這個資料夾會執行什麼，以及是否信任",
	trustState: (isTrusted) =>
		isTrusted
			? "✅ 已信任：這個資料夾帶來的內容在這裡和下層資料夾都已啟用。"
			: "🔒 尚未信任：這個資料夾的內容都不會執行，也不會提供。這些可能是別人寫的。",
	trustNothing: "它沒有為代理帶來需要信任的內容。",
	trustKind: (kind) =>
		({
			...{ hook: "鉤子", mcp: "MCP 伺服器", lsp: "語言伺服器", command: "指令", skill: "技能", agent: "代理" },
			instructions: "說明",
		})[kind],
	trustUnknown: "在這裡無法辨識，但代理可能看得懂",
	trustOffers: (number) => `以及 ${number} 個技能、代理與指令`,
	trustTooMuch: "內容太多，無法在這裡全部顯示。請在頁面的「設定來源」檢視並信任。",
	trustButton: (isTrusted) => (isTrusted ? "信任這個資料夾" : "收回信任"),
	trustDone: (isTrusted) => (isTrusted ? "從下一個提示開始信任。" : "已收回。從下一個提示開始，這個資料夾的內容都不會執行。"),
	trustChanged: "資料夾的內容已經改變，請再看一次：/trust",
	trustElsewhere: (host) => `資料夾在 ${host} 上，請在頁面檢視它的設定來源。`,
};
