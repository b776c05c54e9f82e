import { cutText } from "@rightseat/protocol/text";
import { AppError } from "../kernel/errors.ts";
import { OWN_MODE, type SessionSettings } from "../ports/agent-runtime.ts";
import type { Agents } from "../ports/agents.ts";
import { requireAgent } from "./require-agent.ts";

/**
 * Throws `unknown-option` when the agent does not offer what a conversation shall be set to. What it has by itself is always fine; an agent that was
 * not open since the server started leaves the choice to the person, and says in its turn what it does not have.
 */
export function checkSettings(agents: Pick<Agents, "find">, agent: string, { mode, effort }: Partial<SessionSettings>): void {
	const runtime = requireAgent(agents, agent);
	const wanted = [...(mode === undefined || mode === OWN_MODE ? [] : [mode]), ...(effort === undefined || effort === "" ? [] : [effort])];
	if (wanted.length === 0) return;
	if (runtime.choices === undefined) throw noChoice(agent);
	const choices = runtime.choices();
	if (choices === undefined || choices.isRemembered === true) return;
	const has = (list: readonly { id: string }[], value: string) => list.some(({ id }) => id === value);
	if (mode !== undefined && mode !== OWN_MODE && !has(choices.modes, mode)) throw notListed(mode);
	if (effort !== undefined && effort !== "" && !has(choices.efforts, effort)) throw notListed(effort);
}

function notListed(given: string): AppError {
	const value = cutText(given, 80);
	return new AppError(
		"unknown-option",
		`The agent of this conversation has no mode or effort “${value}”. GET /api/agents lists what it has.`,
		{
			params: { reason: "not-listed", value },
		},
	);
}

const noChoice = (agent: string) =>
	new AppError("unknown-option", `The agent “${agent}” has no modes or efforts to choose from.`, {
		params: { reason: "no-choice", agent },
	});

/** Rejects with `unknown-option` unless the folder brings such an agent and is trusted. None at all is always fine. */
export async function checkProfile(
	agents: Pick<Agents, "find">,
	{ agent, cwd }: { agent: string; cwd: string },
	profile: string,
): Promise<void> {
	if (profile === "") return;
	const offered = (await requireAgent(agents, agent).profiles?.(cwd)) ?? [];
	if (offered.includes(profile)) return;
	const value = cutText(profile, 80);
	throw new AppError("unknown-option", `There is no agent “${value}” in the folder of this conversation, or the folder is not trusted.`, {
		params: { reason: "no-profile", value },
	});
}
