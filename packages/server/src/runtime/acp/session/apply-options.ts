import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { OWN_MODE, type SessionSettings } from "../../../core/ports/agent-runtime.ts";
import type { Quirks } from "../quirks.ts";
import { modeFor, modeNow, workFor } from "./modes.ts";
import { type Options, type SetOption, setOption } from "./options.ts";

/** What a session shall be set to. */
export interface Wish extends SessionSettings {
	/** Empty: the agent's own choice. */
	model: string;
	rules: Pick<Quirks, "askModes" | "aloneModes">;
}

/**
 * Before the first prompt and after every resume: the mode first, then the model, then what depends on it. Rejects when the agent stays in a mode that asks
 * nobody; whatever else it does not take is left.
 */
export async function applyOptions(offered: Options, wish: Wish, deps: SetOption & { logger: Logger }): Promise<Options> {
	const mode = modeFor(offered, wish, wish.rules);
	let options = mode === undefined ? offered : await setOption(offered, "mode", mode, deps);
	for (const key of ["model", "work", "effort"] as const) {
		const value = { model: wish.model, work: workFor(options, wish, wish.rules) ?? "", effort: effortFor(options, wish) }[key];
		if (value === "" || options[key] === undefined || options[key].current === value) continue;
		try {
			options = await setOption(options, key, value, deps);
		} catch (error) {
			if (!(error instanceof AppError) || error.code !== "agent-start-failed") throw error;
			deps.logger.warn({ err: error, option: key, value }, "An agent did not take an option; it goes on with its own");
		}
	}
	return options;
}

/** Sets how the agent works, as a person has just chosen it. Rejects with an AppError when it refuses. */
export async function applySettings(offered: Options, wish: Omit<Wish, "model">, deps: SetOption): Promise<Options> {
	let options = offered;
	const steps = [
		["mode", modeFor],
		["work", workFor],
	] as const;
	for (const [key, choose] of steps) {
		const value = choose(options, wish, wish.rules);
		if (value !== undefined) options = await setOption(options, key, value, deps);
	}
	const effort = effortFor(options, wish);
	return effort === "" || options.effort?.current === effort ? options : setOption(options, "effort", effort, deps);
}

/** Empty: nothing to set. */
const effortFor = ({ effort }: Options, wish: SessionSettings): string =>
	effort?.values.some(({ id }) => id === wish.effort) === true ? wish.effort : "";

/** What was wished for and is not offered, in the words of the wish. */
export function notTaken(options: Options, wish: Omit<Wish, "model">): string[] {
	const isInMode = wish.mode === OWN_MODE || modeNow(options, wish.rules) === wish.mode;
	return [...(isInMode ? [] : [wish.mode]), ...(wish.effort === "" || options.effort?.current === wish.effort ? [] : [wish.effort])];
}
