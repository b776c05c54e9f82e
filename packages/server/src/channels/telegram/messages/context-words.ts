/** What the bot says about the context of a conversation and about side questions, in English. */
export const contextEnglish = {
	menuContext: "What fills the model's context",
	menuCompact: "Summarise the history now",
	menuAside: "Ask something that is kept nowhere",
	contextUsed: (used: string, limit: string) => `Context: ${used} of ${limit} tokens`,
	contextUsedOnly: (used: string) => `Context: ${used} tokens`,
	contextUnknown: "How full the context is, is not known yet: the agent tells it with its first answer.",
	contextThen: "Last known; the agent rests.",
	contextKind: (kind: string): string =>
		({
			...{ system: "the agent's own prompt", instructions: "instructions", tools: "tools", mcp: "tools of MCP servers" },
			...{ messages: "messages and results", free: "free", buffer: "kept for the answer" },
		})[kind] ?? kind,
	asideUsage: "Write the question after it: /aside which file did you change last?",
	asideAnswer: "💬 Kept nowhere but in this chat:",
};

/** The same in Traditional Chinese. */
export const contextTraditionalChinese: typeof contextEnglish = {
	menuContext: "模型的上下文裡有什麼",
	menuCompact: "立即摘要歷史",
	menuAside: "旁問，不留在對話裡",
	contextUsed: (used, limit) => `上下文：${used} / ${limit} 個 token`,
	contextUsedOnly: (used) => `上下文：${used} 個 token`,
	contextUnknown: "還不知道上下文有多滿：代理會在第一個回答時告知。",
	contextThen: "這是上次得知的狀態；代理正在休息。",
	contextKind: (kind) =>
		({
			...{ system: "代理本身的提示", instructions: "指示檔", tools: "工具", mcp: "MCP 伺服器的工具" },
			...{ messages: "訊息與結果", free: "可用空間", buffer: "保留給回答" },
		})[kind] ?? kind,
	asideUsage: "請把問題寫在後面：/aside 你最後改了哪個檔案？",
	asideAnswer: "💬 只留在這個聊天室：",
};
