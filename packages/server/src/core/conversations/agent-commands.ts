import type { AgentCommand } from "@rightseat/protocol/http/agent-commands";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { AgentSession } from "../ports/agent-runtime.ts";
import type { AgentSetups } from "../ports/agent-setup.ts";
import type { Agents } from "../ports/agents.ts";
import type { HeldSessions } from "../turns/held-sessions.ts";

export interface AgentCommandsDeps {
	rows: Pick<ConversationRows, "get">;
	held: Pick<HeldSessions, "find">;
	agents: Pick<Agents, "find">;
	setups: AgentSetups | undefined;
	redactor: Pick<Redactor, "text">;
}

/** Commands that are told, and how long a name may be. */
const MAX_COMMANDS = 200;
const MAX_NAME_CHARS = 100;

/** What a prompt can begin with: as the open session says, else what the next one will have. Starts nothing. */
export function createAgentCommands(deps: AgentCommandsDeps): (id: ConversationId) => Promise<AgentCommand[]> {
	return async (id) => {
		const { cwd, agent } = deps.rows.get(id);
		const { trusted, found } = (await deps.setups?.look(cwd)) ?? { trusted: false, found: [] };
		const skills = trusted ? found.filter(({ kind }) => kind === "skill" || kind === "command") : [];
		const closed = () => deps.agents.find(agent)?.commands?.(skills.map(({ name, source }) => ({ name, source, enabled: true }))) ?? [];
		const commands = (await ofSession(deps.held.find(id)?.session)) ?? closed();
		const sources = new Map(skills.map(({ name, source }) => [name, source]));
		const told = commands.filter(({ name }) => name.length <= MAX_NAME_CHARS).slice(0, MAX_COMMANDS);
		return told.map((command) => {
			const source = command.kind === "skill" ? sources.get(command.name) : undefined;
			return { ...command, description: deps.redactor.text(command.description), ...(source === undefined ? {} : { source }) };
		});
	};
}

/** Undefined where none is open, or where the next prompt opens it anew. */
async function ofSession(session: AgentSession | undefined): Promise<AgentCommand[] | undefined> {
	if (session === undefined || session.isOutdated?.() === true) return undefined;
	// Its process may be gone.
	return session.commands?.().catch(() => undefined);
}
