import { cutTextTail } from "@rightseat/protocol/text";
import type { ActiveConversations, LeftOpen } from "../active/active-conversations.ts";
import type { ConversationChanges } from "../active/conversation-changes.ts";
import { type End, keepEnd } from "../active/keep-end.ts";
import { isStorageRefusal, RETRY_MS } from "../active/storage-retry.ts";
import { type OnBashComplete, sentAs } from "../commands/on-bash-complete.ts";
import { commandEndOf, SNAPSHOT_OUTPUT_CHARS } from "../commands/run-command.ts";
import { type Cancel, isoTime } from "../kernel/clock.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CommandRow, OpenTurn, Store } from "../ports/store.ts";
import { loggedEvents } from "./logged-events.ts";
import { type RecoverTurnDeps, recoverTurn, shownOf } from "./recover-turn.ts";
import { onlyText, tellTurnEnd } from "./turn-end.ts";

interface RecoveryDeps extends RecoverTurnDeps {
	store: Pick<Store, "messages" | "conversations" | "turns" | "events" | "commands" | "inbox" | "afterCommit">;
	logger: Logger;
	onBashComplete: OnBashComplete;
	active: Pick<ActiveConversations, "get" | "find" | "release">;
	changes: Pick<ConversationChanges, "updated">;
}

/** Puts right what a crash left behind: turns and commands that were running are stored with what was shown of them, as interrupted. Nothing is run again. */
export interface Recovery {
	/**
	 * Before anybody connects. While the disk refuses the server still starts, to show what it has: what is left is shown as it stands, still open, and
	 * stored when the disk takes it.
	 */
	start(): void;
	/** Before something new is stored in this conversation: what is left there is stored first. Throws while the disk refuses. */
	settle(id: ConversationId): void;
	/** What is left then is for the next start. */
	close(): void;
}

/** One turn or command that is open on disk and runs no more. */
interface Left {
	readonly conversationId: ConversationId;
	readonly end: End;
	show(open: LeftOpen): void;
	hide(open: LeftOpen): void;
}

export function createRecovery(deps: RecoveryDeps): Recovery {
	const { store, active, logger } = deps;
	/** Until the disk takes them, in this order. */
	const owed = new Set<Left>();
	let cancelRetry: Cancel = () => undefined;
	let isClosed = false;

	function start(): void {
		const found = [
			...store.turns.open().map((turn) => () => leftTurn(deps, turn)),
			...store.commands.running().map((row) => () => leftCommand(deps, row)),
		];
		for (const find of found) guarded(() => settleOrOwe(find()));
		if (found.length > 0) logger.warn({ count: found.length }, "The server had stopped in mid-work; what was shown is kept");
		if (owed.size === 0) return;
		logger.error({ count: owed.size }, "What a crash left behind cannot be stored yet; it is when the storage can be written");
		cancelRetry = deps.clock.after(RETRY_MS, () => void keepAll());
	}

	/** A disk that has refused one is not asked for the others: it may take seconds to say so. */
	function settleOrOwe(left: Left): void {
		try {
			if (owed.size === 0) {
				left.end.whole();
				return;
			}
		} catch (error) {
			if (!isStorageRefusal(error)) throw error;
		}
		left.show(openOf(left));
		owed.add(left);
	}

	/** One conversation that cannot be put right must not keep the server from starting, nor the others from being put right. */
	function guarded(work: () => void): void {
		try {
			work();
		} catch (error) {
			logger.error({ err: error }, "What a crash left behind in a conversation could not be put right");
		}
	}

	async function keepAll(): Promise<void> {
		for (const left of owed) {
			if (isClosed) return;
			const { what, whole, least, tell } = left.end;
			await keepEnd(deps, { what, whole: once(left, whole), least: once(left, least), tell: once(left, tell) });
			if (!isClosed) settled(left);
		}
	}
	/** Somebody may have settled it meanwhile, and the server may have been closed. */
	const once = (left: Left, store: () => void) => () => {
		if (isClosed || !owed.has(left)) return;
		store();
		settled(left);
	};

	/** In the moment in which its end is in the log readers must not be shown it as open any more. */
	function settled(left: Left): void {
		if (!owed.delete(left)) return;
		const { conversationId: id } = left;
		left.hide(openOf(left));
		if (![...owed].some((other) => other.conversationId === id)) active.get(id).left = undefined;
		active.release(id);
		guarded(() => deps.changes.updated(id));
	}
	function openOf({ conversationId }: Left): LeftOpen {
		const conversation = active.get(conversationId);
		conversation.left ??= { commands: new Map() };
		return conversation.left;
	}

	return {
		start,
		settle(id) {
			for (const left of owed) {
				if (left.conversationId !== id) continue;
				try {
					left.end.whole();
				} catch (error) {
					if (isStorageRefusal(error)) throw error;
					// Tried again, with less and less of it, until it is over.
					logger.error({ err: error, conversationId: id }, "What a crash left behind in a conversation could not be put right yet");
					continue;
				}
				settled(left);
			}
		},
		close() {
			isClosed = true;
			cancelRetry();
		},
	};
}

function leftTurn(deps: RecoveryDeps, turn: OpenTurn): Left {
	const { conversationId, messageId } = turn;
	const { events, turns } = deps.store;
	// A conversation that is deleted takes its turn with it.
	const ifOpen = (work: () => void) => () => {
		if (turns.open().some((open) => open.messageId === messageId)) work();
	};
	return {
		conversationId,
		end: {
			what: { conversationId, messageId },
			whole: ifOpen(() => recoverTurn(deps, turn)),
			least: ifOpen(() => recoverTurn(deps, turn, onlyText)),
			tell: () => tellTurnEnd(deps.log, conversationId, messageId),
		},
		show(open) {
			open.turn = { messageId, shown: () => shownOf(events, turn) };
		},
		hide(open) {
			open.turn = undefined;
		},
	};
}

function leftCommand(deps: RecoveryDeps, row: CommandRow): Left {
	const { execId, conversationId, command, cwd, startedAt } = row;
	let output = "";
	for (const event of loggedEvents(deps.store.events, conversationId, row.firstSeq)) {
		if (event.type === "bash:output" && event.data.execId === execId) output += event.data.output;
	}
	const note = "[lost: the server stopped while this command was running]";
	const shown = cutTextTail(output, SNAPSHOT_OUTPUT_CHARS);
	return {
		conversationId,
		end: commandEndOf(deps, row, {
			exitCode: null,
			output: output === "" ? note : `${output.replace(/\n$/, "")}\n${note}`,
			truncated: false,
			cwd,
			durationMs: Math.max(0, deps.clock.now() - startedAt),
		}),
		show(open) {
			open.commands.set(execId, { execId, command, cwd, startedAt: isoTime(startedAt), output: shown, ...sentAs(row) });
		},
		hide(open) {
			open.commands.delete(execId);
		},
	};
}
