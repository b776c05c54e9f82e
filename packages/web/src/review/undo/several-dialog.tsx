import type { Change } from "@rightseat/protocol/model/change";
import { useState } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useChangeText } from "../change-text.ts";
import { undoWords } from "./undo-messages.ts";

/** Which turns and commands to take back together. */
export function SeveralDialog(props: { changes: readonly Change[]; onNext: (changeIds: readonly string[]) => void; onClose: () => void }) {
	const { changes, onNext, onClose } = props;
	const t = useWords(undoWords);
	const text = useChangeText();
	const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
	const offered = changes.filter(({ kind, undone, files }) => (kind === "turn" || kind === "command") && !undone && files > 0);
	const toggle = (id: string) => {
		const next = new Set(chosen);
		if (!next.delete(id)) next.add(id);
		setChosen(next);
	};
	return (
		<Dialog open onClose={onClose} title={t("severalTitle")}>
			<div className="flex min-h-0 flex-col gap-3 p-5">
				<p className="text-muted text-sm">{offered.length === 0 ? t("noneToUndo") : t("severalHint")}</p>
				<ul className="min-h-0 flex-1 overflow-y-auto">
					{offered.map((change) => (
						<li key={change.id}>
							<label className="flex items-start gap-2.5 rounded-lg px-2 py-1.5 text-sm hover:bg-hover">
								<input type="checkbox" className="mt-1" checked={chosen.has(change.id)} onChange={() => toggle(change.id)} />
								<span className="min-w-0 flex-1 break-words">{text(change)}</span>
							</label>
						</li>
					))}
				</ul>
				<div className="flex justify-end gap-2">
					<Button onClick={onClose}>{t("cancel")}</Button>
					<Button
						kind="primary"
						disabled={chosen.size === 0}
						onClick={() => onNext(offered.filter(({ id }) => chosen.has(id)).map(({ id }) => id))}
					>
						{t("next")}
					</Button>
				</div>
			</div>
		</Dialog>
	);
}
