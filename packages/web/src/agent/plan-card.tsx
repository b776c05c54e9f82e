import { MAX_PLAN_CHARS } from "@rightseat/protocol/limits";
import type { PlanRequest } from "@rightseat/protocol/model/ask";
import { useId, useRef, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { useActions } from "../state/use-page.tsx";
import { useMoveFocus } from "../transcript/cards/use-move-focus.ts";
import { Button } from "../ui/button.tsx";
import { planWords } from "./plan-messages.ts";

/** As the agent names them; one that is not known here has its own name. */
const KNOWN = ["interactive", "autopilot", "autopilot_fleet", "exit_only"] as const;
const FIELD = "w-full rounded-lg border border-line-strong bg-surface px-3 py-2 text-base sm:text-sm";

/** What the agent wants to do: taken in one of the ways that it offers, changed first, or sent back with words. */
export function PlanCard({ conversationId, request }: { conversationId: string; request: PlanRequest }) {
	const t = useWords(planWords);
	const { send } = useActions();
	const { requestId, summary, plan, actions } = request;
	const [edited, setEdited] = useState<string>();
	const [words, setWords] = useState("");
	const card = useRef<HTMLDivElement>(null);
	const [planBox, wordsBox] = [useId(), useId()];
	useMoveFocus(card);
	const tooLong = summary.length + (edited ?? "").length > MAX_PLAN_CHARS;
	const said = words.trim() === "" ? {} : { feedback: words };
	const decide = (decision: { approved: boolean; action?: string; plan?: string }) =>
		send({ type: "copilot:plan_response", data: { conversationId, requestId, ...decision, ...said } });
	const changed = edited === undefined || edited === plan ? {} : { plan: edited };
	return (
		// biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like this everywhere.
		<div ref={card} role="group" aria-label={t("plan")} className="ask">
			<div className="ask-head">
				<strong>{t("plan")}</strong>
			</div>
			<Markdown text={summary} />
			{edited === undefined ? (
				plan.trim() !== "" && (
					<div className="max-h-[60vh] overflow-y-auto rounded-lg border bg-surface px-4 py-2">
						<Markdown text={plan} />
					</div>
				)
			) : (
				<div>
					<label htmlFor={planBox} className="ask-note">
						{t("planText")}
					</label>
					<textarea
						id={planBox}
						rows={14}
						value={edited}
						onChange={(event) => setEdited(event.target.value)}
						className={`${FIELD} font-mono`}
					/>
				</div>
			)}
			<div>
				<label htmlFor={wordsBox} className="sr-only">
					{t("words")}
				</label>
				<textarea
					id={wordsBox}
					rows={2}
					value={words}
					placeholder={t("wordsHint")}
					onChange={(event) => setWords(event.target.value)}
					className={FIELD}
				/>
			</div>
			<p className={tooLong ? "ask-note text-danger" : "ask-note"}>
				{tooLong ? t("tooLong") : "plan" in changed ? t("edited") : t("hint")}
			</p>
			<div className="flex flex-wrap gap-2">
				{inOrder(actions).map((action, index) => (
					<Button
						key={action}
						{...(index === 0 ? { kind: "primary" as const } : {})}
						disabled={tooLong}
						onClick={() => decide({ approved: true, action, ...changed })}
					>
						{nameOf(action, t)}
					</Button>
				))}
				<Button onClick={() => setEdited(edited === undefined ? (plan.trim() === "" ? summary : plan) : undefined)}>
					{t(edited === undefined ? "edit" : "reset")}
				</Button>
				<Button kind="danger" onClick={() => decide({ approved: false })}>
					{t("sendBack")}
				</Button>
			</div>
		</div>
	);
}

/** The usual one first, whatever the agent recommends: going on by itself is for a person to choose. */
function inOrder(actions: readonly string[]): string[] {
	const rank = (action: string) => (action === "interactive" ? 0 : 1);
	return actions.length === 0 ? ["interactive"] : [...actions].sort((a, b) => rank(a) - rank(b));
}

function nameOf(action: string, t: (key: `take.${(typeof KNOWN)[number]}`) => string): string {
	const known = KNOWN.find((name) => name === action);
	return known === undefined ? action : t(`take.${known}`);
}

/** The plan of an answer, as it was taken or sent back. */
export function SettledPlan({ plan }: { plan: string }) {
	const t = useWords(planWords);
	return (
		<details className="mb-2 rounded-lg border px-4 py-2 text-sm">
			<summary className="cursor-pointer text-muted">{t("taken")}</summary>
			<Markdown text={plan} />
		</details>
	);
}
