import type { Model } from "@rightseat/protocol/model/language-model";
import { composerWords } from "../composer/composer-messages.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useModelName } from "./use-model-name.ts";

/** Name of a model and what it can do. */
export function ModelFacts({ model, isDefault }: { model: Model; isDefault: boolean }) {
	const t = useWords(composerWords);
	const nameOf = useModelName();
	const facts = [
		model.demo === true && t("modelDemo"),
		isDefault && t("modelDefault"),
		model.vision === true && t("modelVision"),
		model.reasoning === true && t("modelReasoning"),
		model.contextLimit !== undefined && t("modelContext", { size: shortCount(model.contextLimit) }),
		model.multiplier !== undefined && model.multiplier !== 1 && t("modelMultiplier", { count: model.multiplier }),
	].filter((fact) => fact !== false);
	return (
		<span className="min-w-0 flex-1">
			<span className="block truncate text-sm">{nameOf(model)}</span>
			<span className="block text-muted text-xs">{facts.join(" · ")}</span>
		</span>
	);
}

function shortCount(count: number): string {
	if (count >= 1_000_000) return `${Number((count / 1_000_000).toFixed(1))}M`;
	return count >= 1_000 ? `${Math.round(count / 1_000)}k` : String(count);
}
