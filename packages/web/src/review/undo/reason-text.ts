import { useWords } from "../../i18n/use-words.tsx";
import { type ReasonWord, reasonWords } from "../review-messages.ts";
import { undoWords } from "./undo-messages.ts";

type SkipWord = Extract<keyof (typeof undoWords)["en"], `skip.${string}`>;

const isSkip = (key: string): key is SkipWord => key in undoWords.en;
const isReason = (key: string): key is ReasonWord => key in reasonWords.en;

/** Says a reason of the server; a code that the page does not know is shown as it is. */
export function useReasonText(): (code: string) => string {
	const skip = useWords(undoWords);
	const reason = useWords(reasonWords);
	return (code) => {
		const [skipKey, reasonKey] = [`skip.${code}`, `reason.${code}`];
		if (isSkip(skipKey)) return skip(skipKey);
		return isReason(reasonKey) ? reason(reasonKey) : code;
	};
}
