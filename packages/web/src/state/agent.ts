import type { Agent } from "@rightseat/protocol/http/agents";
import type { AppState, ModelChoice } from "./app-state.ts";

/** The agent that is always there, and of every conversation that does not say which. */
export const COPILOT = "copilot";

/** The agent of the conversation on screen; undefined where there is none yet. */
export function openAgent(state: AppState): string | undefined {
	const { openId } = state;
	if (openId === undefined || openId === state.missingId) return undefined;
	return state.conversations[openId]?.agent ?? COPILOT;
}

/** The models of that agent, as far as they are known. */
export function openModels(state: AppState): ModelChoice | undefined {
	const agent = openAgent(state) ?? COPILOT;
	return agent === COPILOT ? state.models : state.agentModels[agent];
}

/** What is known about it; nothing until the agents were asked for, which another one than Copilot does. */
export function findOpenAgent(state: AppState): Agent | undefined {
	const id = openAgent(state);
	return state.agents?.agents.find((agent) => agent.id === id);
}

/** After the server told how its agents stand, where the page knows them. One that changed may name other models. */
export function agentsAfter(state: AppState, agents: readonly Agent[] | undefined): Pick<AppState, "agents" | "agentModels"> {
	const { agents: known, agentModels } = state;
	if (known === undefined || agents === undefined) return { agents: known, agentModels };
	const said = (list: readonly Agent[], id: string) => JSON.stringify(list.find((agent) => agent.id === id));
	const same = (id: string) => said(known.agents, id) === said(agents, id);
	return {
		agents: { ...known, agents },
		agentModels: Object.fromEntries(Object.entries(agentModels).filter(([id]) => same(id))),
	};
}
