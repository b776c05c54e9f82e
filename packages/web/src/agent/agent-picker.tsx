import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { AgentSelect } from "./agent-select.tsx";
import { useAgents } from "./use-agents.ts";
import "./pickers.css";

/** The agent of the conversation that the next prompt begins. Where there is only Copilot there is nothing to choose. */
export function AgentPicker() {
	const agents = useAgents();
	const setUi = useUiSet();
	const newAgent = useUi((state) => state.newAgent);
	if (agents === undefined || agents.agents.length < 2) return null;
	return (
		<AgentSelect
			agents={agents.agents}
			fallback={agents.default}
			value={newAgent ?? agents.default}
			// A model, a mode and an effort belong to an agent.
			onChange={(id) => setUi({ newAgent: id, newModel: undefined, newSetting: undefined })}
		/>
	);
}
