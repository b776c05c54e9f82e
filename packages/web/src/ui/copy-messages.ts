import { defineWords } from "../i18n/words.ts";

export const copyWords = defineWords(
	{
		copy: "Copy",
		copied: "Copied",
	},
	{
		copy: "複製",
		copied: "已複製",
	},
);
