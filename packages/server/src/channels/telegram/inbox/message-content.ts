import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from "@rightseat/protocol/limits";
import { isStorageRefusal } from "../../../core/active/storage-retry.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import type { MemoryAccount } from "../../../core/kernel/memory-ledger.ts";
import type { BotClient } from "../api/bot-client.ts";
import { MAX_VOICE_BYTES, type TranscriptionConfig, transcribe } from "../api/transcriber.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import { joinTexts, styled } from "../format/formatted-text.ts";
import type { Messages } from "../messages/messages.ts";
import { SpokenError } from "../messages/spoken-error.ts";
import { oneLine } from "../render/status-text.ts";
import type { Incoming, IncomingFile } from "./incoming.ts";
import { type Piece, pieceOf } from "./prompt-text.ts";

/** Stores a received file so that a prompt can carry it. */
export interface AttachmentSaver {
	save(file: { name: string; mimeType: string; bytes: Uint8Array }): Promise<{ id: string }>;
	/** Keeps a file for as long as the conversation, although no prompt carries it; says where the agent finds it. */
	keep(id: string, conversationId: ConversationId): { path: string };
}

export interface SavedFile {
	id: string;
	name: string;
}

/** What messages contain beyond their text: fetched from Telegram, heard, stored. Rejects with a sentence for the person. */
export interface MessageContentReader {
	/** What each message says; of a voice message what was heard. One that could not be heard is told and left out. */
	pieces(messages: Incoming[]): Promise<{ messageId: number; piece: Piece }[]>;
	saveFiles(thread: ChatThread, files: IncomingFile[]): Promise<SavedFile[]>;
}

export function createMessageContentReader(deps: {
	client: Pick<BotClient, "download">;
	transcription: TranscriptionConfig | undefined;
	attachments: Pick<AttachmentSaver, "save">;
	speaker: Speaker;
	/** Counts files that are being fetched. */
	account: Pick<MemoryAccount, "add" | "reserve">;
}): MessageContentReader {
	const { client, speaker, account } = deps;

	/** A transcript is shown before it is used, and it is never a command: machines mishear. */
	async function hear({ thread, messageId }: Incoming, voice: IncomingFile): Promise<string> {
		const words = speaker.words(thread);
		const { transcription } = deps;
		if (transcription === undefined) throw new SpokenError("bad-request", words.cannotHear);
		const { name, mimeType } = voice;
		const transcript = await fetched(words, voice, MAX_VOICE_BYTES, (bytes) => transcribe(transcription, words, { bytes, name, mimeType }));
		const quoted = joinTexts(["🎙 ", styled(oneLine(transcript, 3_000), { type: "blockquote" })]);
		speaker.say(thread, quoted, { replyTo: messageId, silent: true });
		return transcript;
	}

	/** Its bytes are counted until `use` is done with them. */
	async function fetched<T>(words: Messages, file: IncomingFile, maxBytes: number, use: (bytes: Uint8Array) => Promise<T>): Promise<T> {
		const held = Math.min(file.size ?? maxBytes, maxBytes);
		if (!account.reserve(held))
			throw new AppError("rate-limited", "There is no memory for this file now. Try again in a moment.", { params: { reason: "memory" } });
		try {
			return await use(await download(words, file, maxBytes));
		} finally {
			account.add(-held);
		}
	}

	async function download(words: Messages, file: IncomingFile, maxBytes: number): Promise<Uint8Array> {
		const tooLarge = new SpokenError("attachment-too-large", words.fileTooLarge(file.name, Math.floor(maxBytes / 1_048_576)));
		if (file.size !== undefined && file.size > maxBytes) throw tooLarge;
		const result = await client.download(file.fileId, maxBytes);
		if (result.kind === "ok") return result.result;
		if (result.kind === "refused" && /too big/i.test(result.description)) throw tooLarge;
		const why = result.kind === "refused" ? result.description : result.message;
		throw new SpokenError("internal", words.fileNotFetched(file.name, why));
	}

	return {
		async pieces(messages) {
			const pieces: { messageId: number; piece: Piece }[] = [];
			for (const message of messages) {
				const { messageId, voice } = message;
				try {
					const transcript = voice === undefined ? undefined : await hear(message, voice);
					pieces.push({ messageId, piece: pieceOf(message, transcript) });
				} catch (error) {
					if (!(error instanceof AppError) || isStorageRefusal(error)) throw error;
					speaker.sayError(message.thread, error, { replyTo: messageId });
				}
			}
			return pieces;
		},
		async saveFiles(thread, files) {
			const words = speaker.words(thread);
			if (files.length > MAX_ATTACHMENTS) throw new SpokenError("bad-request", words.tooManyFiles(MAX_ATTACHMENTS));
			const saved: SavedFile[] = [];
			for (const file of files) {
				const { name, mimeType } = file;
				const { id } = await fetched(words, file, MAX_ATTACHMENT_BYTES, (bytes) => deps.attachments.save({ name, mimeType, bytes }));
				saved.push({ id, name });
			}
			return saved;
		},
	};
}
