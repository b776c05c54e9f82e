import type { ContextItem } from "@rightseat/protocol/model/command";
import { cutText } from "@rightseat/protocol/text";
import type { ActiveCommand, ActiveConversations } from "../active/active-conversations.ts";
import type { ConversationChanges } from "../active/conversation-changes.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { ToldChanges } from "../changes/told-changes.ts";
import { isoTime } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, type ExecId, type IdSource, type MessageId, execId as toExecId, seq as toSeq } from "../kernel/ids.ts";
import type { EventLog } from "../log/event-log.ts";
import type { Shell } from "../ports/shell.ts";
import type { CommandRow, ConversationRow, Store } from "../ports/store.ts";
import { toContextItem } from "./bash-context.ts";
import { checkCommand } from "./check-command.ts";
import type { ExecCommand, ExecReceipt } from "./exec-request.ts";
import { sentAs } from "./on-bash-complete.ts";
import type { PendingBashContext } from "./pending-bash-context.ts";
import { type RunCommandDeps, runCommand } from "./run-command.ts";
import { MAX_TITLE_CHARS } from "./title.ts";

/** Concurrent commands of people: in one conversation, and on this server. */
export const MAX_COMMANDS_PER_CONVERSATION = 8;
const MAX_COMMANDS = 32;

/** `!cmd`: runs at most once, is shown live, and its result waits for the next prompt. */
export interface Commands {
	/** Returns when committed; output and end come as events. */
	exec(request: ExecCommand): ExecReceipt;
	/** True if it was running. */
	killExec(id: ExecId): boolean;
	/** Results that the next prompt carries, oldest first. */
	pendingBashContext(id: ConversationId): ContextItem[];
	dropBashContext(id: ConversationId, message: MessageId): void;
	trimBashContext(id: ConversationId, message: MessageId, maxChars: number): void;
	/** Resolves when the ends of all of them are stored. */
	killAll(): Promise<void>;
}

/** Commands run in the shell behind its port; what is known of them here dies with the process and is recovered from the store. */
export function createCommands(
	deps: RunCommandDeps & {
		store: Pick<Store, "commands" | "conversations" | "afterCommit" | "durable">;
		log: Pick<EventLog, "append" | "commit">;
		shell: Pick<Shell, "exec" | "cwd">;
		ids: IdSource;
		active: ActiveConversations;
		rows: ConversationRows;
		changes: Pick<ConversationChanges, "updated">;
		bashContext: Pick<PendingBashContext, "list" | "change">;
		told: Pick<ToldChanges, "begin">;
		/** What a crash left open there is stored first. Throws while the disk refuses. */
		settleLeft(id: ConversationId): void;
	},
): Commands {
	const { store, log, active, rows } = deps;
	const running = new Map<ExecId, ActiveCommand>();

	function exec(request: ExecCommand): ExecReceipt {
		const { conversationId: id, command, clientMessageId } = request;
		rows.getOpen(id);
		const known = clientMessageId === undefined ? undefined : store.commands.findByClientId(id, clientMessageId);
		// Stored and shown redacted; only the shell gets it as it was typed.
		const readable = deps.redactor.text(command);
		if (known !== undefined) {
			if (known.command !== readable) throw new AppError("id-reused", "This clientMessageId was used for another command. Use a new one.");
			return { execId: known.execId, duplicate: true };
		}
		checkCommand(command);
		deps.settleLeft(id);
		if (active.get(id).commands.size >= MAX_COMMANDS_PER_CONVERSATION || running.size >= MAX_COMMANDS) throw tooMany();
		const conversation = rows.get(id);
		const row = insert(conversation, { ...request, command: readable });
		start(row, command, conversation.cwd);
		deps.changes.updated(id);
		return { execId: row.execId, duplicate: false };
	}

	/** Commits the command before anything runs: what is not known after a crash must not have begun. */
	function insert(conversation: ConversationRow, { conversationId, command, origin, clientMessageId }: ExecCommand): CommandRow {
		const row: CommandRow = {
			execId: toExecId(deps.ids.next()),
			conversationId,
			command,
			cwd: deps.shell.cwd(conversationId, conversation.cwd),
			origin,
			clientMessageId: clientMessageId ?? null,
			startedAt: deps.clock.now(),
			firstSeq: toSeq(conversation.headSeq + 1),
			endedAt: null,
			messageId: null,
		};
		const { execId, cwd, startedAt } = row;
		log.commit(() => {
			store.commands.insert(row);
			deps.told.begin({ conversationId, changeId: execId });
			store.conversations.update(conversationId, {
				updatedAt: startedAt,
				...(conversation.title === "" ? { title: cutText(`! ${command}`, MAX_TITLE_CHARS) } : {}),
			});
			const data = { execId, command, cwd, startedAt: isoTime(startedAt), origin, ...sentAs(row) };
			log.append(conversationId, { type: "bash:start", data });
		});
		return row;
	}

	function start(row: CommandRow, typed: string, defaultCwd: string): void {
		const { execId, conversationId } = row;
		const { commands } = active.get(conversationId);
		const command = runCommand(deps, { row, typed, defaultCwd }, () => {
			commands.delete(execId);
			running.delete(execId);
			active.release(conversationId);
			deps.changes.updated(conversationId);
		});
		commands.set(execId, command);
		running.set(execId, command);
	}

	return {
		exec,
		killExec(id) {
			const command = running.get(id);
			command?.kill();
			if (command !== undefined) return true;
			const of = store.commands.find(id)?.conversationId;
			if (of === undefined || active.find(of)?.left?.commands.has(id) !== true) return false;
			deps.settleLeft(of);
			return true;
		},
		pendingBashContext(id) {
			rows.get(id);
			return deps.bashContext.list(id).map(toContextItem);
		},
		dropBashContext(id, messageId) {
			rows.getOpen(id);
			deps.bashContext.change(id, messageId, { context: "dropped" });
		},
		trimBashContext(id, messageId, maxChars) {
			rows.getOpen(id);
			deps.bashContext.change(id, messageId, { contextMaxChars: maxChars });
		},
		async killAll() {
			const commands = [...running.values()];
			for (const command of commands) command.kill();
			await Promise.all(commands.map((command) => command.done));
		},
	};
}

const tooMany = () =>
	new AppError(
		"too-many-commands",
		`${MAX_COMMANDS_PER_CONVERSATION} commands run here already, or ${MAX_COMMANDS} on this server. Wait for one or stop one.`,
		{ retryable: true, params: { max: MAX_COMMANDS_PER_CONVERSATION, serverMax: MAX_COMMANDS } },
	);
