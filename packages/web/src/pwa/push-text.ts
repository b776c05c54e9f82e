import { fillSentence } from "@rightseat/protocol/sentences/say-coded";
import { defineWords, type Language } from "../i18n/words.ts";
import type { Push } from "./worker-inbox.ts";

const pushWords = defineWords(
	{
		"turn-completed": "The answer is ready.",
		"turn-failed": "The answer failed.",
		"turn-interrupted": "The answer was interrupted.",
		question: "{question}",
		"question-waiting": "A question waits for you.",
		"login-needed": "The agent needs a login.",
		budget: "A budget is used up: the agent waits for you.",
		"schedule-missed": "A schedule was missed.",
	},
	{
		"turn-completed": "回答完成了。",
		"turn-failed": "這次回答失敗了。",
		"turn-interrupted": "這次回答中斷了。",
		question: "{question}",
		"question-waiting": "有一個問題等你回答。",
		"login-needed": "代理需要登入。",
		budget: "預算用完了，代理在等你。",
		"schedule-missed": "錯過了一個排程。",
	},
);

/** What a notification says: its code in this language, or the server's sentence when the code is a new one. */
export function pushText({ code, params, body }: Push, language: Language): string | undefined {
	const words = new Map<string, string>(Object.entries(pushWords[language]));
	const sentence = words.get(code ?? "");
	const said = sentence === undefined ? undefined : fillSentence(sentence, params, language);
	return said === undefined || /\{\w+\}/.test(said) ? body : said;
}
