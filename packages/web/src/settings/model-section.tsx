import { useEffect, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { ModelFacts } from "../model/model-facts.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { AccountForm } from "./account-form.tsx";
import { accountWords } from "./account-messages.ts";
import { AgentPart } from "./agent-part.tsx";
import { Part, WhenLoaded } from "./parts.tsx";
import { settingsApi } from "./settings-api.ts";
import { settingsWords } from "./settings-messages.ts";
import { useChange } from "./use-change.ts";
import { useLoad } from "./use-load.ts";

export function ModelSection() {
	const t = useWords(settingsWords);
	const { loadModels } = useActions();
	const models = useApp((state) => state.models);
	const change = useChange();
	const { loaded, reload, set } = useLoad(settingsApi.settings);
	const words = useWords(accountWords);
	// Where no real model answers that is what people came for; else they came to choose one. It stays there when they have connected one.
	const [isDemo] = useState(models?.models.find(({ id }) => id === models.default)?.demo === true);
	const account = (
		<Part title={words("account")}>
			<AccountForm />
		</Part>
	);
	useEffect(() => {
		if (models === undefined) void loadModels();
	}, [models, loadModels]);
	return (
		<>
			<AgentPart />
			{isDemo && account}
			<Part title={t("defaultModel")}>
				<WhenLoaded loaded={loaded} reload={reload}>
					{(server) => (
						<fieldset className="grid min-w-0 gap-1.5">
							<legend className="sr-only">{t("defaultModel")}</legend>
							{[undefined, ...(models?.models ?? [])].map((model) => (
								<label
									key={model?.id ?? ""}
									className="flex min-h-10 min-w-0 cursor-pointer items-center gap-2.5 rounded-lg border px-3 py-1.5 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft"
								>
									<input
										type="radio"
										name="default-model"
										checked={server.defaultModel === (model?.id ?? "")}
										onChange={() => void change(async () => set(await settingsApi.change({ defaultModel: model?.id ?? "" })))}
										className="shrink-0 accent-accent"
									/>
									{model === undefined ? t("defaultModelAuto") : <ModelFacts model={model} isDefault={model.id === models?.default} />}
								</label>
							))}
						</fieldset>
					)}
				</WhenLoaded>
			</Part>
			{!isDemo && account}
		</>
	);
}
