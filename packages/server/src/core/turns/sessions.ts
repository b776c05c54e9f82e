import type { ConversationChanges } from "../active/conversation-changes.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import { retryWhileRefused } from "../active/storage-retry.ts";
import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { AgentSession, SessionSettings } from "../ports/agent-runtime.ts";
import type { Agents } from "../ports/agents.ts";
import type { Directories } from "../ports/directories.ts";
import type { ConversationRow, Store } from "../ports/store.ts";
import type { AgentCallbacks } from "./agent-callbacks.ts";
import type { HeldSessions } from "./held-sessions.ts";
import type { Models } from "./models.ts";
import { requireAgent } from "./require-agent.ts";

/** Keeps one agent session per conversation, for as long as it is worth its memory. */
export interface Sessions {
	/** The conversation's session: held, resumed or created. Its id is durable before it is used. Rejects with an AppError. */
	open(conversationId: ConversationId): Promise<AgentSession>;
	/** The agent has forgotten what was said before, and has not been told since. */
	hasLostHistory(conversationId: ConversationId): boolean;
	/** A turn in which the agent was told has begun to answer. */
	historyTold(conversationId: ConversationId): void;
	/** Changes the model of a held session; one that is not held gets it when it is opened. */
	setModel(conversationId: ConversationId, model: string): Promise<void>;
	/** The same for how the agent works. */
	apply(conversationId: ConversationId, settings: SessionSettings): Promise<void>;
	/** Closes a session, for instance because its runtime died; one that is still opening is closed as soon as it is open. It stays resumable. */
	release(conversationId: ConversationId): Promise<void>;
	closeAll(): Promise<void>;
}

/** A session that the runtime is still opening. Its caller may have stopped waiting, but it is held as soon as it is open. */
interface Opening {
	isReleased: boolean;
	/** Settles when it is open or has failed. Never rejects. */
	over: Promise<void>;
}

/** Opening is serialised per conversation, never across conversations. */
export function createSessions(deps: {
	store: Pick<Store, "conversations" | "durable">;
	agents: Pick<Agents, "find">;
	directories: Directories;
	rows: Pick<ConversationRows, "get">;
	changes: Pick<ConversationChanges, "updated">;
	models: Pick<Models, "usable">;
	callbacks: AgentCallbacks;
	held: HeldSessions;
	clock: Clock;
}): Sessions {
	const { store, held } = deps;
	const opening = new Map<ConversationId, Opening>();
	const forgetful = new Set<ConversationId>();

	async function release(conversationId: ConversationId): Promise<void> {
		// Not waited for: a runtime that hangs would keep a deletion or the server's stop.
		const unfinished = opening.get(conversationId);
		if (unfinished !== undefined) unfinished.isReleased = true;
		await held.release(conversationId);
	}

	async function open(conversationId: ConversationId): Promise<AgentSession> {
		// Serialised: a second session under the same id would take the first one's events.
		for (let earlier = opening.get(conversationId); earlier !== undefined; earlier = opening.get(conversationId)) await earlier.over;
		const row = deps.rows.get(conversationId);
		const known = held.find(conversationId);
		if (known !== undefined && known.cwd === row.cwd && known.session.isOutdated?.() !== true) {
			held.touch(conversationId);
			await known.session.reopen?.();
			// An agent that lost the session while it was held has begun another one.
			if (known.session.sessionId !== row.sdkSessionId) {
				if (known.session.opened === "lost") forgetful.add(conversationId);
				await keepId(conversationId, known.session.sessionId, () => false);
			}
			return known.session;
		}
		const state: Opening = { isReleased: false, over: Promise.resolve() };
		const opened = openAnew(row, state).finally(() => opening.delete(conversationId));
		state.over = opened.then(
			() => undefined,
			() => undefined,
		);
		opening.set(conversationId, state);
		return opened;
	}

	async function openAnew(row: ConversationRow, state: Opening): Promise<AgentSession> {
		const { id: conversationId } = row;
		await held.release(conversationId);
		await held.makeRoom();
		const cwd = await deps.directories.resolve(row.cwd);
		const runtime = requireAgent(deps.agents, row.agent);
		const isReleased = () => state.isReleased;
		const model = await retryWhileRefused(deps.clock, () => deps.models.usable(row), isReleased);
		const previous = row.sdkSessionId;
		// A session is not begun for a prompt that a power cut can take back. One that is resumed opens meanwhile: the turn waits for the disk anyway.
		if (previous === null) await store.durable();
		if (state.isReleased) throw releasedMeanwhile();
		const session = await runtime.openSession({
			...{ sessionId: conversationId, previous, model, cwd },
			...deps.callbacks(conversationId, cwd),
		});
		try {
			if (session.sessionId !== previous) await keepId(conversationId, session.sessionId, isReleased);
			if (state.isReleased) throw releasedMeanwhile();
		} catch (error) {
			await held.close(conversationId, session);
			// Its conversation was deleted, history and all, before the agent had made this one.
			if (store.conversations.find(conversationId) === undefined) await runtime.deleteSession(session.sessionId);
			throw error;
		}
		if (session.opened === "lost") forgetful.add(conversationId);
		held.put(conversationId, session, row.cwd);
		return session;
	}

	/** Stores the session's id where a power cut cannot take it back: the agent would keep a history that nobody finds again. */
	async function keepId(id: ConversationId, sdkSessionId: string, isReleased: () => boolean): Promise<void> {
		// Another program may have the database for a while: no reason to fail a turn.
		await retryWhileRefused(deps.clock, () => store.conversations.update(id, { sdkSessionId }), isReleased);
		deps.changes.updated(id);
		await store.durable();
	}

	return {
		open,
		async setModel(conversationId, model) {
			await held.find(conversationId)?.session.setModel(model);
		},
		async apply(conversationId, settings) {
			await held.find(conversationId)?.session.apply?.(settings);
		},
		hasLostHistory: (conversationId) => forgetful.has(conversationId),
		historyTold: (conversationId) => void forgetful.delete(conversationId),
		release,
		async closeAll() {
			await Promise.all([...new Set([...held.ids(), ...opening.keys()])].map(release));
		},
	};
}

const releasedMeanwhile = () =>
	new AppError("session-failed", "This session was let go before it was open. Send the message again.", {
		retryable: true,
		params: { reason: "closed" },
	});
