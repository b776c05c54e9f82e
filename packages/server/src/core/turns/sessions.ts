import type { CoreContext } from "../active/core-context.ts";
import type { Asks } from "../asks/pending-requests.ts";
import type { PermissionManager } from "../asks/permission-manager.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { AgentSession } from "../ports/agent-runtime.ts";
import type { AgentTool } from "../ports/agent-tool.ts";
import type { ConversationRow } from "../ports/store.ts";

/** A session that was not used for this long is let go; the next prompt resumes it. */
export const SESSION_IDLE_MS = 10 * 60_000;
/** Sessions held at once; the one unused longest goes first. */
const MAX_OPEN_SESSIONS = 40;

export interface Sessions {
	/** The conversation's session: held, resumed or created. Its id is stored before it is used. Rejects with an AppError. */
	open(conversationId: ConversationId): Promise<AgentSession>;
	/** Changes the model of a held session; one that is not held gets it when it is opened. */
	setModel(conversationId: ConversationId, model: string): Promise<void>;
	/** Lets a session go, for instance because its runtime died; one that is still opening goes as soon as it is open. It stays resumable. */
	release(conversationId: ConversationId): Promise<void>;
	closeAll(): Promise<void>;
}

interface Held {
	session: AgentSession;
	cwd: string;
	cancelIdle: () => void;
}

/** A session that the runtime is still opening. Nobody may wait for it any more, but it is there as soon as it is open. */
interface Opening {
	isReleased: boolean;
	/** Settles when nothing of it goes on. Never rejects. */
	over: Promise<void>;
}

/** Keeps one agent session per conversation, for as long as it is worth its memory. */
export function createSessions(core: CoreContext, asks: Asks, permissions: PermissionManager): Sessions {
	const held = new Map<ConversationId, Held>();
	const opening = new Map<ConversationId, Opening>();

	async function release(conversationId: ConversationId): Promise<void> {
		// Not waited for: a runtime that hangs would keep a deletion or the server's stop.
		const unfinished = opening.get(conversationId);
		if (unfinished !== undefined) unfinished.isReleased = true;
		const entry = held.get(conversationId);
		if (entry !== undefined) await letGo(conversationId, entry);
	}

	async function letGo(conversationId: ConversationId, entry: Held): Promise<void> {
		held.delete(conversationId);
		entry.cancelIdle();
		await close(conversationId, entry.session);
	}

	async function close(conversationId: ConversationId, session: AgentSession): Promise<void> {
		try {
			await session.close();
		} catch (error) {
			// The session may be gone with its runtime; it is resumed from disk next time.
			core.logger.warn({ err: error, conversationId }, "A session could not be let go cleanly");
		}
	}

	function restartIdleClock(conversationId: ConversationId): () => void {
		return core.clock.after(SESSION_IDLE_MS, () => {
			if (core.live.find(conversationId)?.turn !== undefined) {
				const entry = held.get(conversationId);
				if (entry !== undefined) entry.cancelIdle = restartIdleClock(conversationId);
				return;
			}
			void release(conversationId);
		});
	}

	async function makeRoom(): Promise<void> {
		for (const id of held.keys()) {
			if (held.size < MAX_OPEN_SESSIONS) return;
			if (core.live.find(id)?.turn === undefined) await release(id);
		}
	}

	/** The conversation's model, or the default when the provider says that it does not have it any more. */
	async function usableModel(conversationId: ConversationId, model: string): Promise<string> {
		const list = await core.runtime.listModels().catch((error: unknown) => {
			core.logger.warn({ err: error, conversationId }, "The models could not be listed before a turn");
			return undefined;
		});
		// A list that could not be had says nothing: a moment without network must not change a conversation for good.
		// The turn itself tells people what is wrong with the provider, if it is still wrong then.
		if (list?.state !== "listed" || list.models.some((candidate) => candidate.id === model)) return model;
		const { default: fallback } = list;
		core.store.conversations.update(conversationId, { model: fallback });
		const message = `The model “${model}” is not there any more; “${fallback}” answers instead.`;
		core.log.append(conversationId, { type: "copilot:notice", data: { code: "model-replaced", message, params: { model, fallback } } });
		core.changed(conversationId);
		return fallback;
	}

	async function open(conversationId: ConversationId): Promise<AgentSession> {
		// One after the other: a second session under the same id would make the first one deaf.
		for (let earlier = opening.get(conversationId); earlier !== undefined; earlier = opening.get(conversationId)) await earlier.over;
		const row = core.row(conversationId);
		const entry = held.get(conversationId);
		if (entry !== undefined && entry.cwd === row.cwd) {
			entry.cancelIdle();
			held.delete(conversationId);
			held.set(conversationId, { ...entry, cancelIdle: restartIdleClock(conversationId) });
			return entry.session;
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
		const entry = held.get(conversationId);
		if (entry !== undefined) await letGo(conversationId, entry);
		await makeRoom();
		const cwd = await core.directories.resolve(row.cwd);
		const sessionId = row.sdkSessionId ?? row.id;
		if (row.sdkSessionId === null) {
			core.store.conversations.update(conversationId, { sdkSessionId: sessionId });
			core.changed(conversationId);
			await core.store.durable();
		}
		const model = await usableModel(conversationId, row.model);
		if (state.isReleased) throw releasedMeanwhile();
		const session = await core.runtime.openSession({
			sessionId,
			model,
			cwd,
			tools: [...core.shell.tools(conversationId, cwd), ...(core.extraTools?.(conversationId) ?? [])].map(withoutSecrets),
			ask: (question, signal) => asks.question(conversationId, question, turnSignal(conversationId, signal)),
			permit: (request, signal) => permissions.decide(conversationId, request, turnSignal(conversationId, signal)),
		});
		if (state.isReleased) {
			await close(conversationId, session);
			// Its conversation was deleted, history and all, before the runtime had made this one.
			if (core.store.conversations.find(conversationId) === undefined) await core.runtime.deleteSession(sessionId);
			throw releasedMeanwhile();
		}
		held.set(conversationId, { session, cwd: row.cwd, cancelIdle: restartIdleClock(conversationId) });
		return session;
	}

	return {
		open,
		async setModel(conversationId, model) {
			await held.get(conversationId)?.session.setModel(model);
		},
		release,
		async closeAll() {
			await Promise.all([...new Set([...held.keys(), ...opening.keys()])].map(release));
		},
	};

	/** What a tool finds goes to the model's provider: none of our secrets does. */
	function withoutSecrets(tool: AgentTool): AgentTool {
		return { ...tool, run: async (args, call) => core.redactor.value(await tool.run(args, call)) };
	}

	/** A question ends with its turn, even where the runtime gives no signal of its own. */
	function turnSignal(conversationId: ConversationId, signal: AbortSignal): AbortSignal {
		const turn = core.live.find(conversationId)?.turn;
		return turn === undefined ? signal : AbortSignal.any([signal, turn.abort.signal]);
	}
}

const releasedMeanwhile = () =>
	new AppError("session-failed", "This session was let go before it was open. Send the message again.", {
		retryable: true,
		params: { reason: "closed" },
	});
