import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import type { CallResult } from "../api/bot-client.ts";

/** Telegram shows "typing" for five seconds. */
const TYPING_EVERY_MS = 4_000;
/** A turn that runs longer than this shows its status message only. */
const TYPING_LIMIT_MS = 60 * 60_000;
const MAX_FAILURES = 3;

/** Shows "typing" until stopped; gives up by itself when Telegram refuses, because a bot that keeps on is taken down. */
export function startTyping(clock: Clock, type: () => Promise<CallResult<true>>): Cancel {
	const until = clock.elapsed() + TYPING_LIMIT_MS;
	let failures = 0;
	let stopped = false;
	let cancel: Cancel = () => undefined;
	const tick = () => {
		if (stopped || failures >= MAX_FAILURES || clock.elapsed() >= until) return;
		cancel = clock.after(TYPING_EVERY_MS, tick);
		void type().then((result) => {
			failures = result.kind === "ok" ? 0 : failures + 1;
		});
	};
	tick();
	return () => {
		stopped = true;
		cancel();
	};
}
