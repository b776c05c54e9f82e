import { defineWords } from "../i18n/words.ts";

/** No button here begins like the one for the token: programs that fill the form look for it by its name. */
export const alternativeLoginWords = defineWords(
	{
		title: "Other ways",
		passkey: "Use a passkey",
		passkeyBusy: "Waiting for the browser…",
		passkeyCancelled: "The browser found no passkey for this page, or its question was closed. Use the access token instead.",
		passkeyWrong: "This passkey is no longer known here. Use the access token instead.",
		password: "Password",
		passwordLogin: "Use the password",
		passwordEmpty: "Type the password first.",
		passwordWrong: "This password is not right. The access token always works.",
	},
	{
		title: "其他方式",
		passkey: "使用通行密鑰",
		passkeyBusy: "等待瀏覽器…",
		passkeyCancelled: "瀏覽器找不到本頁的通行密鑰，或詢問被關閉。請改用存取權杖。",
		passkeyWrong: "這個通行密鑰已不再有效。請改用存取權杖。",
		password: "密碼",
		passwordLogin: "使用密碼",
		passwordEmpty: "請先輸入密碼。",
		passwordWrong: "密碼不正確。存取權杖永遠可用。",
	},
);
