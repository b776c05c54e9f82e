import { useEffect } from "react";
import { usePageEvents, useUi, useUiSet } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { ModelSelect } from "./model-select.tsx";

/** The model of the conversation on screen, or of the one that the next prompt begins. */
export function ModelPicker() {
	const setUi = useUiSet();
	const { chooseModel } = usePageEvents();
	const newModel = useUi((state) => state.newModel);
	const { loadModels, updateConversation } = useActions();
	const connected = useApp((state) => state.connection.kind === "open");
	const models = useApp((state) => state.models);
	const openId = useApp((state) => (state.openId === state.missingId ? undefined : state.openId));
	const current = useApp((state) => (state.openId === undefined ? undefined : state.conversations[state.openId]?.model));

	useEffect(() => {
		if (connected && models === undefined) void loadModels();
	}, [connected, models, loadModels]);

	return (
		<ModelSelect
			models={models?.models ?? []}
			fallback={models?.default}
			value={openId === undefined ? (newModel ?? models?.default) : current}
			openRequest={chooseModel}
			onChange={(model) => (openId === undefined ? setUi({ newModel: model }) : void updateConversation(openId, { model }))}
		/>
	);
}
