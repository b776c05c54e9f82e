import { defineWords } from "../i18n/words.ts";

export const lockWords = defineWords(
	{
		lock: "Lock everything",
		lockHint: "If somebody else may have got in. This is open beside this device:",
		openWays: "Open ways in",
		devices: "{count} other device is logged in || {count} other devices are logged in",
		password: "A password is set",
		passkeys: "Passkey: {names} || {count} passkeys: {names}",
		notifications: "{count} browser gets notifications || {count} browsers get notifications",
		telegram: "Paired on Telegram: {names}",
		telegramFixed: "Named in TELEGRAM_ALLOWED_USERS: {names}. Only the configuration closes this one.",
		mcp: "Token for another program: {names} || {count} tokens for other programs: {names}",
		lockAsk:
			"Every other device is logged out and forgets what it kept. Login links, the password, all passkeys, notifications, Telegram pairings and tokens of other programs stop working, and the access token is replaced; the new one is only in the token file on the machine that runs Rightseat. This device stays logged in.",
		lockYes: "Lock everything now",
		locked: "Locked. Only this device is logged in.",
		failed: "That did not work: {message}",
	},
	{
		lock: "全部鎖上",
		lockHint: "如果可能有別人進來過。除了這台裝置，目前開著的還有：",
		openWays: "開著的入口",
		devices: "另有 {count} 台裝置已登入",
		password: "已設定密碼",
		passkeys: "{count} 個通行密鑰：{names}",
		notifications: "{count} 個瀏覽器會收到通知",
		telegram: "已在 Telegram 配對：{names}",
		telegramFixed: "列在 TELEGRAM_ALLOWED_USERS：{names}。只有改設定才能關閉。",
		mcp: "{count} 個給其他程式的權杖：{names}",
		lockAsk:
			"其他裝置都會登出，並忘記所保存的內容。登入連結、密碼、所有通行密鑰、通知、Telegram 配對與其他程式的權杖都將失效，存取權杖也會更換；新權杖只在執行 Rightseat 的機器上的權杖檔案裡。這台裝置保持登入。",
		lockYes: "立即全部鎖上",
		locked: "已鎖上。只有這台裝置保持登入。",
		failed: "操作失敗：{message}",
	},
);
