import { OWN_MODE, type SessionChoices, type SessionSettings } from "../../../core/ports/agent-runtime.ts";
import type { Quirks } from "../quirks.ts";
import type { Choice, Options } from "./options.ts";

type ModeRules = Pick<Quirks, "askModes" | "aloneModes">;

/** Modes in which an agent, or a model behind it, decides on permissions by itself. */
export const decidesAlone = (modeId: string, { aloneModes = [] }: ModeRules): boolean =>
	aloneModes.includes(modeId) || /bypass|yolo|auto|accept|full|never|workspace-write|dont.?ask/i.test(modeId);

/** The mode to set so that people are asked and the agent works as it was told to; undefined when it is in it, or offers none that we know. */
export function modeFor({ mode, work }: Options, settings: Pick<SessionSettings, "mode">, rules: ModeRules): string | undefined {
	if (mode === undefined) return undefined;
	const wanted = work === undefined ? offered(mode, settings.mode, rules) : undefined;
	if (wanted !== undefined) return wanted === mode.current ? undefined : wanted;
	if (rules.askModes.includes(mode.current)) return undefined;
	const asking = rules.askModes.find((id) => has(mode, id));
	// Agents without a mode for that have one in which they plan, and only people choose that.
	return asking ?? (PLANS.test(mode.current) ? normalMode(mode, rules) : undefined);
}

/** The same for an agent that keeps how it works apart from who decides. */
export function workFor({ work }: Options, settings: Pick<SessionSettings, "mode">, rules: ModeRules): string | undefined {
	if (work === undefined) return undefined;
	const wanted = offered(work, settings.mode, rules) ?? normalMode(work, rules);
	return wanted === work.current ? undefined : wanted;
}

/** What people may choose: the agent's own way first, then its other ones, but none that decides on permissions by itself. */
export function choicesOf(options: Options, rules: ModeRules): SessionChoices {
	const { effort } = options;
	const of = options.work ?? options.mode;
	const normal = of === undefined ? undefined : normalMode(of, rules);
	const others = (of?.values ?? []).filter(({ id }) => id !== normal && id !== OWN_MODE && !decidesAlone(id, rules));
	return {
		modes: others.length === 0 ? [] : [{ id: OWN_MODE, name: "Agent" }, ...others],
		efforts: (effort?.values.length ?? 0) > 1 ? [...(effort?.values ?? [])] : [],
	};
}

/** How the agent works now, as people choose it. */
export function modeNow(options: Options, rules: ModeRules): string {
	const of = options.work ?? options.mode;
	return of !== undefined && choicesOf(options, rules).modes.some(({ id }) => id === of.current) ? of.current : OWN_MODE;
}

const PLANS = /plan/i;
const has = (choice: Choice, wanted: string) => choice.values.some(({ id }) => id === wanted);

function offered(choice: Choice, wanted: string, rules: ModeRules): string | undefined {
	return wanted !== OWN_MODE && has(choice, wanted) && !decidesAlone(wanted, rules) ? wanted : undefined;
}

function normalMode({ values }: Choice, rules: ModeRules): string | undefined {
	const ids = values.map(({ id }) => id);
	return (
		rules.askModes.find((id) => ids.includes(id)) ??
		ids.find((id) => id === "default") ??
		ids.find((id) => !PLANS.test(id) && !decidesAlone(id, rules))
	);
}
