import type { Model } from "@rightseat/protocol/model/language-model";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { acpErrors } from "../acp-errors.ts";
import { fieldsOf, listOf, textOf, wordOf } from "../fields.ts";
import type { Peer } from "../peer/peer.ts";

/** What can be chosen in a session: who decides on permissions, and which model. */
export interface Options {
	mode?: Choice;
	model?: Choice;
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
	const mode = options.find(({ category }) => category === "mode")?.choice ?? readModes(answer.modes);
	const model = options.find(({ category }) => category === "model")?.choice ?? readModels(answer.models);
	return { ...(mode === undefined ? {} : { mode }), ...(model === undefined ? {} : { model }) };
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

/** The mode to set so that a person is asked; undefined when the agent is in one, or offers none that we know. */
export function askModeOf(mode: Choice | undefined, askModes: readonly string[]): string | undefined {
	if (mode === undefined || askModes.includes(mode.current)) return undefined;
	return askModes.find((wanted) => mode.values.some(({ id }) => id === wanted));
}

/** Modes in which an agent, or a model behind it, decides by itself. */
export const decidesAlone = (modeId: string) => /bypass|yolo|auto|accept|full|never|workspace-write/i.test(modeId);

export interface SetOption {
	peer: Peer;
	sessionId: string;
	/** The agent's, as people read it. */
	name: string;
	ms: number;
}

/** Sets one and gives the options as they are then: another model may take an option away. Rejects with an AppError. */
export async function setOption(options: Options, key: "mode" | "model", value: string, deps: SetOption): Promise<Options> {
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
	if (choice.via === "option" && Array.isArray(fieldsOf(answer).configOptions)) return { ...options, ...readOptions(answer) };
	return { ...options, [key]: { ...choice, current: value } };
}

/** Before the first prompt and after every resume: the mode first, then the model. Rejects when the agent stays in a mode that asks nobody. */
export async function applyOptions(
	offered: Options,
	wanted: { askModes: readonly string[]; model: string },
	deps: SetOption & { logger: Logger },
): Promise<Options> {
	const mode = askModeOf(offered.mode, wanted.askModes);
	let options = mode === undefined ? offered : await setOption(offered, "mode", mode, deps);
	const { model } = options;
	if (wanted.model === "" || model === undefined || model.current === wanted.model) return options;
	try {
		options = await setOption(options, "model", wanted.model, deps);
	} catch (error) {
		if (!(error instanceof AppError) || error.code !== "agent-start-failed") throw error;
		deps.logger.warn({ err: error, model: wanted.model }, "An agent did not take a model; it goes on with its own");
	}
	return options;
}

/** The models to choose from, with the agent's own choice first. */
export function modelsOf(name: string, choice: Choice | undefined): Model[] {
	return [{ id: "", name: `The model that ${name} takes by itself` }, ...(choice?.values ?? []).map((value) => ({ ...value }))];
}
