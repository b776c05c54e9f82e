import type { Change } from "@rightseat/protocol/model/change";
import { useState } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { Button } from "../../ui/button.tsx";
import { reviewWords } from "../review-messages.ts";
import { useUndo } from "./use-undo.ts";

/** An undo that a crash cut: a person says how it goes on. */
export function UnfinishedNotice({ conversationId, changes }: { conversationId: string; changes: readonly Change[] }) {
	const t = useWords(reviewWords);
	const undo = useUndo(conversationId);
	const [busy, setBusy] = useState(false);
	const cut = changes.find(({ unfinished }) => unfinished === true);
	if (cut === undefined) return null;
	const go = async (kind: "undo" | "redo") => {
		setBusy(true);
		await undo({ kind, changeIds: [cut.id] });
		setBusy(false);
	};
	return (
		<div role="status" className="rv-note-box">
			<p className="font-medium">{t("unfinishedTitle")}</p>
			<p>{t("unfinishedHint")}</p>
			<div className="flex gap-2 pt-2">
				<Button small kind="primary" disabled={busy} onClick={() => void go("undo")}>
					{t("finish")}
				</Button>
				<Button small disabled={busy} onClick={() => void go("redo")}>
					{t("takeBack")}
				</Button>
			</div>
		</div>
	);
}
