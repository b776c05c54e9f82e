import type { Clock } from "../../../packages/server/src/core/kernel/clock.ts";
import { tooMany } from "./refusal.ts";

/** About one message a second per chat with a small burst, twenty a minute in a group; edits count. */
export function createRateModel(clock: Clock) {
	const seen = new Map<number, number[]>();
	return {
		take(chatId: number, isGroup: boolean): void {
			const now = clock.now();
			const windowMs = isGroup ? 60_000 : 10_000;
			const most = isGroup ? 20 : 13;
			const recent = (seen.get(chatId) ?? []).filter((at) => at > now - windowMs);
			const oldest = recent[0];
			if (recent.length >= most && oldest !== undefined) throw tooMany(Math.max(1, Math.ceil((oldest + windowMs - now) / 1000)));
			seen.set(chatId, [...recent, now]);
		},
	};
}
