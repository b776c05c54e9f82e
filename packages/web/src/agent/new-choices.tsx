import type { Agent } from "@rightseat/protocol/http/agents";
import { useWords } from "../i18n/use-words.tsx";
import { AgentChoices, type AgentSetting, OWN_SETTING } from "./agent-choices.tsx";
import { agentWords } from "./agent-messages.ts";

/** Mode and effort in the form of a new conversation: those of the agent's last session, or a word where they will be. */
export function NewChoices(props: {
	agent: Agent | undefined;
	value: Partial<AgentSetting>;
	onChange: (patch: Partial<AgentSetting>) => void;
}) {
	const { agent, value, onChange } = props;
	const t = useWords(agentWords);
	if (agent === undefined) return null;
	const known = agent.modes !== undefined || agent.efforts !== undefined;
	return (
		<div className="min-w-0">
			{known && (
				<div className="flex gap-3 pb-1">
					<AgentChoices wide {...{ agent, onChange }} value={{ ...OWN_SETTING, ...value }} />
				</div>
			)}
			{agent.kind !== "copilot" && <p className="text-muted text-xs">{t(known ? "choicesSeen" : "choicesLater", { name: agent.name })}</p>}
		</div>
	);
}
