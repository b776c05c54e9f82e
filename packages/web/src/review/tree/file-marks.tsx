import type { ChangedFile } from "@rightseat/protocol/model/change";
import { useWords } from "../../i18n/use-words.tsx";
import { reviewWords } from "../review-messages.ts";

const LETTERS: Record<ChangedFile["status"], string> = { added: "A", modified: "M", deleted: "D", renamed: "R", mode: "P" };
const COLOURS: Record<ChangedFile["status"], string> = {
	added: "text-success",
	modified: "text-accent",
	deleted: "text-danger",
	renamed: "text-accent",
	mode: "text-muted",
};

/** What became of a file: a letter for the eye, a word for everybody else. */
export function StatusMark({ status }: { status: ChangedFile["status"] }) {
	const t = useWords(reviewWords);
	return (
		<span className={`rv-letter ${COLOURS[status]}`} title={t(`status.${status}`)}>
			<span aria-hidden>{LETTERS[status]}</span>
			<span className="sr-only">{t(`status.${status}`)}</span>
		</span>
	);
}

/** Lines that came and went; nothing where none did. */
export function Counts({ added, removed }: { added: number; removed: number }) {
	const t = useWords(reviewWords);
	return (
		<span className="rv-counts">
			{added > 0 && (
				<span className="text-success">
					+{added}
					<span className="sr-only"> {t("added")}</span>
				</span>
			)}{" "}
			{removed > 0 && (
				<span className="text-danger">
					−{removed}
					<span className="sr-only"> {t("removed")}</span>
				</span>
			)}
		</span>
	);
}
