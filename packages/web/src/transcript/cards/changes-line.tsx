import type { MessageChanges } from "@rightseat/protocol/model/change";
import { FileDiff } from "lucide-react";
import { useWords } from "../../i18n/use-words.tsx";
import { useUiSet } from "../../state/ui-slice.tsx";
import { useActions } from "../../state/use-page.tsx";
import { cardWords } from "./card-messages.ts";

/** What an answer or a command changed in files, in one quiet line that opens the panel; nothing when it changed nothing. */
export function ChangesLine({ changes }: { changes: MessageChanges | undefined }) {
	const t = useWords(cardWords);
	const setUi = useUiSet();
	const { show } = useActions();
	if (changes === undefined) return null;
	const { changeId, files, added, removed, undone = false, notCovered = 0 } = changes;
	if (files === 0 && notCovered === 0) return null;
	const open = () => {
		setUi({ review: { kind: "change", changeId } });
		show({ panel: "review" });
	};
	return (
		<button type="button" className="changes-line" onClick={open}>
			<FileDiff size={15} aria-hidden className="shrink-0" />
			{files > 0 && <span className={undone ? "line-through" : undefined}>{t("filesChanged", { count: files })}</span>}
			{added > 0 && <span className={undone ? undefined : "text-success"}>+{added}</span>}
			{removed > 0 && <span className={undone ? undefined : "text-danger"}>−{removed}</span>}
			{undone && <span>{t("changesUndone")}</span>}
			{notCovered > 0 && <span className="text-warn">{t("notCovered", { count: notCovered })}</span>}
		</button>
	);
}
