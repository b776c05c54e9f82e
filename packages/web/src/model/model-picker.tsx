import { useEffect } from "react";
import { COPILOT } from "../state/agent.ts";
import { usePageEvents, useUi, useUiSet } from "../state/ui-slice.tsx";
import { useAgent } from "../state/use-agent.ts";
import { useActions, useApp } from "../state/use-page.tsx";
import { ModelSelect } from "./model-select.tsx";

/** The model of the conversation on screen, or of the one that the next prompt begins. */
export function ModelPicker() {
	const setUi = useUiSet();
	const { chooseModel } = usePageEvents();
	const newModel = useUi((state) => state.newModel);
	const { updateConversation } = useActions();
	const agent = useAgent();
	const models = useModels(agent);
	const openId = useApp((state) => (state.openId === state.missingId ? undefined : state.openId));
	const current = useApp((state) => (state.openId === undefined ? undefined : state.conversations[state.openId]?.model));

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

/** The models of an agent, asked for when they are first needed. */
export function useModels(agent: string) {
	const { loadModels } = useActions();
	const connected = useApp((state) => state.connection.kind === "open");
	const models = useApp((state) => (agent === COPILOT ? state.models : state.agentModels[agent]));
	useEffect(() => {
		if (connected && models === undefined) void loadModels(agent === COPILOT ? undefined : agent);
	}, [connected, models, agent, loadModels]);
	return models;
}
