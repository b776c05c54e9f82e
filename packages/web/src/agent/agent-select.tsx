import type { Agent } from "@rightseat/protocol/http/agents";
import { Bot } from "lucide-react";
import { useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { Select } from "../ui/select.tsx";
import { AgentFacts } from "./agent-facts.tsx";
import { agentWords } from "./agent-messages.ts";
import { AgentNeeds } from "./agent-needs.tsx";

/** The agents to choose from. One that is not installed is not taken: what to install is shown instead. */
export function AgentSelect(props: {
	agents: readonly Agent[];
	fallback: string;
	value: string;
	wide?: boolean;
	onChange: (agent: string) => void;
}) {
	const { agents, fallback, value, wide, onChange } = props;
	const t = useWords(agentWords);
	const [tried, setTried] = useState<string>();
	const shown = agents.find(({ id }) => id === (tried ?? value));
	const choose = (id: string) => {
		const agent = agents.find((candidate) => candidate.id === id);
		const needs = agent?.state === "missing" || agent?.state === "login-needed";
		setTried(needs ? id : undefined);
		if (agent?.state !== "missing") onChange(id);
		return needs ? false : undefined;
	};
	return (
		<Select
			{...{ value, wide }}
			label={t("agent")}
			options={agents.map((agent) => ({ id: agent.id, content: <AgentFacts agent={agent} isDefault={agent.id === fallback} /> }))}
			onChange={choose}
			footer={shown === undefined ? undefined : (close) => <AgentNeeds agent={shown} onLogin={close} />}
		>
			<Bot size={15} aria-hidden className="shrink-0" />
			<span className="min-w-0 flex-1 truncate text-left">{agents.find(({ id }) => id === value)?.name ?? value}</span>
		</Select>
	);
}
