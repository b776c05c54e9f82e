import { sayReason } from "@rightseat/protocol/sentences/change-sentences";
import { useLanguage } from "../../i18n/use-words.tsx";

/** Says a reason of the server; a code that the page does not know is shown as it is. */
export function useReasonText(): (code: string) => string {
	const language = useLanguage();
	return (code) => sayReason(code, language);
}
