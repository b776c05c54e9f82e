import { defineWords } from "../i18n/words.ts";

/** Words of the panel, which is no part of the first load. */
export const panelWords = defineWords(
	{
		terminal: "Terminal",
		processes: "Processes",
		review: "Changes",
		files: "Files",
		inbox: "Inbox",
		setup: "Set-up",
		closePanel: "Close panel",
		loading: "Loading…",
	},
	{
		terminal: "終端機",
		processes: "程序",
		review: "變更",
		files: "檔案",
		inbox: "收件匣",
		setup: "設定來源",
		closePanel: "關閉面板",
		loading: "載入中…",
	},
);
