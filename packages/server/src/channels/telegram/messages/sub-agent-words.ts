/** Words about sub-agents. */
export const englishSubAgentWords = {
	subAgentAsks: (name: string) => `The sub-agent ${name} asks.`,
	subAgentWorks: (name: string) => `🤖 ${name === "" ? "Sub-agent" : name}: working`,
	moreSubAgents: (count: number) => `🤖 … and ${count} more`,
};

/** The same in Traditional Chinese. */
export const chineseSubAgentWords: typeof englishSubAgentWords = {
	subAgentAsks: (name) => `由子代理 ${name} 提出。`,
	subAgentWorks: (name) => `🤖 ${name === "" ? "子代理" : name}：進行中`,
	moreSubAgents: (count) => `🤖 …還有 ${count} 個`,
};
