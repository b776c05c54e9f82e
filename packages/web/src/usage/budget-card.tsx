import type { BudgetRequest } from "@rightseat/protocol/model/budget";
import { limitKind } from "@rightseat/protocol/sentences/describe-reached";
import { useId, useRef, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { useActions } from "../state/use-page.tsx";
import { useMoveFocus } from "../transcript/cards/use-move-focus.ts";
import { Button } from "../ui/button.tsx";
import { usageWords } from "./usage-messages.ts";

/** A limit is reached: the turn goes on, goes on with a higher limit, or ends. */
export function BudgetCard({ conversationId, request }: { conversationId: string; request: BudgetRequest }) {
	const t = useWords(usageWords);
	const { decideBudget } = useActions();
	const { requestId, used, limit, unit } = request;
	const [typed, setTyped] = useState(String(used + Math.max(limit, 1)));
	const card = useRef<HTMLDivElement>(null);
	const box = useId();
	useMoveFocus(card);
	const next = Number(typed);
	const isTooLow = typed.trim() === "" || !(next > used);
	return (
		// biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like this everywhere.
		<div ref={card} role="group" aria-label={t("budget")} className="ask">
			<div className="ask-head">
				<strong>{t("budget")}</strong>
			</div>
			<p>{t(`reached.${limitKind(request)}`, { used, limit })}</p>
			<div className="flex flex-wrap items-center gap-2">
				<Button kind="primary" onClick={() => decideBudget({ conversationId, requestId, decision: "once" })}>
					{t("once")}
				</Button>
				{/* Together on a narrow screen: the number belongs to this button. */}
				<div className="flex items-center gap-2">
					<label htmlFor={box} className="sr-only">
						{t("newLimit")}
					</label>
					<input
						id={box}
						type="number"
						inputMode="decimal"
						min="0"
						step={unit === "tokens" ? "1" : "any"}
						value={typed}
						onChange={(event) => setTyped(event.target.value)}
						className="w-36 rounded-lg border bg-transparent px-3 py-2"
					/>
					<Button disabled={isTooLow} onClick={() => decideBudget({ conversationId, requestId, decision: "raise", limit: next })}>
						{t("raise")}
					</Button>
				</div>
				<Button kind="danger" onClick={() => decideBudget({ conversationId, requestId, decision: "stop" })}>
					{t("stop")}
				</Button>
			</div>
			{isTooLow && <p className="ask-note text-danger">{t("tooLow", { used })}</p>}
		</div>
	);
}
