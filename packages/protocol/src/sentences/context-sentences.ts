/** What people read about the context of a conversation, about compacting it and about side questions, in Chinese. */
export const contextSentences: Readonly<Record<string, string>> = {
	"agent-cannot": "這個代理沒有這項功能。",
	"bad-request/nothing-to-compact": "這裡還沒有可以摘要的內容。",
	"conversation-busy": "這個對話有工作正在進行或等待，請等它空閒時再做。",
	"agent-cannot/aside": "{name} 無法回答旁問。",
	"agent-cannot/compact": "{name} 無法依要求摘要歷史。",
	"rate-limited/asides": "這個對話已有 {max} 個旁問在等回答，請稍候再問。",
	"rate-limited/budget": "已達 token 或費用的上限，旁問會再用到更多。請先提高上限。",
	compacted: "對話已摘要：內容從 {before} 個 token 減為 {after} 個。",
	"nothing-to-compact": "目前沒有可以摘要的內容。",
};
