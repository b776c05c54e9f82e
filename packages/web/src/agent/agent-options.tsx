import { openModels } from "../state/agent.ts";
import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { useAgent } from "../state/use-agent.ts";
import { useActions, useApp } from "../state/use-page.tsx";
import { AgentChoices, OWN_SETTING } from "./agent-choices.tsx";
import { useAgents } from "./use-agents.ts";
import "./pickers.css";

/**
 * How the agent works that the next prompt goes to, and how hard its model thinks, as far as it offers a choice: set in the conversation on screen, or
 * kept for the one that the prompt begins.
 */
export function AgentOptions() {
	const agents = useAgents();
	const id = useAgent();
	const agent = agents?.agents.find((candidate) => candidate.id === id);
	const conversation = useApp(({ openId, missingId, conversations }) =>
		openId === undefined || openId === missingId ? undefined : conversations[openId],
	);
	const [setting, newModel] = [useUi((state) => state.newSetting), useUi((state) => state.newModel)];
	const model = useApp((state) => {
		const known = openModels(state);
		const wanted = conversation?.model ?? newModel ?? known?.default;
		return known?.models.find(({ id: each }) => each === wanted);
	});
	const setUi = useUiSet();
	const { updateConversation } = useActions();
	if (agent === undefined) return null;
	if (conversation !== undefined)
		return (
			<AgentChoices {...{ agent, model }} value={conversation} onChange={(patch) => void updateConversation(conversation.id, patch)} />
		);
	return (
		<AgentChoices
			{...{ agent, model }}
			value={{ ...OWN_SETTING, ...setting }}
			onChange={(patch) => setUi({ newSetting: { ...setting, ...patch } })}
		/>
	);
}
