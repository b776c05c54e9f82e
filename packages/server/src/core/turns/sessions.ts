import type { ConversationChanges } from "../active/conversation-changes.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { AgentSession } from "../ports/agent-runtime.ts";
import { type Agents, COPILOT_AGENT } from "../ports/agents.ts";
import type { Directories } from "../ports/directories.ts";
import type { ConversationRow, Store } from "../ports/store.ts";
import type { AgentCallbacks } from "./agent-callbacks.ts";
import type { HeldSessions } from "./held-sessions.ts";
import type { Models } from "./models.ts";
import { requireAgent } from "./require-agent.ts";

/** Keeps one agent session per conversation, for as long as it is worth its memory. */
export interface Sessions {
	/** The conversation's session: held, resumed or created. Its id is stored before it is used. Rejects with an AppError. */
	open(conversationId: ConversationId): Promise<AgentSession>;
	/** Changes the model of a held session; one that is not held gets it when it is opened. */
	setModel(conversationId: ConversationId, model: string): Promise<void>;
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
}): Sessions {
	const { store, held } = deps;
	const opening = new Map<ConversationId, Opening>();

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
		if (known !== undefined && known.cwd === row.cwd) {
			held.touch(conversationId);
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
		const runtime = requireAgent(deps.agents, COPILOT_AGENT);
		const sessionId = await durableId(row);
		const model = await deps.models.usable(conversationId, row.model);
		if (state.isReleased) throw releasedMeanwhile();
		const session = await runtime.openSession({
			sessionId,
			previous: row.sdkSessionId,
			model,
			cwd,
			...deps.callbacks(conversationId, cwd),
		});
		if (state.isReleased) {
			await held.close(conversationId, session);
			// Its conversation was deleted, history and all, before the runtime had made this one.
			if (store.conversations.find(conversationId) === undefined) await runtime.deleteSession(sessionId);
			throw releasedMeanwhile();
		}
		held.put(conversationId, session, row.cwd);
		return session;
	}

	/** The id of the session, which a power cut cannot take back: the runtime would keep a history that nobody finds again. */
	async function durableId(row: ConversationRow): Promise<string> {
		if (row.sdkSessionId !== null) return row.sdkSessionId;
		store.conversations.update(row.id, { sdkSessionId: row.id });
		deps.changes.updated(row.id);
		await store.durable();
		return row.id;
	}

	return {
		open,
		async setModel(conversationId, model) {
			await held.find(conversationId)?.session.setModel(model);
		},
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
