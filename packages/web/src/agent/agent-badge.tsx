import { Bot } from "lucide-react";
import { useWords } from "../i18n/use-words.tsx";
import { openAgent } from "../state/agent.ts";
import { useApp } from "../state/use-page.tsx";
import { Menu } from "../ui/menu.tsx";
import { AgentFacts } from "./agent-facts.tsx";
import { agentWords } from "./agent-messages.ts";
import { AgentNeeds } from "./agent-needs.tsx";
import { useAgents } from "./use-agents.ts";

/** Which agent drives the conversation on screen; pressed, how it stands and what it cannot do. */
export function AgentBadge() {
	const t = useWords(agentWords);
	const agents = useAgents();
	const id = useApp(openAgent);
	const panel = useApp((state) => state.panel);
	const agent = agents?.agents.find((candidate) => candidate.id === id);
	const name = agent?.name ?? id ?? "";
	return (
		<Menu
			// A login opens the terminal, and then the box is in its way.
			key={panel}
			align="start"
			info={t("agentIs", { name })}
			trigger={
				<button
					type="button"
					aria-label={t("agentIs", { name })}
					className="inline-flex max-w-[30%] shrink-0 items-center gap-1 rounded px-1 hover:bg-hover hover:text-ink"
				>
					<Bot size={12} aria-hidden className="shrink-0" />
					<span className="truncate">{name}</span>
				</button>
			}
		>
			{agent !== undefined && (
				<>
					<div className="w-72 px-3 py-2">
						<AgentFacts agent={agent} isDefault={agent.id === agents?.default} />
					</div>
					<AgentNeeds agent={agent} onLogin={() => undefined} />
				</>
			)}
		</Menu>
	);
}
