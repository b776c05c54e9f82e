import type { AgentChoice } from "@rightseat/protocol/http/agents";
import { useWords } from "../i18n/use-words.tsx";
import { findOpenAgent } from "../state/agent.ts";
import { useActions, useApp } from "../state/use-page.tsx";
import { Select } from "../ui/select.tsx";
import { agentWords } from "./agent-messages.ts";
import { useAgents } from "./use-agents.ts";

/** How the agent of the conversation on screen works and how hard its model thinks, as far as it offers a choice. */
export function AgentOptions() {
	const t = useWords(agentWords);
	useAgents();
	const agent = useApp(findOpenAgent);
	const conversation = useApp((state) => (state.openId === undefined ? undefined : state.conversations[state.openId]));
	const { updateConversation } = useActions();
	if (agent === undefined || conversation === undefined) return null;
	const { id, mode, effort } = conversation;
	const modeName = (choice: AgentChoice) => (choice.id === "agent" ? t("mode.agent") : choice.id === "plan" ? t("mode.plan") : choice.name);
	return (
		<>
			{agent.modes !== undefined && (
				<Choice
					label={t("mode")}
					value={mode}
					choices={agent.modes}
					nameOf={modeName}
					onChange={(next) => void updateConversation(id, { mode: next })}
				/>
			)}
			{agent.efforts !== undefined && (
				<Choice
					label={t("effort")}
					value={effort}
					choices={effort === "" ? [{ id: "", name: t("effort.own") }, ...agent.efforts] : agent.efforts}
					nameOf={({ name }) => name}
					onChange={(next) => void updateConversation(id, { effort: next })}
				/>
			)}
		</>
	);
}

function Choice(props: {
	label: string;
	value: string;
	choices: readonly AgentChoice[];
	nameOf: (choice: AgentChoice) => string;
	onChange: (id: string) => void;
}) {
	const { label, value, choices, nameOf } = props;
	const chosen = choices.find(({ id }) => id === value);
	return (
		<Select
			{...{ label, value }}
			options={choices.map((choice) => ({ id: choice.id, content: nameOf(choice) }))}
			onChange={(id) => void props.onChange(id)}
		>
			<span className="min-w-0 truncate">{chosen === undefined ? value : nameOf(chosen)}</span>
		</Select>
	);
}
