import { cutText } from "@rightseat/protocol/text";
import { AppError } from "../kernel/errors.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { ListedSession, SessionPage } from "../ports/agent-runtime.ts";
import type { Agents } from "../ports/agents.ts";
import type { Directories } from "../ports/directories.ts";
import type { ConversationStore } from "../ports/store.ts";
import { requireAgent } from "../turns/require-agent.ts";

/** Sessions that an agent keeps and that a conversation can go on with. */
export interface AgentSessions {
	/** Only those that work where conversations may, and that no conversation has. Rejects with an AppError. */
	list(agent: string, cursor?: string): Promise<SessionPage>;
	/** One of them, its directory resolved. Rejects with `session-not-found`, `session-taken`, `forbidden` or `cwd-missing`. */
	get(agent: string, sessionId: string): Promise<ListedSession>;
	/** Throws `session-taken` when a conversation has it by now. */
	requireFree(agent: string, sessionId: string): void;
}

/** Pages that are looked through for one session. */
export const MAX_SESSION_PAGES = 20;

export function createAgentSessions(deps: {
	agents: Pick<Agents, "find">;
	directories: Directories;
	conversations: Pick<ConversationStore, "findBySession">;
	redactor: Redactor;
	/** Where an agent may be started for the question. */
	workdir(): string;
}): AgentSessions {
	const { agents, directories, conversations } = deps;
	const ask = async (agent: string, cursor: string | undefined): Promise<SessionPage> =>
		(await requireAgent(agents, agent).listSessions?.({ cwd: deps.workdir(), cursor })) ?? { sessions: [] };

	function requireFree(agent: string, sessionId: string): void {
		if (conversations.findBySession(agent, sessionId) !== undefined) throw taken();
	}

	async function usable(agent: string, session: ListedSession): Promise<ListedSession[]> {
		if (conversations.findBySession(agent, session.sessionId) !== undefined) return [];
		const resolved = await directories.resolve(session.cwd).catch(() => undefined);
		return resolved === undefined ? [] : [{ ...session, title: deps.redactor.text(session.title), cwd: resolved }];
	}

	return {
		async list(agent, cursor) {
			const { sessions, nextCursor } = await ask(agent, cursor);
			const found = await Promise.all(sessions.map((session) => usable(agent, session)));
			return { sessions: found.flat(), ...(nextCursor === undefined ? {} : { nextCursor }) };
		},
		async get(agent, sessionId) {
			let cursor: string | undefined;
			for (let page = 0; page < MAX_SESSION_PAGES; page += 1) {
				const { sessions, nextCursor } = await ask(agent, cursor);
				const found = sessions.find((session) => session.sessionId === sessionId);
				if (found !== undefined) {
					requireFree(agent, sessionId);
					return { ...found, cwd: await directories.resolve(found.cwd) };
				}
				if (nextCursor === undefined || nextCursor === cursor) break;
				cursor = nextCursor;
			}
			throw sessionNotFound(agent);
		},
		requireFree,
	};
}

/** What people read when an agent does not have the session, or not any more. */
export const sessionNotFound = (agent: string) =>
	new AppError("session-not-found", `The agent “${cutText(agent, 80)}” has no such session, or cannot go on with it.`, {
		params: { agent },
	});

const taken = () => new AppError("session-taken", "Another conversation goes on with this session already. Open that one.");
