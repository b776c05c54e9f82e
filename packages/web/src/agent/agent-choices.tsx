import type { Agent, AgentChoice } from "@rightseat/protocol/http/agents";
import { useWords } from "../i18n/use-words.tsx";
import { Select } from "../ui/select.tsx";
import { agentWords } from "./agent-messages.ts";

/** How an agent works and how hard its model thinks. */
export interface AgentSetting {
	mode: string;
	effort: string;
}
/** As it is by itself. */
export const OWN_SETTING: AgentSetting = { mode: "agent", effort: "" };

/** Mode and effort as two comboboxes, each only where the agent offers a choice. */
export function AgentChoices(props: {
	agent: Agent;
	value: AgentSetting;
	/** As fields of a form, each with its name above it. */
	wide?: boolean;
	onChange: (patch: Partial<AgentSetting>) => void;
}) {
	const { agent, value, wide, onChange } = props;
	const t = useWords(agentWords);
	const modeName = (choice: AgentChoice) =>
		choice.id === "agent"
			? t("mode.agent")
			: choice.id === "plan"
				? t("mode.plan")
				: choice.id === "autopilot"
					? t("mode.autopilot")
					: choice.name;
	const ownEffort = { id: OWN_SETTING.effort, name: t("effort.own") };
	return (
		<>
			{agent.modes !== undefined && (
				<Choice
					{...{ wide, own: OWN_SETTING.mode, value: value.mode, choices: agent.modes, nameOf: modeName }}
					label={t("mode")}
					onChange={(mode) => onChange({ mode })}
				/>
			)}
			{agent.efforts !== undefined && (
				<Choice
					{...{
						wide,
						own: OWN_SETTING.effort,
						value: value.effort,
						choices: value.effort === "" ? [ownEffort, ...agent.efforts] : agent.efforts,
					}}
					label={t("effort")}
					nameOf={({ name }) => name}
					onChange={(effort) => onChange({ effort })}
				/>
			)}
		</>
	);
}

function Choice(props: {
	label: string;
	value: string;
	choices: readonly AgentChoice[];
	/** As the agent has it by itself. */
	own: string;
	wide: boolean | undefined;
	nameOf: (choice: AgentChoice) => string;
	onChange: (id: string) => void;
}) {
	const { label, value, choices, own, wide, nameOf } = props;
	const chosen = choices.find(({ id }) => id === value);
	// In a row without names beside them, what is the agent's own says what is chosen here.
	const text = wide !== true && value === own ? label : chosen === undefined ? value : nameOf(chosen);
	const select = (
		<Select
			{...{ label, value, wide }}
			options={choices.map((choice) => ({ id: choice.id, content: nameOf(choice) }))}
			onChange={(id) => void props.onChange(id)}
		>
			<span className="min-w-0 truncate">{text}</span>
		</Select>
	);
	if (wide !== true) return select;
	return (
		<div className="min-w-0 flex-1">
			<span className="block pb-1 font-medium text-sm">{label}</span>
			{select}
		</div>
	);
}
