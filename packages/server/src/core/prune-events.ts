import type { CoreContext } from "./core-context.ts";
import { type ConversationId, seq as toSeq } from "./ids.ts";
import { KEPT_EVENTS } from "./turn-end.ts";

/**
 * Removes old events of a conversation; they are in its stored messages by now, and whoever is further behind gets a snapshot. Called after every turn and
 * every command, for a conversation that is used as a shell has no turns. Never throws: a log that stays long costs less than what would not follow.
 */
export function createPruning(core: CoreContext): (id: ConversationId) => void {
	function prune(id: ConversationId): void {
		const found = core.store.conversations.find(id);
		if (found === undefined || found.headSeq <= KEPT_EVENTS) return;
		// What still runs is rebuilt from its events after a crash.
		const running = [...core.store.commands.running(), ...core.store.turns.open()];
		const busy = running.flatMap((one) => (one.conversationId === id ? [one.firstSeq] : []));
		core.store.events.prune(id, toSeq(Math.min(found.headSeq - KEPT_EVENTS, ...busy)));
	}
	return function tryPrune(id) {
		try {
			prune(id);
		} catch (error) {
			core.logger.warn({ err: error, conversationId: id }, "Old events could not be removed");
		}
	};
}
