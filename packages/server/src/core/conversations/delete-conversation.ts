import type { ActiveConversations } from "../active/active-conversations.ts";
import type { Closing } from "../active/closing.ts";
import type { ConversationChanges } from "../active/conversation-changes.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { PermissionManager } from "../asks/permission-manager.ts";
import type { Clock } from "../kernel/clock.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import { settlesInTime } from "../kernel/with-timeout.ts";
import type { EventLog } from "../log/event-log.ts";
import type { StreamHub } from "../log/stream-hub.ts";
import { type Agents, COPILOT_AGENT } from "../ports/agents.ts";
import type { ChangeTracker } from "../ports/changes.ts";
import type { Shell } from "../ports/shell.ts";
import type { Store } from "../ports/store.ts";
import type { Sessions } from "../turns/sessions.ts";
import type { Turns } from "../turns/turns.ts";
import type { Conversations } from "./conversations.ts";

/** What still runs gets this long to end: a stop takes five seconds at most, and its end has to be stored. */
export const DELETE_WAIT_MS = 10_000;
/** So long each for the agent's session, the shell's files and the agent's own history. */
const PART_WAIT_MS = 5_000;

/**
 * Deletes conversations: nothing is accepted from the first moment, what runs is stopped, then everything is removed. It always answers: what does not
 * end in time is abandoned and finds its conversation gone. Two concurrent calls are one deletion.
 */
export function createDeletion(deps: {
	store: Pick<Store, "conversations" | "attachments" | "durable" | "transaction">;
	log: Pick<EventLog, "flush">;
	hub: Pick<StreamHub, "drop">;
	shell: Pick<Shell, "forget">;
	agents: Pick<Agents, "find">;
	clock: Clock;
	logger: Logger;
	active: Pick<ActiveConversations, "find">;
	closing: Closing;
	rows: Pick<ConversationRows, "get">;
	changes: Pick<ConversationChanges, "deleted">;
	turns: Pick<Turns, "abort">;
	sessions: Pick<Sessions, "release">;
	permissions: Pick<PermissionManager, "forget">;
	tracker: Pick<ChangeTracker, "forget">;
	/** What core itself remembers of its changes. */
	forgetChanges(id: ConversationId): void;
	/** Removes files of attachments. */
	discardFiles?: ((paths: string[]) => Promise<void>) | undefined;
}): Conversations["delete"] {
	const { store, logger, closing } = deps;
	const running = new Map<ConversationId, Promise<void>>();

	/** Waits for one part, bounded; a part that fails or hangs must not keep the conversation. */
	async function wait(id: ConversationId, what: string, limitMs: number, work: Promise<unknown>): Promise<void> {
		try {
			if (await settlesInTime(deps.clock, limitMs, work)) return;
			logger.warn({ conversationId: id, what, limitMs }, "A deleted conversation does not wait any longer for a part of it");
		} catch (error) {
			logger.warn({ err: error, conversationId: id, what }, "A part of a deleted conversation could not be released");
		}
	}

	async function stopAndDelete(id: ConversationId, isGone: () => void): Promise<void> {
		const active = deps.active.find(id);
		const turn = active?.turn;
		const commands = [...(active?.commands.values() ?? [])];
		deps.turns.abort(id);
		for (const command of commands) command.kill();
		await wait(id, "running turn and commands", DELETE_WAIT_MS, Promise.all([turn?.done, ...commands.map(({ done }) => done)]));
		await wait(id, "agent session", PART_WAIT_MS, deps.sessions.release(id));
		await wait(id, "shell", PART_WAIT_MS, deps.shell.forget(id));
		const { agent, sdkSessionId } = deps.rows.get(id);
		const files = store.attachments.ofConversation(id).map((attachment) => attachment.path);
		deps.log.flush();
		deps.forgetChanges(id);
		store.transaction(() => {
			store.conversations.delete(id);
			isGone();
		});
		deps.hub.drop(id);
		deps.permissions.forget(id);
		deps.changes.deleted(id);
		// What cannot be taken back waits until the deletion cannot either.
		await store.durable();
		await wait(id, "its attachments", PART_WAIT_MS, deps.discardFiles?.(files) ?? Promise.resolve());
		await wait(id, "what it changed in files", PART_WAIT_MS, deps.tracker.forget(id));
		const runtime = deps.agents.find(agent);
		// Copilot's session has the conversation's id, so that one which is still opening is known too.
		const session = sdkSessionId ?? (agent === COPILOT_AGENT && active !== undefined ? id : null);
		if (session !== null && runtime !== undefined) await wait(id, "the agent's own history", PART_WAIT_MS, runtime.deleteSession(session));
	}

	return async function deleteConversation(id, _actor, isGone = () => undefined) {
		deps.rows.get(id);
		const known = running.get(id);
		if (known !== undefined) return known;
		closing.begin(id);
		const done = stopAndDelete(id, isGone).finally(() => {
			running.delete(id);
			closing.end(id);
		});
		running.set(id, done);
		return done;
	};
}
