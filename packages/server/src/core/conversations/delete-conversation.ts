import type { CoreContext } from "../active/core-context.ts";
import type { PermissionManager } from "../asks/permission-manager.ts";
import type { ConversationId } from "../kernel/ids.ts";
import { within } from "../kernel/with-timeout.ts";
import type { StreamHub } from "../log/stream-hub.ts";
import type { Sessions } from "../turns/sessions.ts";
import type { Turns } from "../turns/turns.ts";

/** What still runs gets this long to end: a stop takes five seconds at most, and its end has to be stored. */
export const DELETE_WAIT_MS = 10_000;
/** So long each for the agent's session, the shell's files and the agent's own history. */
const PART_WAIT_MS = 5_000;

/**
 * Deletes conversations: nothing is taken up from the first moment, what runs is stopped, then everything goes. It always answers: what does not end in
 * time is left behind and finds its conversation gone. Twice at once is one deletion.
 */
export function createDeletion(
	core: CoreContext,
	parts: { turns: Turns; sessions: Sessions; hub: StreamHub; permissions: PermissionManager; deleted(id: ConversationId): void },
): (id: ConversationId) => Promise<void> {
	const running = new Map<ConversationId, Promise<void>>();

	/** Waits for one part, bounded; a part that fails or hangs must not keep the conversation. */
	async function wait(id: ConversationId, what: string, limitMs: number, work: Promise<unknown>): Promise<void> {
		try {
			if (await within(core.clock, limitMs, work)) return;
			core.logger.warn({ conversationId: id, what, limitMs }, "A deleted conversation does not wait any longer for a part of it");
		} catch (error) {
			core.logger.warn({ err: error, conversationId: id, what }, "A part of a deleted conversation could not be let go");
		}
	}

	async function stopAndDelete(id: ConversationId): Promise<void> {
		parts.turns.abort(id);
		const live = core.live.find(id);
		const commands = [...(live?.commands.values() ?? [])];
		for (const command of commands) command.kill();
		await wait(id, "running turn and commands", DELETE_WAIT_MS, Promise.all([live?.turn?.done, ...commands.map(({ done }) => done)]));
		await wait(id, "agent session", PART_WAIT_MS, parts.sessions.release(id));
		await wait(id, "shell", PART_WAIT_MS, core.shell.forget(id));
		const { sdkSessionId } = core.row(id);
		const files = core.store.attachments.ofConversation(id).map((attachment) => attachment.path);
		core.log.flush();
		core.store.conversations.delete(id);
		parts.hub.drop(id);
		parts.permissions.forget(id);
		parts.deleted(id);
		// What cannot be taken back waits until the deletion cannot either.
		await core.store.durable();
		core.discardFiles?.(files);
		if (sdkSessionId !== null) await wait(id, "the agent's own history", PART_WAIT_MS, core.runtime.deleteSession(sdkSessionId));
	}

	return async function deleteConversation(id) {
		core.row(id);
		const known = running.get(id);
		if (known !== undefined) return known;
		core.closing.begin(id);
		const done = stopAndDelete(id).finally(() => {
			running.delete(id);
			core.closing.end(id);
		});
		running.set(id, done);
		return done;
	};
}
