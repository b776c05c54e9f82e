import type { Model } from "@rightseat/protocol/model/language-model";
import { DemoNote } from "../composer/box/demo-note.tsx";
import { composerWords } from "../composer/composer-messages.ts";
import { useWords } from "../i18n/use-words.tsx";
import type { PageEvent } from "../state/page-events.ts";
import { Select } from "../ui/select.tsx";
import { ModelFacts } from "./model-facts.tsx";
import { useModelName } from "./use-model-name.ts";

/** The models to choose from, and what each can do. */
export function ModelSelect(props: {
	models: readonly Model[];
	fallback: string | undefined;
	value: string | undefined;
	openRequest?: PageEvent<void>;
	/** As wide as its place, like a field of a form. */
	wide?: boolean;
	onChange: (model: string) => void;
}) {
	const { models, fallback, value, openRequest, wide, onChange } = props;
	const t = useWords(composerWords);
	const nameOf = useModelName();
	const chosen = models.find(({ id }) => id === value);
	const unnamed = value === "" ? t("modelOwn") : (value ?? t("modelsLoading"));
	return (
		<Select
			{...{ value, openRequest, wide }}
			label={t("model")}
			options={models.map((model) => ({ id: model.id, content: <ModelFacts model={model} isDefault={model.id === fallback} /> }))}
			onChange={(id) => void onChange(id)}
			footer={chosen?.demo === true ? (close) => <DemoNote onConnect={close} /> : undefined}
		>
			<span className="min-w-0 truncate">{chosen === undefined ? unnamed : nameOf(chosen)}</span>
		</Select>
	);
}
