import type { Model } from "@rightseat/protocol/model/language-model";
import { acpErrors } from "../acp-errors.ts";
import { fieldsOf, listOf, textOf, wordOf } from "../fields.ts";
import type { Peer } from "../peer/peer.ts";

/** What can be chosen in a session: how it works and who decides on permissions, which model, and how hard that one thinks. */
export interface Options {
	mode?: Choice;
	/** Some keep how they work apart from who decides. */
	work?: Choice;
	model?: Choice;
	effort?: Choice;
}

/** One option and how it is set: as a configuration option, or in the older way. */
export interface Choice {
	via: "option" | "session/set_mode" | "session/set_model";
	id: string;
	current: string;
	values: { id: string; name: string }[];
}

const MAX_VALUES = 500;

/** The options in an answer to `session/new`, `load`, `resume` or `set_config_option`; the older fields count where there are no options. */
export function readOptions(raw: unknown): Options {
	const answer = fieldsOf(raw);
	const options = listOf(answer.configOptions).flatMap(readOption);
	const of = (wanted: string) => options.find(({ category }) => category === wanted)?.choice;
	const [work, effort] = [of("collaboration_mode"), of("thought_level")];
	const mode = of("mode") ?? readModes(answer.modes);
	const model = of("model") ?? readModels(answer.models);
	return {
		...(mode === undefined ? {} : { mode }),
		...(work === undefined ? {} : { work }),
		...(model === undefined ? {} : { model }),
		...(effort === undefined ? {} : { effort }),
	};
}

function readOption(raw: unknown): { category: string; choice: Choice }[] {
	const option = fieldsOf(raw);
	const [id, current] = [wordOf(option.id), textOf(option.currentValue)];
	if (id === undefined || current === undefined || option.type === "boolean") return [];
	// Values may stand in groups.
	const values = listOf(option.options).flatMap((value) => {
		const inner = listOf(fieldsOf(value).options);
		return inner.length > 0 ? inner : [value];
	});
	return [{ category: wordOf(option.category) ?? id, choice: { via: "option", id, current, values: readValues(values, "value") } }];
}

function readModes(raw: unknown): Choice | undefined {
	const { currentModeId, availableModes } = fieldsOf(raw);
	const current = textOf(currentModeId);
	return current === undefined
		? undefined
		: { via: "session/set_mode", id: "modeId", current, values: readValues(listOf(availableModes), "id") };
}

function readModels(raw: unknown): Choice | undefined {
	const { currentModelId, availableModels } = fieldsOf(raw);
	const current = textOf(currentModelId);
	return current === undefined
		? undefined
		: { via: "session/set_model", id: "modelId", current, values: readValues(listOf(availableModels), "modelId") };
}

function readValues(raw: unknown[], key: string): Choice["values"] {
	return raw.slice(0, MAX_VALUES).flatMap((item) => {
		const value = fieldsOf(item);
		const id = wordOf(value[key]);
		return id === undefined ? [] : [{ id, name: wordOf(value.name) ?? id }];
	});
}

/** All options as they are now; those that came in the older way are not among them and stay. */
export function renewed(before: Options, answer: unknown): Options {
	const stay = Object.entries(before).filter(([, choice]) => choice.via !== "option");
	return { ...Object.fromEntries(stay), ...readOptions(answer) };
}

export interface SetOption {
	peer: Peer;
	sessionId: string;
	/** The agent's, as people read it. */
	name: string;
	ms: number;
}

/** Sets one and gives the options as they are then: another model may take an option away. Rejects with an AppError. */
export async function setOption(options: Options, key: keyof Options, value: string, deps: SetOption): Promise<Options> {
	const choice = options[key];
	if (choice === undefined) return options;
	const { peer, sessionId, name, ms } = deps;
	const [method, params] =
		choice.via === "option"
			? ["session/set_config_option", { sessionId, configId: choice.id, value }]
			: [choice.via, { sessionId, [choice.id]: value }];
	const answer = await peer.request(method, params, {
		ms,
		late: () => acpErrors.startFailed(name, `it did not take the ${key} ${value} in time`),
		refused: ({ message }) => acpErrors.startFailed(name, `it did not take the ${key} ${value}: ${message}`),
	});
	if (choice.via === "option" && Array.isArray(fieldsOf(answer).configOptions)) return renewed(options, answer);
	return { ...options, [key]: { ...choice, current: value } };
}

/** The models to choose from, with the agent's own choice first. */
export function modelsOf(name: string, choice: Choice | undefined): Model[] {
	return [{ id: "", name: `The model that ${name} takes by itself` }, ...(choice?.values ?? []).map((value) => ({ ...value }))];
}
