import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import { type ConversationFile, writeConversationFile } from "./conversation-file.ts";

/**
 * Writes what the server keeps about shells. Never throws: the end of a command or a job is told to whoever waits for it also
 * when the disk refuses it; what was refused is written later, in its newest form.
 */
export interface ConversationWriter {
	/** Writes now, or as soon as the disk takes it. Keeps the object, so later changes to it are written too. */
	save(conversation: ConversationId, file: ConversationFile): void;
	/** Memory is ahead of the disk. */
	waits(conversation: ConversationId): boolean;
	forget(conversation: ConversationId): void;
	/** One last try for what waits; nothing is written after it. */
	freeze(): void;
}

export interface ConversationWriterDeps {
	home: string;
	clock: Clock;
	logger: Logger;
}

export const WRITE_AGAIN_MS = 5_000;
/** A file is a few kilobytes, so this is a few megabytes at most. Beyond it the one that has waited longest is given up. */
export const MAX_UNWRITTEN = 500;

export function createConversationWriter({ home, clock, logger }: ConversationWriterDeps): ConversationWriter {
	const unwritten = new Map<ConversationId, ConversationFile>();
	let cancelRetry: Cancel | undefined;
	let frozen = false;

	function tryWrite(conversation: ConversationId, file: ConversationFile): boolean {
		try {
			writeConversationFile(home, conversation, file);
			unwritten.delete(conversation);
			return true;
		} catch (error) {
			if (!unwritten.has(conversation)) logger.warn({ err: error, conversationId: conversation }, "The shell's notes could not be written");
			unwritten.set(conversation, file);
			return false;
		}
	}

	function dropBeyondBound(): void {
		for (const conversation of unwritten.keys()) {
			if (unwritten.size <= MAX_UNWRITTEN) return;
			unwritten.delete(conversation);
			logger.error({ conversationId: conversation }, "The shell's notes of a conversation are given up: too many wait for the disk");
		}
	}

	/** The first refusal ends the round: a full disk refuses the others too, and each try costs the thread that serves sockets. */
	function writeAll(): void {
		cancelRetry = undefined;
		for (const [conversation, file] of [...unwritten]) if (!tryWrite(conversation, file)) break;
		retryLater();
	}

	function retryLater(): void {
		if (unwritten.size > 0 && !frozen) cancelRetry ??= clock.after(WRITE_AGAIN_MS, writeAll);
	}

	return {
		save(conversation, file) {
			if (frozen || tryWrite(conversation, file)) return;
			dropBeyondBound();
			retryLater();
		},
		waits: (conversation) => unwritten.has(conversation),
		forget: (conversation) => void unwritten.delete(conversation),
		freeze() {
			if (frozen) return;
			frozen = true;
			cancelRetry?.();
			writeAll();
		},
	};
}
