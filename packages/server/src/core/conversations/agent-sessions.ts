import { cutText } from "@rightseat/protocol/text";
import { AppError } from "../kernel/errors.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { Agents } from "../ports/agents.ts";
import type { Directories } from "../ports/directories.ts";
import type { ListedSession, SessionPage } from "../ports/listed-sessions.ts";
import type { ConversationStore } from "../ports/store.ts";
import { requireAgent } from "../turns/require-agent.ts";

/** Sessions that an agent keeps and that a conversation can go on with. */
export interface AgentSessions {
	/** Those that work where conversations may, and that no conversation has; and why others cannot be gone on with. Rejects with an AppError. */
	list(agent: string, cursor?: string): Promise<SessionChoice>;
	/** One of them, its directory resolved. Rejects with `session-not-found`, `session-taken`, `forbidden` or `cwd-missing`. */
	get(agent: string, sessionId: string): Promise<ListedSession>;
	/** Throws `session-taken` when a conversation has it by now. */
	requireFree(agent: string, sessionId: string): void;
}

/** A page of sessions, as people choose among them. */
export interface SessionChoice extends SessionPage {
	/** Those of the page that no conversation can go on with; what a conversation has already is in neither list. */
	unusable: UnusableSession[];
}
/** `outside`: it works where conversations may not. `gone`: its directory is not there any more. */
export type UnusableSession = Omit<ListedSession, "problem"> & { problem: NonNullable<ListedSession["problem"]> | "outside" | "gone" };

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

	/** In neither list: a conversation has it. */
	async function judge(agent: string, { problem, ...session }: ListedSession): Promise<Pick<SessionChoice, "sessions" | "unusable">> {
		if (conversations.findBySession(agent, session.sessionId) !== undefined) return { sessions: [], unusable: [] };
		const shown = { ...session, title: deps.redactor.text(session.title) };
		if (problem !== undefined) return { sessions: [], unusable: [{ ...shown, problem }] };
		try {
			return { sessions: [{ ...shown, cwd: await directories.resolve(session.cwd) }], unusable: [] };
		} catch (error) {
			const isOutside = error instanceof AppError && error.code === "forbidden";
			return { sessions: [], unusable: [{ ...shown, problem: isOutside ? "outside" : "gone" }] };
		}
	}

	return {
		async list(agent, cursor) {
			const { sessions, nextCursor } = await ask(agent, cursor);
			const judged = await Promise.all(sessions.map((session) => judge(agent, session)));
			return {
				sessions: judged.flatMap((one) => one.sessions),
				unusable: judged.flatMap((one) => one.unusable),
				...(nextCursor === undefined ? {} : { nextCursor }),
			};
		},
		async get(agent, sessionId) {
			let cursor: string | undefined;
			for (let page = 0; page < MAX_SESSION_PAGES; page += 1) {
				const { sessions, nextCursor } = await ask(agent, cursor);
				const found = sessions.find((session) => session.sessionId === sessionId);
				if (found !== undefined) {
					requireFree(agent, sessionId);
					if (found.problem !== undefined) break;
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
