import { defineWords } from "../../i18n/words.ts";

/** Words about commands that are allowed for good. */
export const rememberedWords = defineWords(
	{
		offer: "Or do not ask again, in any conversation, about",
		alwaysAllow: "Always allow here",
		anyArguments: "with any arguments, in {folder}",
		exactly: "exactly these words, in {folder}",
		writesAny: "with any arguments and output into its files, in {folder}",
		writesExactly: "exactly these words and output into its files, in {folder}",
		allowedBy: "always allowed",
		allowedByRule: "Not asked about: {rules}",
	},
	{
		offer: "或者今後在任何對話中都不再詢問",
		alwaysAllow: "在此一律允許",
		anyArguments: "任何參數，於 {folder}",
		exactly: "僅限完全相同的內容，於 {folder}",
		writesAny: "任何參數，並可將輸出寫入其中的檔案，於 {folder}",
		writesExactly: "僅限完全相同的內容，並可將輸出寫入其中的檔案，於 {folder}",
		allowedBy: "一律允許",
		allowedByRule: "未詢問：{rules}",
	},
);
