import type { CoreContext } from "../active/core-context.ts";
import type { Asks } from "../asks/pending-requests.ts";
import type { PermissionManager } from "../asks/permission-manager.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { AgentSession } from "../ports/agent-runtime.ts";
import type { AgentTool } from "../ports/agent-tool.ts";

/** A session that was not used for this long is let go; the next prompt resumes it. */
export const SESSION_IDLE_MS = 10 * 60_000;
/** Sessions held at once; the one unused longest goes first. */
export const MAX_OPEN_SESSIONS = 40;

export interface Sessions {
	/** The conversation's session: held, resumed or created. Its id is stored before it is used. Rejects with an AppError. */
	open(conversationId: ConversationId): Promise<AgentSession>;
	/** Changes the model of a held session; one that is not held gets it when it is opened. */
	setModel(conversationId: ConversationId, model: string): Promise<void>;
	/** Lets a session go, for instance because its runtime died. It stays resumable. */
	release(conversationId: ConversationId): Promise<void>;
	closeAll(): Promise<void>;
}

interface Held {
	session: AgentSession;
	cwd: string;
	cancelIdle: () => void;
}

/** Keeps one agent session per conversation, for as long as it is worth its memory. */
export function createSessions(core: CoreContext, asks: Asks, permissions: PermissionManager): Sessions {
	const held = new Map<ConversationId, Held>();

	async function release(conversationId: ConversationId): Promise<void> {
		const entry = held.get(conversationId);
		if (entry === undefined) return;
		held.delete(conversationId);
		entry.cancelIdle();
		try {
			await entry.session.close();
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
		core.log.append(conversationId, { type: "copilot:notice", data: { code: "model-replaced", message } });
		core.changed(conversationId);
		return fallback;
	}

	return {
		async open(conversationId) {
			const row = core.row(conversationId);
			const entry = held.get(conversationId);
			if (entry !== undefined && entry.cwd === row.cwd) {
				entry.cancelIdle();
				held.delete(conversationId);
				held.set(conversationId, { ...entry, cancelIdle: restartIdleClock(conversationId) });
				return entry.session;
			}
			await release(conversationId);
			await makeRoom();
			const cwd = await core.directories.resolve(row.cwd);
			const sessionId = row.sdkSessionId ?? row.id;
			if (row.sdkSessionId === null) {
				core.store.conversations.update(conversationId, { sdkSessionId: sessionId });
				core.changed(conversationId);
				await core.store.durable();
			}
			const session = await core.runtime.openSession({
				sessionId,
				model: await usableModel(conversationId, row.model),
				cwd,
				tools: [...core.shell.tools(conversationId, cwd), ...(core.extraTools?.(conversationId) ?? [])].map(withoutSecrets),
				ask: (question, signal) => asks.question(conversationId, question, turnSignal(conversationId, signal)),
				permit: (request, signal) => permissions.decide(conversationId, request, turnSignal(conversationId, signal)),
			});
			held.set(conversationId, { session, cwd: row.cwd, cancelIdle: restartIdleClock(conversationId) });
			return session;
		},
		async setModel(conversationId, model) {
			await held.get(conversationId)?.session.setModel(model);
		},
		release,
		async closeAll() {
			await Promise.all([...held.keys()].map(release));
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
