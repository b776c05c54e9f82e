import { defineWords } from "../i18n/words.ts";

export const dialogWords = defineWords({ close: "Close" }, { close: "關閉" });
