import type { DemoTexts } from "./texts-english.ts";

const tryThese = `- **列出檔案**：我會執行一個真正的指令
- **問我一個問題**：我會反問你，並附上選項
- **寫一個檔案**：我會建立檔案並顯示內容
- **示範 Markdown**：表格與程式碼
- **說個長一點的故事**：試著停止我、重新整理頁面，看我接著說
- 輸入 \`!uname -a\` 並送出：由你執行指令，再問我看到什麼`;

export const traditionalChinese: DemoTexts = {
	label: "示範駕駛（demo pilot）：這裡由腳本回答，沒有真正的模型。",
	aboutThought: "是新朋友。先說明這是什麼，再說可以試什麼。",
	about: `**Rightseat** 是你的程式代理旁邊的座位。代理在你自己的電腦上、在真正的工作目錄裡、用真正的 shell 工作；你可以從這個頁面、手機或 Telegram 跟著它、引導它。

有什麼不同：

1. **什麼都不會遺失。** 你看到的內容都已先寫入磁碟。關掉分頁、斷網、伺服器被中止，都能從原處繼續。
2. **大家看到的都一樣。** 兩個分頁和一個聊天室開著同一個對話，每個字都一致。
3. **你和代理共用一個 shell。** \`cd\`、變數和函式都會保留。

你看到的是真正的 Copilot runtime，只有背後的模型是腳本。可以試試：

${tryThese}

想接上真正的模型，請問我 **怎麼連接真正的模型？**
`,
	menuThought: "這不在腳本裡，誠實的回答就是列出我會做的事。",
	menu: `我只是一個小腳本，聽不懂這句話；真正的模型就會懂。我會做的有：

${tryThese}

或者問我 **怎麼連接真正的模型？**
`,
	connectThought: "他們想要真正的模型。列出設定，並給一個可以照抄的例子。",
	connect: `要和真正的模型對話，請在這個頁面的 **設定 → 模型** 連接，從下一則訊息起就由它回答。或者停止伺服器，設定下列其中一項，再重新啟動：

| 你有 | 設定 |
| --- | --- |
| GitHub Copilot | \`GITHUB_TOKEN\` |
| 相容 OpenAI 的伺服器（Ollama、LM Studio、vLLM …） | \`RIGHTSEAT_PROVIDER_URL\`，需要金鑰時再加 \`RIGHTSEAT_PROVIDER_KEY\` |
| Azure 或 Anthropic | 同上，並設定 \`RIGHTSEAT_PROVIDER_TYPE=azure\` 或 \`anthropic\` |

例如，這台電腦上的 Ollama：

\`\`\`bash
RIGHTSEAT_PROVIDER_URL=http://127.0.0.1:11434/v1 \\
COPILOT_DEFAULT_MODEL=qwen3:8b \\
npm start
\`\`\`

\`COPILOT_DEFAULT_MODEL\` 是新對話使用的模型。\`npx rightseat doctor\` 會檢查設定。
`,
	markdownThought: "用表格、程式碼和清單示範頁面能顯示什麼。",
	markdown: `回答是 Markdown，邊串流邊顯示。

| 部分 | 在哪裡執行 | 語言 |
| --- | --- | --- |
| 頁面 | 你的瀏覽器 | TypeScript |
| 伺服器 | 你的電腦 | TypeScript |
| 代理 | 你的電腦 | Copilot runtime |

\`\`\`typescript
// 對話的每個事件都有編號，所以不會重複顯示。
for (const event of missedSince(lastSeq)) {
	transcript.apply(event);
}
\`\`\`

> 引言、\`行內程式碼\`、**粗體**和[連結](https://example.com)都可以。

- [x] 逐字串流
- [x] 往上捲動時不會跳走
- [ ] 泡咖啡
`,
	longThought: "長一點的回答適合試試停止和重新整理。",
	long: Array.from(
		{ length: 8 },
		(_, index) =>
			`**第 ${index + 1} 段。** 左座的飛行員握著操縱桿，右座的人讀航圖、看引擎、提早提醒。沒有人獨自做完全部，也沒有人閒著。河流在下方轉彎，無線電很安靜，下一個航點還有 ${(8 - index) * 12} 哩。`,
	).join("\n\n"),
	list: {
		thought: "他們想看檔案。我在對話的 shell 裡執行指令，而不是用猜的。",
		before: "我來看看工作目錄。",
		description: "列出工作目錄",
	},
	listed: {
		thought: "指令有結果了。這是什麼樣的地方？",
		summary(names) {
			if (names.length === 0) return "目錄是空的，或是指令沒有獲准執行。說 **寫一個檔案**，我就放一個進去。\n";
			const folders = names.filter((name) => name.endsWith("/")).length;
			const rows = names.slice(0, 10).map((name) => `| \`${name}\` | ${name.endsWith("/") ? "資料夾" : "檔案"} |`);
			const hint = names.includes("package.json") ? "這裡有 `package.json`，所以是 Node 專案。\n" : "";
			const more = names.length > 10 ? `\n…還有 ${names.length - 10} 個。\n` : "";
			return `我看到 ${names.length} 個項目，其中 ${folders} 個是資料夾。\n\n| 名稱 | 種類 |\n| --- | --- |\n${rows.join("\n")}\n${more}\n${hint}`;
		},
	},
	write: {
		thought: (fileName) => `他們想要一個檔案。我叫它 ${fileName}，而且不能蓋掉已有的檔案。`,
		before: (fileName) => `我來寫 \`${fileName}\`。`,
		description: "寫一個小檔案",
		content: "# Hello from Rightseat\n\n這個檔案是示範駕駛寫的，可以刪除。",
	},
	fileWritten: (fileName, shown) =>
		shown.includes("Hello from Rightseat")
			? `完成：\`${fileName}\` 寫好了，內容是：\n\n\`\`\`markdown\n${shown.trim()}\n\`\`\`\n\n說 **列出檔案** 就能看到它，或執行 \`!rm ${fileName}\` 刪除。\n`
			: `檔案沒有寫成。shell 的回應是：\n\n\`\`\`\n${shown.trim()}\n\`\`\`\n`,
	fileExists: (fileName) => `\`${fileName}\` 已經存在，我不會蓋掉檔案。請換個名字，例如 **寫一個檔案 notes.md**。\n`,
	ask: {
		thought: "我來問一個有選項的問題，示範代理怎麼反問。",
		before: "我問你一個問題。你可以在任何裝置上回答，以第一個回答為準。",
		question: "接下來要看什麼？",
		choices: ["表格和程式碼", "這個目錄的檔案", "怎麼連接真正的模型"],
	},
	answered: (answer) => `你的回答：**${answer}**\n\n`,
	freeAnswer: "真正的模型會知道怎麼處理；我只懂我給的選項。\n",
	shell: {
		thought: "提示前面有 shell 的輸出：這個人執行了指令，想讓我知道。",
		summary(commands) {
			const list = commands.map(({ command, exitCode, lines }) => {
				const ending = exitCode === "0" ? "成功" : `失敗，結束代碼 ${exitCode}`;
				const first = lines[0] === undefined ? "沒有輸出。" : `輸出 ${lines.length} 行，第一行是 \`${lines[0].slice(0, 120)}\``;
				return `- \`${command}\`：${ending}。${first}`;
			});
			return `我看到你執行了：\n\n${list.join("\n")}\n\n真正的模型會運用這些輸出；我只能唸給你聽。\n`;
		},
	},
	noTool: (tool) => `我現在應該使用工具 \`${tool}\`，但這個對話沒有提供。\n`,
};
