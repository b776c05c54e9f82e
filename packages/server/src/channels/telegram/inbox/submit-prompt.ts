import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from "@rightseat/protocol/limits";
import { parseInput } from "@rightseat/protocol/parse-input";
import { isStorageRefusal } from "../../../core/active/storage-retry.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { MAX_VOICE_BYTES, transcribe } from "../api/transcriber.ts";
import type { BotContext } from "../bot-context.ts";
import type { ChatBinding } from "../chats/chat-bindings.ts";
import { joinTexts, styled } from "../format/formatted-text.ts";
import type { Messages } from "../messages/messages.ts";
import { errorText, SpokenError } from "../messages/spoken-error.ts";
import { oneLine } from "../render/status-text.ts";
import { type Incoming, type IncomingFile, whoIs } from "./incoming.ts";
import { bodyText, isComposed, type Piece, pieceOf, promptText } from "./prompt-text.ts";

/** Messages that belong together become one answer, one prompt or one command. Throws with a sentence for the person. */
export async function submitPrompt(context: BotContext, messages: Incoming[]): Promise<void> {
	const [first] = messages;
	if (first === undefined) return;
	const parsed = messages.length === 1 && first.isTyped ? parseInput(first.text) : undefined;
	// A lone `!` is a command that was not written: nothing to run, and nothing for the model.
	if (parsed?.kind === "empty" && first.text.trim() !== "") return;
	if (parsed?.kind === "shell") return runShell(context, first, parsed.command);

	const pieces = await readPieces(context, messages);
	const files = messages.flatMap((message) => message.files);
	const isUnheard = pieces.length < messages.length;
	if (bodyText(pieces.map(({ piece }) => piece)).trim() === "" && files.length === 0) {
		if (!isUnheard)
			context.say(first.thread, context.words(first.thread).unreadable, {
				replyTo: first.messageId,
			});
		return;
	}
	const binding = await context.bindings.ensure(first.thread);
	const saved = await saveFiles(context, context.words(first.thread), files);
	// They may have been removed while the files came.
	if (!context.mayAct(first.user.id)) return;
	if (binding.view.awaitsAnswer(first.repliedTo?.messageId) && answer(context, binding, first, { pieces, saved })) return;
	send(context, binding, messages, { pieces, saved });
}

interface Read {
	pieces: { messageId: number; piece: Piece }[];
	saved: { id: string; name: string }[];
}

/** The next message is the answer, whatever it is; false when it came too late to be one. */
function answer(context: BotContext, binding: ChatBinding, first: Incoming, { pieces, saved }: Read): boolean {
	const { conversationId } = binding.entry;
	const files = saved.map(({ id, name }) => `[Attached by the person: ${name}, ${context.attachments.keep(id, conversationId).path}]`);
	const text = [bodyText(pieces.map(({ piece }) => piece)), ...files].filter((part) => part !== "").join("\n\n");
	const result = binding.view.answerTyped(text, first.repliedTo?.messageId, { choicesOnly: false, from: whoIs(first.user) });
	if (result === "needs-button") tellButton(context, first);
	return result !== "none";
}

export function tellButton(context: BotContext, message: Incoming): void {
	context.say(message.thread, context.words(message.thread).needsButton, { replyTo: message.messageId });
}

async function runShell(context: BotContext, message: Incoming, command: string): Promise<void> {
	const { entry, view } = await context.bindings.ensure(message.thread);
	const clientMessageId = clientIdOf(message);
	view.from([message.messageId], () =>
		context.conversations.exec({
			conversationId: entry.conversationId,
			command,
			clientMessageId,
			origin: "telegram",
			from: whoIs(message.user),
		}),
	);
	if (view.awaitsAnswer(undefined))
		context.say(message.thread, context.words(message.thread).shellIsNoAnswer, {
			replyTo: message.messageId,
			silent: true,
		});
}

/** What each message says; of a voice message what was heard. One that could not be heard is told and left out. */
async function readPieces(context: BotContext, messages: Incoming[]): Promise<Read["pieces"]> {
	const pieces: Read["pieces"] = [];
	for (const message of messages) {
		const { messageId, voice } = message;
		if (voice === undefined) {
			pieces.push({ messageId, piece: pieceOf(message, undefined) });
			continue;
		}
		try {
			pieces.push({ messageId, piece: pieceOf(message, await hear(context, message, voice)) });
		} catch (error) {
			if (!(error instanceof AppError) || isStorageRefusal(error)) throw error;
			context.say(message.thread, `⚠️ ${errorText(context.words(message.thread), error)}`, { replyTo: messageId });
		}
	}
	return pieces;
}

/** A transcript is shown before it is used, and it is never a command: machines mishear. */
async function hear(context: BotContext, message: Incoming, voice: IncomingFile): Promise<string> {
	const words = context.words(message.thread);
	if (context.transcription === undefined) throw new SpokenError("bad-request", words.cannotHear);
	const bytes = await download(context, words, voice, MAX_VOICE_BYTES);
	const transcript = await transcribe(context.transcription, words, { bytes, name: voice.name, mimeType: voice.mimeType });
	context.say(message.thread, joinTexts(["🎙 ", styled(oneLine(transcript, 3_000), { type: "blockquote" })]), {
		replyTo: message.messageId,
		silent: true,
	});
	return transcript;
}

function send(context: BotContext, binding: ChatBinding, messages: Incoming[], { pieces, saved }: Read): void {
	const [first] = messages;
	if (first === undefined) return;
	const ids = messages.map((message) => message.messageId);
	const { conversationId } = binding.entry;
	const parts = pieces.map(({ piece }) => piece);
	const text = promptText(parts);
	try {
		const receipt = binding.view.from(ids, () =>
			context.conversations.prompt({
				conversationId,
				prompt: text.trim() === "" ? "See the attached files." : text,
				clientMessageId: clientIdOf(first),
				origin: "telegram",
				...(saved.length > 0 && { attachments: saved.map(({ id }) => id) }),
			}),
		);
		binding.view.sent(ids, receipt.messageId);
		const isQueued = context.conversations.queue(conversationId).some((item) => item.messageId === receipt.messageId);
		if (isQueued && isComposed(parts)) context.prompts.keepPieces(first.thread.chatId, pieces);
	} catch (error) {
		// The same message again, after a crash: its files were stored once more, so that it looks like another one.
		if (error instanceof AppError && error.code === "id-reused") return;
		throw error;
	}
}

const clientIdOf = (message: Incoming) => `tg:${message.thread.chatId}:${message.messageId}`;

async function saveFiles(context: BotContext, words: Messages, files: IncomingFile[]): Promise<Read["saved"]> {
	if (files.length > MAX_ATTACHMENTS) throw new SpokenError("bad-request", words.tooManyFiles(MAX_ATTACHMENTS));
	const saved: Read["saved"] = [];
	for (const file of files) {
		const bytes = await download(context, words, file, MAX_ATTACHMENT_BYTES);
		const { id } = await context.attachments.save({ name: file.name, mimeType: file.mimeType, bytes });
		saved.push({ id, name: file.name });
	}
	return saved;
}

async function download(context: BotContext, words: Messages, file: IncomingFile, maxBytes: number): Promise<Uint8Array> {
	const tooLarge = new SpokenError("attachment-too-large", words.fileTooLarge(file.name, Math.floor(maxBytes / 1_048_576)));
	if (file.size !== undefined && file.size > maxBytes) throw tooLarge;
	const result = await context.client.download(file.fileId, maxBytes);
	if (result.kind === "ok") return result.result;
	if (result.kind === "refused" && /too big/i.test(result.description)) throw tooLarge;
	const why = result.kind === "refused" ? result.description : result.message;
	throw new SpokenError("internal", words.fileNotFetched(file.name, why));
}
