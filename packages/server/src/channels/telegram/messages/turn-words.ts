/** What the bot says about a turn and how it ended, in English. */
export const turnEnglish = {
	working: (since: string) => `⏳ Working · ${since}`,
	waitingForYou: "⏸ Waiting for your answer.",
	stoppedAfter: (time: string) => `⏹ Stopped after ${time}.`,
	answerNotTaken: "⚠️ Telegram did not take the answer. The page has it.",
	earlierAnswers: "Earlier answers came while Telegram was not connected. The page has them.",
	saidNothing: "_The agent ended without saying anything._",
	interrupted: "⚠️ The answer was interrupted. Send “Continue” to go on.",
	turnFailed: "⚠️ The turn failed.",
};

/** The same in Traditional Chinese. */
export const turnTraditionalChinese: typeof turnEnglish = {
	working: (since) => `⏳ 工作中 · ${since}`,
	waitingForYou: "⏸ 等待你的回答。",
	stoppedAfter: (time) => `⏹ ${time}後停止。`,
	answerNotTaken: "⚠️ Telegram 沒有接受這個回答。網頁上有完整內容。",
	earlierAnswers: "Telegram 未連線期間還有更早的回答，網頁上都有。",
	saidNothing: "_代理結束了，沒有說任何話。_",
	interrupted: "⚠️ 回答被中斷。傳送「繼續」即可接續。",
	turnFailed: "⚠️ 這一輪失敗了。",
};
