import { defineWords } from "../i18n/words.ts";

export const pairedWords = defineWords(
	{
		title: "This device is paired",
		intro: "It is logged in. Two things make it a good companion:",
		install: "Install",
		installed: "Installed: it opens like an app.",
		installMenu: "To install it: the browser's menu, then Install or Add to Home screen.",
		installShare: "To install it: Share, then Add to Home Screen; open it from there, because only then may it notify.",
		notify: "Notify me",
		notifying: "You are notified when a turn ends or asks you something.",
		denied: "This browser blocks notifications for this site. Allow them in the site's settings.",
		unsupported: "This browser cannot notify here.",
		untrusted:
			"This device does not trust the certificate yet, so the page can neither be installed nor notify. Trust it first, then reload.",
		failed: "Notifications could not be turned on: {message}",
		done: "Done",
	},
	{
		title: "這台裝置已配對",
		intro: "已經登入。再做兩件事會更方便：",
		install: "安裝",
		installed: "已安裝：可以像應用程式一樣開啟。",
		installMenu: "安裝方式：在瀏覽器選單中選「安裝」或「加到主畫面」。",
		installShare: "安裝方式：點「分享」，再選「加入主畫面」；之後從主畫面開啟，才能收到通知。",
		notify: "通知我",
		notifying: "回合結束或詢問您時會收到通知。",
		denied: "這個瀏覽器封鎖了本站的通知。請在網站設定中允許。",
		unsupported: "這個瀏覽器在這裡無法接收通知。",
		untrusted: "這台裝置尚未信任憑證，因此無法安裝，也無法接收通知。請先設定信任，再重新載入。",
		failed: "無法開啟通知：{message}",
		done: "完成",
	},
);
