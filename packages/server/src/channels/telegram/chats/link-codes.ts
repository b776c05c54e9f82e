import type { Clock } from "../../../core/kernel/clock.ts";
import type { ConversationId, IdSource } from "../../../core/kernel/ids.ts";

const LINK_LIFE_MS = 10 * 60_000;
export const MAX_LINK_CODES = 50;

/** Codes that the page shows and a person types in Telegram to continue there; each works once. */
export interface LinkCodes {
	make(id: ConversationId): string;
	take(code: string): ConversationId | undefined;
}

export function createLinkCodes(clock: Clock, ids: IdSource): LinkCodes {
	const codes = new Map<string, { id: ConversationId; expiresAt: number }>();
	return {
		make(id) {
			const code = ids.next().replaceAll("-", "").slice(0, 10).toUpperCase();
			codes.set(code, { id, expiresAt: clock.now() + LINK_LIFE_MS });
			const oldest = codes.keys().next().value;
			if (codes.size > MAX_LINK_CODES && oldest !== undefined) codes.delete(oldest);
			return code;
		},
		take(typed) {
			const code = typed.trim().toUpperCase();
			const found = codes.get(code);
			codes.delete(code);
			return found === undefined || found.expiresAt < clock.now() ? undefined : found.id;
		},
	};
}
