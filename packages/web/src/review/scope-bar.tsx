import type { Change } from "@rightseat/protocol/model/change";
import clsx from "clsx";
import { useWords } from "../i18n/use-words.tsx";
import type { ReviewScope } from "../state/review.ts";
import { useChangeText } from "./change-text.ts";
import { reviewWords } from "./review-messages.ts";

/** What the panel shows; git's own scopes only where the server offers them. */
export function ScopeBar(props: { scope: ReviewScope; changes: readonly Change[]; git: boolean; onScope: (scope: ReviewScope) => void }) {
	const { scope, changes, git, onScope } = props;
	const t = useWords(reviewWords);
	const text = useChangeText();
	const newest = changes[0]?.id;
	const choices: ReviewScope[] = [
		...(newest === undefined ? [] : [{ kind: "change", changeId: newest } as const]),
		{ kind: "conversation" },
		...(git ? ([{ kind: "branch" }, { kind: "uncommitted" }] as const) : []),
	];
	return (
		<div className="rv-scopes">
			<fieldset className="flex min-w-0 overflow-x-auto rounded-lg bg-sunken p-0.5">
				<legend className="sr-only">{t("scope")}</legend>
				{choices.map((choice) => (
					<button
						key={choice.kind}
						type="button"
						aria-pressed={choice.kind === scope.kind}
						onClick={() => choice.kind !== scope.kind && onScope(choice)}
						className={clsx(
							"min-h-7 shrink-0 rounded-md px-2.5 text-xs",
							choice.kind === scope.kind ? "bg-surface shadow-sm" : "text-muted hover:text-ink",
						)}
					>
						{t(`scope.${choice.kind}`)}
					</button>
				))}
			</fieldset>
			{scope.kind === "change" && changes.length > 0 && (
				<select
					aria-label={t("whichTurn")}
					value={scope.changeId}
					onChange={(event) => onScope({ kind: "change", changeId: event.target.value })}
					className="rv-which"
				>
					{changes.every(({ id }) => id !== scope.changeId) && <option value={scope.changeId}>…</option>}
					{changes.map((change) => (
						<option key={change.id} value={change.id}>
							{text(change)}
						</option>
					))}
				</select>
			)}
		</div>
	);
}
