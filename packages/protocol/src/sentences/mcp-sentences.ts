/** What is said about MCP servers of agents in Chinese, by code or by `code/reason`. */
export const mcpSentences: Readonly<Record<string, string>> = {
	"bad-request/mcp-in-config": "MCP 伺服器 {server} 寫在 config.json 裡，請在那裡更改後重新啟動。",
	"bad-request/mcp-login-address": "這不是這次登入結束時的網址。請從瀏覽器複製完整的網址，或重新開始登入。",
	"bad-request/mcp-value-missing": "這裡沒有 MCP 伺服器 {server} 的 {value} 的值，請重新輸入。",
	"forbidden/folder-not-trusted": "MCP 伺服器「{server}」來自這個資料夾，請先信任資料夾。",
	"not-found/mcp-server": "這裡沒有 MCP 伺服器「{server}」。",
	"not-running/mcp-login": "這次登入已經結束，或沒有被接受，請重新開始。",
	"rate-limited/mcp-trials": "同時最多只能測試 {max} 個 MCP 伺服器，請稍候再試。",
	"storage-read-only/mcp-servers": "無法儲存 MCP 伺服器，所以沒有任何變更。請檢查磁碟後再試一次。",
	"storage-read-only/mcp-servers-unreadable": "無法讀懂 {file}，所以不會覆寫它。請修正或移走這個檔案，然後重新啟動。",
	"provider-error/mcp-login": "無法開始登入這個 MCP 伺服器：{because}",
	"mcp-waiting": "正在等待 MCP 伺服器：{servers}。",
	"mcp-left-out": "MCP 伺服器沒有回應，先不使用它繼續：{servers}。",
};
