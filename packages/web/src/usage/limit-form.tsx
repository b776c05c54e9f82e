import { useId, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { Button } from "../ui/button.tsx";
import { usageWords } from "./usage-messages.ts";

/** Limits as they are typed; an empty box is no limit. */
export interface TypedLimits {
	tokens: number | undefined;
	cost: number | undefined;
}

/** Two limits that are saved together. */
export function LimitForm({ limits, onSave }: { limits: TypedLimits; onSave: (limits: TypedLimits) => Promise<boolean> }) {
	const t = useWords(usageWords);
	const [tokens, setTokens] = useState(textOf(limits.tokens));
	const [cost, setCost] = useState(textOf(limits.cost));
	const [isSaved, setSaved] = useState(false);
	async function save() {
		setSaved(await onSave({ tokens: numberOf(tokens), cost: numberOf(cost) }));
	}
	return (
		<form
			className="flex flex-wrap items-end gap-3"
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			<LimitBox label={t("tokens")} step="1" value={tokens} onChange={setTokens} />
			<LimitBox label={t("cost")} step="any" value={cost} onChange={setCost} />
			<Button type="submit">{t("save")}</Button>
			<span role="status" className="text-muted text-sm">
				{isSaved && t("saved")}
			</span>
		</form>
	);
}

function LimitBox(props: { label: string; step: string; value: string; onChange: (value: string) => void }) {
	const t = useWords(usageWords);
	const id = useId();
	return (
		<label htmlFor={id} className="grid gap-1 text-sm">
			{props.label}
			<input
				id={id}
				type="number"
				inputMode="decimal"
				min="0"
				step={props.step}
				value={props.value}
				placeholder={t("noLimit")}
				onChange={(event) => props.onChange(event.target.value)}
				className="w-36 rounded-lg border bg-transparent px-3 py-2"
			/>
		</label>
	);
}

const textOf = (limit: number | undefined) => (limit === undefined ? "" : String(limit));
const numberOf = (text: string) => (text.trim() === "" ? undefined : Number(text));
