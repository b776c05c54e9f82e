import type { Agent } from "@rightseat/protocol/http/agents";
import { useWords } from "../i18n/use-words.tsx";
import type { Translate } from "../i18n/words.ts";
import { agentWords } from "./agent-messages.ts";

type AgentTranslate = Translate<keyof (typeof agentWords)["en"]>;

/** Name of an agent, how it stands, who pays, and what it cannot do. */
export function AgentFacts({ agent, isDefault }: { agent: Agent; isDefault: boolean }) {
	const t = useWords(agentWords);
	const limits = limitsOf(agent, t);
	return (
		<span className="min-w-0 flex-1">
			<span className="flex min-w-0 items-baseline gap-1.5 text-sm">
				<span className="truncate">{agent.name}</span>
				{agent.version !== undefined && <span className="shrink-0 text-muted text-xs">{agent.version}</span>}
			</span>
			<span className="block text-muted text-xs">
				<span className={agent.state === "missing" || agent.state === "login-needed" ? "text-warn" : undefined}>
					{t(`state.${agent.state}`)}
				</span>
				{isDefault && ` · ${t("standard")}`}
				{` · ${payerOf(agent, t)}`}
			</span>
			{limits !== "" && <span className="block text-muted text-xs">{limits}</span>}
		</span>
	);
}

function payerOf(agent: Agent, t: AgentTranslate): string {
	if (agent.kind === "copilot") return t("paysCopilot");
	return agent.account === undefined ? t("paysOwn", { name: agent.name }) : t("paysAccount", { account: agent.account });
}

/** In one sentence; nothing for one that can do all. */
function limitsOf({ capabilities, untried }: Agent, t: AgentTranslate): string {
	if (untried === true) return t("untried");
	const { steer, images, models, sharedShell, resume } = capabilities;
	const missing = [
		!steer && t("noSteer"),
		!images && t("noImages"),
		!models && t("noModels"),
		!sharedShell && t("noShell"),
		!resume && t("noResume"),
	].filter((limit) => limit !== false);
	return missing.length === 0 ? "" : t("cannot", { things: missing.reduce((first, rest) => t("list", { first, rest })) });
}
