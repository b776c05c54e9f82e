import { useWords } from "../i18n/use-words.tsx";
import { useAgent } from "../state/use-agent.ts";
import { agentWords } from "./agent-messages.ts";
import { useAgents } from "./use-agents.ts";

/** Under pictures that are about to be sent to an agent that cannot see them. */
export function UnseenImages() {
	const t = useWords(agentWords);
	const agents = useAgents();
	const id = useAgent();
	const agent = agents?.agents.find((candidate) => candidate.id === id);
	// Whether Copilot sees them depends on the model, which says so itself.
	if (agent === undefined || agent.kind === "copilot" || agent.capabilities.images) return null;
	return (
		<p role="status" className="px-3 pt-2 text-warn text-xs">
			{t(agent.untried === true ? "imagesUnknown" : "imagesUnseen", { name: agent.name })}
		</p>
	);
}
