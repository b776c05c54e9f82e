import type { Notice } from "@rightseat/protocol/model/turn";
import { Info } from "lucide-react";
import { useErrorText } from "../../i18n/use-error-text.ts";

/** What a person should know about an answer, such as that it was cut. */
export function AnswerNotices({ notices = [] }: { notices: readonly Notice[] | undefined }) {
	const errorText = useErrorText();
	return notices.map((notice) => (
		<p key={`${notice.code} ${notice.message}`} className="note">
			<Info size={14} aria-hidden />
			<span className="break-words">{errorText(notice)}</span>
		</p>
	));
}
