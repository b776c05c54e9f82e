import type { Job } from "@rightseat/protocol/model/job";
import { type Clock, isoTime } from "../../core/kernel/clock.ts";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import { type ConversationFile, newConversationFile, readConversationFile } from "../service/conversation-file.ts";
import { createConversationWriter } from "../service/conversation-writer.ts";
import type { JobEntry } from "./job-entry.ts";
import { addLost, addNote, short } from "./job-notes.ts";

/** What the server keeps of one conversation's shell. */
export interface ShellRecord {
	file: ConversationFile;
	jobs: Map<string, JobEntry>;
	/** The disk did not give its file: nothing is known, nothing is written over it, and it is read again the next time. */
	isUnread?: boolean;
}

/** The records of all conversations: read when first needed, written when changed. Never throws. */
export interface ShellRecords {
	get(conversation: ConversationId): ShellRecord;
	/** Undefined when it was not needed yet, or was forgotten. */
	findLoaded(conversation: ConversationId): ShellRecord | undefined;
	loaded(): ShellRecord[];
	/** Writes the record now, or when the disk takes it. */
	save(conversation: ConversationId): void;
	forget(conversation: ConversationId): void;
	/** Stops writing to disk. */
	freeze(): void;
}

export interface ShellRecordsDeps {
	home: string;
	clock: Clock;
	logger: Logger;
}

/** Records without jobs beyond this are read again from disk when needed. */
const MAX_LOADED = 500;

export function createShellRecords({ home, clock, logger }: ShellRecordsDeps): ShellRecords {
	const writer = createConversationWriter({ home, clock, logger });
	const loaded = new Map<ConversationId, ShellRecord>();

	function get(conversation: ConversationId): ShellRecord {
		const known = loaded.get(conversation);
		if (known !== undefined) return known;
		const fresh = read(conversation);
		if (fresh.isUnread === true) return fresh;
		loaded.set(conversation, fresh);
		if (fresh.file.running.length > 0) loseAll(conversation, fresh);
		dropBeyondBound(conversation);
		return fresh;
	}

	function read(conversation: ConversationId): ShellRecord {
		try {
			return { file: readConversationFile(home, conversation), jobs: new Map() };
		} catch (error) {
			logger.error({ err: error, conversationId: conversation }, "What is kept of a conversation's shell cannot be read");
			return { file: newConversationFile(), jobs: new Map(), isUnread: true };
		}
	}

	function dropBeyondBound(needed: ConversationId): void {
		for (const [id, { jobs }] of loaded) {
			if (loaded.size <= MAX_LOADED) return;
			if (jobs.size === 0 && id !== needed && !writer.waits(id)) loaded.delete(id);
		}
	}

	/** They ran when the last server ended, so they are gone. */
	function loseAll(conversation: ConversationId, { file, jobs }: ShellRecord): void {
		for (const { bashId, command, startedAt } of file.running) {
			const job: Job = { bashId, conversationId: conversation, command, status: "lost", startedAt, endedAt: isoTime(clock.now()) };
			jobs.set(bashId, { key: "", conversation, job, endedAt: clock.elapsed() });
			addNote(file, bashId, `Background job ${bashId} (${short(command)}) was lost because the server was restarted.`);
			addLost(file, bashId);
		}
		file.running = [];
		save(conversation);
	}

	function save(conversation: ConversationId): void {
		const record = loaded.get(conversation);
		if (record !== undefined) writer.save(conversation, record.file);
	}

	return {
		get,
		findLoaded: (conversation) => loaded.get(conversation),
		loaded: () => [...loaded.values()],
		save,
		forget(conversation) {
			writer.forget(conversation);
			loaded.delete(conversation);
		},
		freeze: writer.freeze,
	};
}
