import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import type { BotClient } from "./api/bot-client.ts";
import type { BotRuntime } from "./bot-runtime.ts";
import { updateMenus } from "./commands/command-menu.ts";
import { createPollLoop, type PollLoop } from "./inbox/poll-loop.ts";
import type { Language } from "./messages/messages.ts";
import type { StatusBoard } from "./status-board.ts";

const RETRY_START_MS = 5_000;

/** Our side of the connection to Telegram: who we are, polling, and the menu of commands. */
export interface BotConnection {
	/** Learns who we are, as often as it takes; then polls. Trouble is status. */
	open(): Promise<void>;
	/** Stops polling at once. */
	close(): Promise<void>;
}

export function createBotConnection(deps: {
	client: BotClient;
	sql: SqlDatabase;
	clock: Clock;
	logger: Logger;
	botId: number;
	language: "auto" | Language;
	status: Pick<StatusBoard, "set" | "setUsername">;
	updates: Pick<BotRuntime, "takeUp" | "accept" | "offset">;
	/** Awaited before Telegram may forget what it handed out. */
	confirm?: (() => Promise<void>) | undefined;
	/** Telegram does not know this token. */
	refused: () => void;
}): BotConnection {
	const { client, clock, logger, status, updates } = deps;
	let loop: PollLoop | undefined;
	let isClosed = false;
	let cancelRetry: Cancel = () => undefined;

	async function open(): Promise<void> {
		const me = await client.getMe();
		if (isClosed) return;
		if (me.kind === "refused" && (me.code === 401 || me.code === 404)) {
			// The client itself reports the other one.
			if (me.code === 404) deps.refused();
			return;
		}
		if (me.kind !== "ok") {
			const why = me.kind === "refused" ? me.description : me.message;
			status.set({ state: "degraded", problem: "unreachable", message: `Telegram cannot be reached (${why}). Trying again.` });
			cancelRetry = clock.after(RETRY_START_MS, () => void open());
			return;
		}
		status.setUsername(me.result.username);
		status.set({ state: "ok" });
		updates.takeUp();
		loop = createPollLoop({
			client,
			clock,
			logger,
			offset: updates.offset,
			accept: updates.accept,
			onHealth: status.set,
			confirm: deps.confirm,
		});
		loop.start();
		await updateMenus(deps);
	}

	return {
		open,
		async close() {
			isClosed = true;
			cancelRetry();
			await loop?.stop();
		},
	};
}
