import type { ActiveConversations } from "../active/active-conversations.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { Clock } from "../kernel/clock.ts";
import type { ConversationId, IdSource } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { RedactingLog } from "../log/redacting-log.ts";
import type { AgentTool } from "../ports/agent-tool.ts";
import type { ChangeTracker } from "../ports/changes.ts";
import type { Shell } from "../ports/shell.ts";
import type { Store } from "../ports/store.ts";
import { createFileChanges, type FileChanges } from "./file-changes.ts";
import { createOwnChanges } from "./own-changes.ts";
import { createRecallChanges, type RecallChanges } from "./recall-changes.ts";
import { createToldChanges, type ToldChanges } from "./told-changes.ts";
import { createTurnChanges, type TurnChanges } from "./turn-changes.ts";
import { createUndoneNotes, type UndoneNotes } from "./undone-notes.ts";
import { createUntoldChanges } from "./untold-changes.ts";
import { createOpenWindows, type OpenWindows } from "./work-windows.ts";

/** The parts of this room, as the rooms above use them. */
export interface Changes {
	readonly told: ToldChanges;
	readonly undone: UndoneNotes;
	readonly open: OpenWindows;
	readonly turnChanges: TurnChanges;
	readonly fileChanges: FileChanges;
	readonly recall: RecallChanges;
	/** What core itself remembers of a conversation that is being deleted. */
	forget(id: ConversationId): void;
}

/** Wires the room: what is told, what runs, and what is asked for. */
export function createChanges(deps: {
	tracker: ChangeTracker;
	store: Pick<Store, "messages" | "settings" | "conversations" | "durable">;
	log: RedactingLog;
	shell: Pick<Shell, "cwd">;
	active: Pick<ActiveConversations, "find">;
	rows: ConversationRows;
	clock: Clock;
	ids: IdSource;
	logger: Logger;
	/** Tools of ours beside the shell's; they change nothing. */
	extraTools(id: ConversationId): AgentTool[];
}): Changes {
	const { store } = deps;
	const untold = createUntoldChanges(store.settings);
	const undone = createUndoneNotes(store.settings);
	const told = createToldChanges({ ...deps, untold, missed });
	const recall = createRecallChanges({ ...deps, conversations: store.conversations, untold, told });
	const open = createOpenWindows(deps);
	const own = createOwnChanges({ ...deps, told });
	const turnChanges = createTurnChanges({ ...deps, open, own });
	const fileChanges = createFileChanges({ ...deps, told, missed, notes: undone });

	function missed(changeId: string): void {
		untold.leave(changeId);
		recall.later();
	}

	return {
		...{ told, undone, open, turnChanges, fileChanges, recall },
		forget(id) {
			turnChanges.forget(id);
			untold.forget(id);
			undone.forget(id);
		},
	};
}
