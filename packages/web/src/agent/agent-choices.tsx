import type { Agent, AgentChoice } from "@rightseat/protocol/http/agents";
import type { Model } from "@rightseat/protocol/model/language-model";
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
	/** That the prompt goes to, where it is known: of efforts only those count that it has. */
	model?: Model | undefined;
	value: AgentSetting;
	/** As fields of a form, each with its name above it. */
	wide?: boolean;
	onChange: (patch: Partial<AgentSetting>) => void;
}) {
	const { agent, model, value, wide, onChange } = props;
	const efforts = effortsOf(agent, model, value.effort);
	const t = useWords(agentWords);
	const modeName = ({ id, name }: AgentChoice) => (isOwnMode(id) ? t(`mode.${id}`) : name);
	// What agents over ACP mean by a mode is theirs to say.
	const modeHint = ({ id }: AgentChoice) => (agent.kind === "copilot" && isOwnMode(id) ? t(`modeHint.${id}`) : undefined);
	const ownEffort = { id: OWN_SETTING.effort, name: t("effort.own") };
	return (
		<>
			{agent.modes !== undefined && (
				<Choice
					{...{ wide, own: OWN_SETTING.mode, value: value.mode, choices: agent.modes, nameOf: modeName, hintOf: modeHint }}
					label={t("mode")}
					onChange={(mode) => onChange({ mode })}
				/>
			)}
			{efforts !== undefined && (
				<Choice
					{...{
						wide,
						own: OWN_SETTING.effort,
						value: value.effort,
						choices: value.effort === "" ? [ownEffort, ...efforts] : efforts,
					}}
					label={t("effort")}
					nameOf={({ name }) => name}
					onChange={(effort) => onChange({ effort })}
				/>
			)}
		</>
	);
}

/** What the model does not say of itself is left to the agent; the one that is chosen stays in the list, so that it can be changed. */
function effortsOf(agent: Agent, model: Model | undefined, chosen: string): readonly AgentChoice[] | undefined {
	const has = model?.efforts ?? (model?.reasoning === false ? [] : undefined);
	const efforts = has === undefined ? agent.efforts : agent.efforts?.filter(({ id }) => id === chosen || has.includes(id));
	return efforts?.length === 0 ? undefined : efforts;
}

function Choice(props: {
	label: string;
	value: string;
	choices: readonly AgentChoice[];
	/** As the agent has it by itself. */
	own: string;
	wide: boolean | undefined;
	nameOf: (choice: AgentChoice) => string;
	/** What a choice means, in its own line. */
	hintOf?: (choice: AgentChoice) => string | undefined;
	onChange: (id: string) => void;
}) {
	const { label, value, choices, own, wide, nameOf, hintOf } = props;
	const chosen = choices.find(({ id }) => id === value);
	// In a row without names beside them, what is the agent's own says what is chosen here.
	const text = wide !== true && value === own ? label : chosen === undefined ? value : nameOf(chosen);
	const select = (
		<Select
			{...{ label, value, wide }}
			options={choices.map((choice) => ({ id: choice.id, content: <ChoiceFacts name={nameOf(choice)} hint={hintOf?.(choice)} /> }))}
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

function ChoiceFacts({ name, hint }: { name: string; hint: string | undefined }) {
	if (hint === undefined) return name;
	return (
		<span className="min-w-0">
			{name}
			<span className="block text-muted text-xs">{hint}</span>
		</span>
	);
}

type OwnMode = "agent" | "plan" | "autopilot";
const isOwnMode = (id: string): id is OwnMode => id === "agent" || id === "plan" || id === "autopilot";
