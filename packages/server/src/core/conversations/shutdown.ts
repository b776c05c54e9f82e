import type { ActiveConversations } from "../active/active-conversations.ts";
import type { Closing } from "../active/closing.ts";
import type { Commands } from "../commands/commands.ts";
import type { Clock } from "../kernel/clock.ts";
import { settlesInTime } from "../kernel/with-timeout.ts";
import type { Sessions } from "../turns/sessions.ts";
import type { Turns } from "../turns/turns.ts";

/** A stop waits no longer for each of these, so that it always comes to an end; a stopped turn alone may take five seconds. */
const STOP_WAIT_MS = { turns: 6_000, commands: 4_000, sessions: 2_000 };

/** Drains the server: nothing new is taken up, running turns may end within the grace period, then everything is stopped and stored. Bounded in time. */
export async function shutDown(
	deps: {
		closing: Pick<Closing, "beginAll">;
		active: Pick<ActiveConversations, "withTurn">;
		turns: Pick<Turns, "interruptAll">;
		commands: Pick<Commands, "killAll">;
		sessions: Pick<Sessions, "closeAll">;
		clock: Clock;
	},
	graceMs: number,
): Promise<void> {
	const { clock } = deps;
	deps.closing.beginAll();
	await settlesInTime(clock, graceMs, Promise.all(deps.active.withTurn().map(({ turn }) => turn?.done)));
	const interrupted = deps.turns.interruptAll({
		code: "shutting-down",
		message: "The server was stopped while this answer was being written.",
		retryable: true,
	});
	// A disk that refuses, a command that cannot be killed: the next start puts right what could not be stored in time.
	await settlesInTime(clock, STOP_WAIT_MS.turns, interrupted);
	await settlesInTime(clock, STOP_WAIT_MS.commands, deps.commands.killAll());
	await settlesInTime(clock, STOP_WAIT_MS.sessions, deps.sessions.closeAll());
}
