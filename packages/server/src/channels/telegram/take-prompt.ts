import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from "@rightseat/protocol/limits";
import { parseInput } from "@rightseat/protocol/parse-input";
import { AppError } from "../../core/errors.ts";
import type { BotContext } from "./bot-context.ts";
import type { Desk } from "./chat-desk.ts";
import { joinTexts, styled } from "./format/formatted-text.ts";
import type { Incoming, IncomingFile } from "./incoming.ts";
import { promptText } from "./prompt-text.ts";
import { MAX_VOICE_BYTES, transcribe } from "./transcriber.ts";
import { oneLine } from "./view/status-text.ts";

/** Messages that belong together become one prompt or one command. Throws with a sentence for the person. */
export async function takePrompt(context: BotContext, messages: Incoming[]): Promise<void> {
	const [first] = messages;
	if (first === undefined) return;
	const parsed = messages.length === 1 && first.isTyped ? parseInput(first.text) : undefined;
	// A lone `!` is a command that was not written: nothing to run, and nothing for the model.
	if (parsed?.kind === "empty" && first.text.trim() === "!") return;
	if (parsed?.kind === "shell") return runShell(context, first, parsed.command);
	if (first.voice !== undefined) return takeVoice(context, first, first.voice);

	const files = messages.flatMap((message) => message.files);
	const text = promptText(messages);
	if (text.trim() === "" && files.length === 0) {
		context.say(first.place, "I understand text, photos, documents and voice messages. This one I cannot read.", {
			replyTo: first.messageId,
		});
		return;
	}
	const desk = await context.desks.ensure(first.place);
	const attachments = await saveFiles(context, files);
	send(context, desk, messages, { prompt: text.trim() === "" ? "See the attached files." : text, attachments });
}

async function runShell(context: BotContext, message: Incoming, command: string): Promise<void> {
	const { entry, view } = await context.desks.ensure(message.place);
	const clientMessageId = clientIdOf(message);
	view.from([message.messageId], () =>
		context.conversations.exec({ conversationId: entry.conversationId, command, clientMessageId, origin: "telegram" }),
	);
}

/** A transcript is shown before it is used, and it is never a command: machines mishear. */
async function takeVoice(context: BotContext, message: Incoming, voice: IncomingFile): Promise<void> {
	if (context.transcription === undefined) {
		context.say(
			message.place,
			"I cannot hear yet. Set RIGHTSEAT_TRANSCRIBE_URL to an OpenAI-compatible transcription service, then send it again.",
			{
				replyTo: message.messageId,
			},
		);
		return;
	}
	const bytes = await download(context, voice, MAX_VOICE_BYTES);
	const transcript = await transcribe(context.transcription, { bytes, name: voice.name, mimeType: voice.mimeType });
	context.say(message.place, joinTexts(["🎙 ", styled(oneLine(transcript, 3_000), { type: "blockquote" })]), {
		replyTo: message.messageId,
		silent: true,
	});
	const desk = await context.desks.ensure(message.place);
	if (desk.view.answerTyped(transcript, message.repliedTo?.messageId) === "answered") return;
	send(context, desk, [message], { prompt: `[Voice message, transcribed by a machine]\n${transcript}`, attachments: [] });
}

function send(context: BotContext, desk: Desk, messages: Incoming[], content: { prompt: string; attachments: string[] }): void {
	const [first] = messages;
	if (first === undefined) return;
	const ids = messages.map((message) => message.messageId);
	const { conversationId } = desk.entry;
	try {
		const receipt = desk.view.from(ids, () =>
			context.conversations.prompt({
				conversationId,
				prompt: content.prompt,
				clientMessageId: clientIdOf(first),
				origin: "telegram",
				...(content.attachments.length > 0 && { attachments: content.attachments }),
			}),
		);
		desk.view.sent(ids, receipt.messageId);
	} catch (error) {
		// The same message again, after a crash: its files were stored once more, so that it looks like another one.
		if (error instanceof AppError && error.code === "id-reused") return;
		throw error;
	}
}

const clientIdOf = (message: Incoming) => `tg:${message.place.chatId}:${message.messageId}`;

async function saveFiles(context: BotContext, files: IncomingFile[]): Promise<string[]> {
	if (files.length > MAX_ATTACHMENTS) throw new AppError("bad-request", `One message takes at most ${MAX_ATTACHMENTS} files.`);
	const ids: string[] = [];
	for (const file of files) {
		const bytes = await download(context, file, MAX_ATTACHMENT_BYTES);
		ids.push((await context.attachments.save({ name: file.name, mimeType: file.mimeType, bytes })).id);
	}
	return ids;
}

async function download(context: BotContext, file: IncomingFile, maxBytes: number): Promise<Uint8Array> {
	const tooLarge = new AppError("attachment-too-large", `${file.name} is too large: at most ${Math.floor(maxBytes / 1_048_576)} MB.`);
	if (file.size !== undefined && file.size > maxBytes) throw tooLarge;
	const result = await context.client.download(file.fileId, maxBytes);
	if (result.kind === "ok") return result.result;
	if (result.kind === "refused" && /too big/i.test(result.description)) throw tooLarge;
	const why = result.kind === "refused" ? result.description : result.message;
	throw new AppError("internal", `${file.name} could not be fetched from Telegram (${why}). Send it again.`);
}
