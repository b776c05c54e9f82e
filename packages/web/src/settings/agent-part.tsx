import { AgentFacts } from "../agent/agent-facts.tsx";
import { agentWords } from "../agent/agent-messages.ts";
import { AgentNeeds } from "../agent/agent-needs.tsx";
import { useAgents } from "../agent/use-agents.ts";
import { useWords } from "../i18n/use-words.tsx";
import type { AppState } from "../state/app-state.ts";
import { useActions } from "../state/use-page.tsx";
import { Part } from "./parts.tsx";
import { settingsApi } from "./settings-api.ts";
import { useChange } from "./use-change.ts";

/** The agent of new conversations, and how every agent stands. Where there is only Copilot there is nothing to choose. */
export function AgentPart() {
	const t = useWords(agentWords);
	const agents = useAgents();
	if (agents === undefined || agents.agents.length < 2) return null;
	return (
		<Part title={t("defaultAgent")} hint={t("defaultAgentHint")}>
			<AgentRadios agents={agents} />
		</Part>
	);
}

/** One of them, with what it needs before it can work: of each, or only of the one that is chosen. */
export function AgentRadios({ agents, brief = false }: { agents: NonNullable<AppState["agents"]>; brief?: boolean }) {
	const t = useWords(agentWords);
	const { loadAgents } = useActions();
	const change = useChange();
	const choose = (defaultAgent: string) =>
		void change(async () => {
			await settingsApi.change({ defaultAgent });
			await loadAgents();
		});
	return (
		<fieldset className="grid min-w-0 gap-1.5">
			<legend className="sr-only">{t("defaultAgent")}</legend>
			{agents.agents.map((agent) => (
				<div key={agent.id} className="overflow-hidden rounded-lg border has-checked:border-accent has-checked:bg-accent-soft">
					<label className="flex min-h-10 min-w-0 cursor-pointer items-center gap-2.5 px-3 py-1.5 text-sm hover:bg-hover">
						<input
							type="radio"
							name="default-agent"
							checked={agents.default === agent.id}
							onChange={() => choose(agent.id)}
							className="shrink-0 accent-accent"
						/>
						<AgentFacts agent={agent} isDefault={false} />
					</label>
					{(!brief || agents.default === agent.id) && <AgentNeeds agent={agent} onLogin={() => undefined} />}
				</div>
			))}
		</fieldset>
	);
}
