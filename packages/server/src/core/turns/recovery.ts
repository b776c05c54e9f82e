import { isStorageRefusal } from "../active/storage-retry.ts";
import type { OnBashComplete } from "../commands/on-bash-complete.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CommandRow, Store } from "../ports/store.ts";
import { loggedEvents } from "./logged-events.ts";
import { type RecoverTurnDeps, recoverTurn } from "./recover-turn.ts";

interface RecoveryDeps extends RecoverTurnDeps {
	store: Pick<Store, "messages" | "conversations" | "turns" | "events" | "commands" | "inbox" | "afterCommit">;
	logger: Logger;
	onBashComplete: OnBashComplete;
}

/**
 * Puts things right after a crash, before anybody connects: turns and commands that were running are stored with what was shown of them and marked as
 * interrupted. Nothing is run again. With a full disk the server still starts, to show what it has; the next start recovers.
 */
export function recover(deps: RecoveryDeps): void {
	try {
		const turns = deps.store.turns.open();
		for (const turn of turns) settle(deps.logger, turn.conversationId, () => recoverTurn(deps, turn));
		const commands = deps.store.commands.running();
		for (const command of commands) settle(deps.logger, command.conversationId, () => recoverCommand(deps, command));
		if (turns.length + commands.length === 0) return;
		deps.logger.warn({ turns: turns.length, commands: commands.length }, "The server had stopped in mid-work; what was shown is kept");
	} catch (error) {
		if (!(error instanceof AppError && error.code === "storage-read-only")) throw error;
		deps.logger.error({ err: error }, "What a crash left behind cannot be stored while the storage is read-only");
	}
}

/** One conversation that cannot be put right must not keep the server from starting; a disk that refuses concerns all of them. */
function settle(logger: Logger, conversationId: ConversationId, work: () => void): void {
	try {
		work();
	} catch (error) {
		if (isStorageRefusal(error)) throw error;
		logger.error({ err: error, conversationId }, "What a crash left behind in a conversation could not be put right");
	}
}

function recoverCommand({ store, clock, onBashComplete }: Pick<RecoveryDeps, "store" | "clock" | "onBashComplete">, row: CommandRow): void {
	let output = "";
	for (const event of loggedEvents(store.events, row.conversationId, row.firstSeq)) {
		if (event.type === "bash:output" && event.data.execId === row.execId) output += event.data.output;
	}
	const note = "[lost: the server stopped while this command was running]";
	onBashComplete(row, {
		exitCode: null,
		output: output === "" ? note : `${output.replace(/\n$/, "")}\n${note}`,
		truncated: false,
		cwd: row.cwd,
		durationMs: Math.max(0, clock.now() - row.startedAt),
	});
}
