import { fieldOf } from "@rightseat/protocol/model/field";
import { GrammyError, HttpError, InputFile } from "grammy";
import type { BotCommand, InlineKeyboardButton, LanguageCode, Message, MessageEntity, Update, UserFromGetMe } from "grammy/types";
import { AppError } from "../../../core/kernel/errors.ts";
import { hideTokenShapes } from "../../../core/kernel/redact.ts";
import { REDACTED } from "../../../core/kernel/redact-stream.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import { type BotLine, type OpenLine, openHttpLine } from "./bot-line.ts";

/** How a call ended. Only `unreachable` proves that nothing was done; `unknown` may have been acted on. */
export type CallResult<T> =
	| { kind: "ok"; result: T }
	| { kind: "refused"; code: number; description: string; retryAfterMs?: number; migrateTo?: number }
	| { kind: "unreachable"; message: string }
	| { kind: "unknown"; message: string /** The connection ended before an answer came. */; cut?: true };

export interface MessageContent {
	text: string;
	entities: MessageEntity[];
	keyboard?: InlineKeyboardButton[][];
}
export interface SendOptions {
	replyTo?: number;
	silent?: boolean;
	/** Also to a chat that may not read. */
	toAnyone?: true;
}
export interface OutgoingFile {
	bytes: Uint8Array;
	filename: string;
	caption?: string;
}

/** The Bot API calls we make. They never throw; every text goes out with link previews off. */
export interface BotClient {
	getMe(): Promise<CallResult<UserFromGetMe>>;
	/** Long poll on a connection of its own; aborting the signal cuts it. */
	getUpdates(request: { offset: number; timeoutSeconds: number }, signal: AbortSignal): Promise<CallResult<Update[]>>;
	deleteWebhook(): Promise<CallResult<true>>;
	setCommands(commands: BotCommand[], languageCode?: LanguageCode): Promise<CallResult<true>>;
	sendText(thread: ChatThread, content: MessageContent, options: SendOptions): Promise<CallResult<Message>>;
	sendDocument(thread: ChatThread, file: OutgoingFile, options: SendOptions): Promise<CallResult<Message>>;
	sendPhoto(thread: ChatThread, file: OutgoingFile, options: SendOptions): Promise<CallResult<Message>>;
	editText(thread: ChatThread, messageId: number, content: MessageContent): Promise<CallResult<unknown>>;
	removeKeyboard(thread: ChatThread, messageId: number): Promise<CallResult<unknown>>;
	deleteMessage(thread: ChatThread, messageId: number): Promise<CallResult<true>>;
	typing(thread: ChatThread): Promise<CallResult<true>>;
	answerCallback(id: string, answer: { text?: string; alert?: boolean }): Promise<CallResult<true>>;
	/** Fetches a file that a person sent, at most `maxBytes`. */
	download(fileId: string, maxBytes: number): Promise<CallResult<Uint8Array>>;
	close(): void;
}

const ALLOWED_UPDATES = ["message", "edited_message", "callback_query"] as const;
const CALL_TIMEOUT_SECONDS = 60;
const POLL_TIMEOUT_SECONDS = 500;
// Without a connection there was no request, so that trying again cannot double anything.
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH"]);
const CUT = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

export function createBotClient(deps: {
	token: string;
	apiRoot?: string;
	onUnauthorized: () => void;
	/** Resolves when everything stored so far survives a power cut: Telegram must not hear of anything else, nor be asked twice. */
	durable: () => Promise<void>;
	/** In a fleet: whether the bot is this host's at this moment. Nothing is called while it is not. */
	mayCall?: (() => boolean) | undefined;
	/** Asked in the moment in which a text leaves: the disk may have taken its time, and the person may have been removed meanwhile. */
	mayRead?: (chatId: number) => boolean;
	/** How Telegram is reached; over HTTP unless told. */
	openLine?: OpenLine | undefined;
}): BotClient {
	const connect = deps.openLine ?? openHttpLine(deps);
	let refused = false;
	let closed = false;

	// A kept connection may be dead without a sign; a send that dies with it would be in doubt, so sends open their own.
	const sends = connect({ keepAlive: false, timeoutSeconds: CALL_TIMEOUT_SECONDS });
	const others = connect({ keepAlive: true, timeoutSeconds: CALL_TIMEOUT_SECONDS });
	const polls = new Set<BotLine>();

	async function attempt<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<CallResult<T>> {
		if (refused) return unauthorized();
		try {
			// A disk that does not answer must not hold who wants to stop.
			await (signal === undefined ? deps.durable() : Promise.race([deps.durable(), aborted(signal)]));
			if (signal?.aborted === true) return { kind: "unreachable", message: "stopped" };
		} catch (error) {
			return { kind: "unreachable", message: error instanceof Error ? error.message : "The storage failed." };
		}
		if (deps.mayCall?.() === false) return { kind: "unreachable", message: "another host has the bot" };
		try {
			return { kind: "ok", result: await call() };
		} catch (error) {
			if (error instanceof MayNotRead) return NOT_ALLOWED;
			const result = toResult(error, deps.token);
			if (result.kind === "refused" && result.code === 401 && !refused) {
				refused = true;
				deps.onUnauthorized();
			}
			return result;
		}
	}
	const attemptFor = <T>(chatId: number, { toAnyone }: Pick<SendOptions, "toAnyone">, call: () => Promise<T>) =>
		attempt(() => (toAnyone === true || deps.mayRead?.(chatId) !== false ? call() : Promise.reject(new MayNotRead())));
	/** For calls that change nothing when they are made twice, and that nobody else repeats: a kept connection shows that it is dead only when it is used. */
	async function attemptTwice<T>(call: () => Promise<T>): Promise<CallResult<T>> {
		const first = await attempt(call);
		return first.kind === "unknown" && first.cut === true && !closed ? attempt(call) : first;
	}

	return {
		getMe: () => attemptTwice(() => others.raw.getMe()),
		getUpdates: (request, signal) =>
			attempt(async () => {
				const line = connect({ keepAlive: false, timeoutSeconds: POLL_TIMEOUT_SECONDS });
				const cut = () => line.destroy();
				polls.add(line);
				signal.addEventListener("abort", cut);
				try {
					const { offset, timeoutSeconds } = request;
					return await line.raw.getUpdates({ offset, timeout: timeoutSeconds, limit: 100, allowed_updates: ALLOWED_UPDATES });
				} finally {
					signal.removeEventListener("abort", cut);
					polls.delete(line);
					line.destroy();
				}
			}, signal),
		deleteWebhook: () => attemptTwice(() => others.raw.deleteWebhook({ drop_pending_updates: false })),
		setCommands: (commands, languageCode) =>
			attemptTwice(() => others.raw.setMyCommands({ commands, ...(languageCode === undefined ? {} : { language_code: languageCode }) })),
		sendText: (thread, content, options) =>
			attemptFor(thread.chatId, options, () => sends.raw.sendMessage({ ...target(thread), ...body(content), ...extras(options) })),
		sendDocument: (thread, file, options) =>
			attemptFor(thread.chatId, options, () =>
				sends.raw.sendDocument({ ...target(thread), document: input(file), ...captioned(file), ...extras(options) }),
			),
		sendPhoto: (thread, file, options) =>
			attemptFor(thread.chatId, options, () =>
				sends.raw.sendPhoto({ ...target(thread), photo: input(file), ...captioned(file), ...extras(options) }),
			),
		editText: (thread, messageId, content) =>
			attemptFor(thread.chatId, {}, () => others.raw.editMessageText({ chat_id: thread.chatId, message_id: messageId, ...body(content) })),
		removeKeyboard: (thread, messageId) =>
			attempt(() => others.raw.editMessageReplyMarkup({ chat_id: thread.chatId, message_id: messageId })),
		deleteMessage: (thread, messageId) => attempt(() => others.raw.deleteMessage({ chat_id: thread.chatId, message_id: messageId })),
		typing: (thread) => attempt(() => others.raw.sendChatAction({ ...target(thread), action: "typing" })),
		answerCallback: (id, answer) =>
			attemptTwice(() =>
				others.raw.answerCallbackQuery({
					callback_query_id: id,
					...(answer.text === undefined ? {} : { text: answer.text.slice(0, 200) }),
					...(answer.alert === true ? { show_alert: true } : {}),
				}),
			),
		download: (fileId, maxBytes) =>
			attemptTwice(async () => {
				const { file_path: path } = await others.raw.getFile({ file_id: fileId });
				if (path === undefined) throw new AppError("attachment-not-found", "Telegram gave no path for this file.");
				return others.file(path, maxBytes);
			}),
		close() {
			closed = true;
			for (const line of [sends, others, ...polls]) line.destroy();
		},
	};
}

/** The chat may not read any more: nothing was sent. */
export const NOT_ALLOWED: CallResult<never> = { kind: "refused", code: 0, description: "this chat may not read" };
class MayNotRead extends Error {}

const aborted = (signal: AbortSignal) =>
	new Promise<void>((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", () => resolve(), { once: true });
	});

const unauthorized = (): CallResult<never> => ({ kind: "refused", code: 401, description: "Unauthorized" });

const target = (thread: ChatThread) => ({
	chat_id: thread.chatId,
	...(thread.threadId === undefined ? {} : { message_thread_id: thread.threadId }),
});

const body = (content: MessageContent) => ({
	text: content.text,
	link_preview_options: { is_disabled: true },
	...(content.entities.length > 0 ? { entities: content.entities } : {}),
	...(content.keyboard !== undefined && content.keyboard.length > 0 ? { reply_markup: { inline_keyboard: content.keyboard } } : {}),
});

const extras = (options: SendOptions) => ({
	...(options.silent === true ? { disable_notification: true } : {}),
	...(options.replyTo === undefined ? {} : { reply_parameters: { message_id: options.replyTo, allow_sending_without_reply: true } }),
});

const input = (file: OutgoingFile) => new InputFile(file.bytes, file.filename);
const captioned = (file: OutgoingFile) => (file.caption === undefined ? {} : { caption: file.caption.slice(0, 1024) });

function toResult(error: unknown, token: string): CallResult<never> {
	if (error instanceof GrammyError) {
		const { retry_after: retryAfter, migrate_to_chat_id: migrateTo } = error.parameters;
		return {
			kind: "refused",
			code: error.error_code,
			description: error.description,
			...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter * 1000 }),
			...(migrateTo === undefined ? {} : { migrateTo }),
		};
	}
	const cause = error instanceof HttpError ? error.error : error;
	const message = hideTokenShapes((cause instanceof Error ? cause.message : String(cause)).replaceAll(token, REDACTED));
	if (NEVER_SENT.has(codeOf(cause))) return { kind: "unreachable", message };
	return { kind: "unknown", message, ...(CUT.has(codeOf(cause)) ? { cut: true } : {}) };
}

function codeOf(error: unknown): string {
	const code = fieldOf(error, "code");
	if (typeof code === "string") return code;
	const cause = fieldOf(error, "cause");
	return cause === undefined ? "" : codeOf(cause);
}
