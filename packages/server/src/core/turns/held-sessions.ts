import type { Cancel, Clock } from "../kernel/clock.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { AgentSession } from "../ports/agent-runtime.ts";

/** The TTL of a session that is not used; the next prompt resumes it. */
export const SESSION_IDLE_MS = 10 * 60_000;
/** Sessions held at the same time; the least recently used is evicted first. */
export const MAX_OPEN_SESSIONS = 40;

/** Open agent sessions, one per conversation: an LRU with a TTL that never evicts one in which a turn runs. */
export interface HeldSessions {
	find(conversationId: ConversationId): { session: AgentSession; cwd: string } | undefined;
	put(conversationId: ConversationId, session: AgentSession, cwd: string): void;
	/** It is used now: its TTL begins again. */
	touch(conversationId: ConversationId): void;
	/** Closes it if it is held. Never rejects. */
	release(conversationId: ConversationId): Promise<void>;
	/** Closes sessions until one more fits, as far as no turn runs in them. */
	makeRoom(): Promise<void>;
	ids(): ConversationId[];
	/** Closes a session that is not held (yet). Never rejects. */
	close(conversationId: ConversationId, session: AgentSession): Promise<void>;
}

interface Held {
	session: AgentSession;
	cwd: string;
	cancelIdle: Cancel;
}

/** Empty at the start; sessions are resumed by the next prompt. */
export function createHeldSessions(deps: {
	clock: Clock;
	logger: Logger;
	/** A turn runs in this conversation. */
	isRunning(conversationId: ConversationId): boolean;
}): HeldSessions {
	const held = new Map<ConversationId, Held>();

	function restartIdleClock(conversationId: ConversationId): Cancel {
		return deps.clock.after(SESSION_IDLE_MS, () => {
			const entry = held.get(conversationId);
			if (entry !== undefined && deps.isRunning(conversationId)) entry.cancelIdle = restartIdleClock(conversationId);
			else void release(conversationId);
		});
	}
	function put(conversationId: ConversationId, session: AgentSession, cwd: string): void {
		held.get(conversationId)?.cancelIdle();
		// Deleted first, so that it goes to the young end of the map.
		held.delete(conversationId);
		held.set(conversationId, { session, cwd, cancelIdle: restartIdleClock(conversationId) });
	}
	async function release(conversationId: ConversationId): Promise<void> {
		const entry = held.get(conversationId);
		if (entry === undefined) return;
		held.delete(conversationId);
		entry.cancelIdle();
		await close(conversationId, entry.session);
	}
	async function close(conversationId: ConversationId, session: AgentSession): Promise<void> {
		try {
			await session.close();
		} catch (error) {
			// The session may be gone with its runtime; it is resumed from disk next time.
			deps.logger.warn({ err: error, conversationId }, "A session could not be closed cleanly");
		}
	}

	return {
		find: (conversationId) => held.get(conversationId),
		put,
		touch(conversationId) {
			const entry = held.get(conversationId);
			if (entry !== undefined) put(conversationId, entry.session, entry.cwd);
		},
		release,
		async makeRoom() {
			for (const id of held.keys()) {
				if (held.size < MAX_OPEN_SESSIONS) return;
				if (!deps.isRunning(id)) await release(id);
			}
		},
		ids: () => [...held.keys()],
		close,
	};
}
