import { AppError } from "../kernel/errors.ts";
import type { Agents } from "../ports/agents.ts";

/** What people read when the agent of a conversation has no such thing. */
export function cannot(agents: Pick<Agents, "list">, agent: string, what: "aside" | "compact"): AppError {
	const name = agents.list().find(({ id }) => id === agent)?.name ?? agent;
	const message = what === "aside" ? `${name} cannot answer side questions.` : `${name} cannot be told to summarise its history.`;
	return new AppError("agent-cannot", message, { params: { reason: what, name } });
}
