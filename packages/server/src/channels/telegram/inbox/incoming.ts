import type { Message, User } from "grammy/types";
import type { ChatThread } from "../chats/chat-thread.ts";

export interface IncomingFile {
	fileId: string;
	name: string;
	mimeType: string;
	size: number | undefined;
}

/** The bot itself, as Telegram knows it. */
export interface BotIdentity {
	id: number;
	username: string;
}

/** A person's message, as far as we care. */
export interface Incoming {
	updateId: number;
	thread: ChatThread;
	messageId: number;
	user: User;
	/** Milliseconds since 1970. */
	sentAt: number;
	/** Text or caption, without the mention of the bot. */
	text: string;
	/** Only typed text can be a command: not a caption, a forward, a transcript or what another bot wrote for the person. */
	isTyped: boolean;
	forwardedFrom: string | undefined;
	repliedTo: { messageId: number; text: string } | undefined;
	files: IncomingFile[];
	voice: IncomingFile | undefined;
	mediaGroupId: string | undefined;
}

/** Reads a message; undefined in a group when it is not meant for the bot. */
export function readMessage(message: Message, updateId: number, bot: BotIdentity): Incoming | undefined {
	const { from } = message;
	if (from === undefined) return undefined;
	const raw = message.text ?? message.caption ?? "";
	const repliedTo = replyOf(message);
	const isPrivate = message.chat.type === "private";
	const isReplyToUs = repliedTo !== undefined && message.reply_to_message?.from?.id === bot.id;
	if (!isPrivate && !isReplyToUs && !mentionOf(bot).test(raw)) return undefined;
	return {
		updateId,
		thread: threadOf(message),
		messageId: message.message_id,
		user: from,
		sentAt: message.date * 1000,
		text: readText(message, bot),
		isTyped: message.text !== undefined && message.forward_origin === undefined && message.via_bot === undefined,
		forwardedFrom: forwarderOf(message),
		repliedTo,
		files: filesOf(message),
		voice: voiceOf(message),
		mediaGroupId: message.media_group_id,
	};
}

/** Text or caption; in a group without the mention of the bot, which is no part of what is said. */
export function readText(message: Message, bot: Pick<BotIdentity, "username">): string {
	const text = message.text ?? message.caption ?? "";
	return message.chat.type === "private" || text.startsWith("/") ? text : text.replace(mentionOf(bot), "").trim();
}

const mentionOf = (bot: Pick<BotIdentity, "username">) => new RegExp(`@${bot.username}\\b`, "gi");

/** A person, as the audit log names them: names are free to choose, the number is not. */
export function auditName(user: Pick<User, "id" | "first_name">): string {
	return `${user.first_name} (${user.id})`;
}

/** General is topic 1 and is written to without its id; the thread of a mere reply chain is no topic. */
export function threadOf(message: Pick<Message, "chat" | "message_thread_id" | "is_topic_message">): ChatThread {
	const { message_thread_id: threadId } = message;
	const isTopic = message.is_topic_message === true && threadId !== undefined && threadId !== 1;
	return { chatId: message.chat.id, ...(isTopic ? { threadId } : {}) };
}

/** Every message in a topic seems to reply to the topic's first one; that is no reply of a person. */
function replyOf(message: Message): Incoming["repliedTo"] {
	const reply = message.reply_to_message;
	if (reply === undefined || reply.forum_topic_created !== undefined || reply.message_id === message.message_thread_id) return undefined;
	return { messageId: reply.message_id, text: message.quote?.text ?? reply.text ?? reply.caption ?? "" };
}

function forwarderOf({ forward_origin: origin }: Message): string | undefined {
	if (origin === undefined) return undefined;
	if (origin.type === "user") return origin.sender_user.first_name;
	if (origin.type === "hidden_user") return origin.sender_user_name;
	const chat = origin.type === "chat" ? origin.sender_chat : origin.chat;
	return "title" in chat && chat.title !== undefined ? chat.title : "a chat";
}

function voiceOf({ voice, video_note: note }: Message): IncomingFile | undefined {
	if (voice !== undefined)
		return { fileId: voice.file_id, name: "voice.oga", mimeType: voice.mime_type ?? "audio/ogg", size: voice.file_size };
	return note === undefined ? undefined : { fileId: note.file_id, name: "video-note.mp4", mimeType: "video/mp4", size: note.file_size };
}

function filesOf(message: Message): IncomingFile[] {
	const photo = message.photo?.at(-1);
	if (photo !== undefined)
		return [{ fileId: photo.file_id, name: `photo-${message.message_id}.jpg`, mimeType: "image/jpeg", size: photo.file_size }];
	const file = message.document ?? message.audio ?? message.video ?? message.animation;
	if (file === undefined) return [];
	const mimeType = file.mime_type ?? "application/octet-stream";
	return [{ fileId: file.file_id, name: safeName(file.file_name ?? `file-${message.message_id}`), mimeType, size: file.file_size }];
}

/** A file name from outside: the last part only, nothing that a path or a terminal would understand. */
export function safeName(name: string): string {
	const last = name.split(/[/\\]/).at(-1) ?? "";
	const clean = last
		.replace(/[\u0000-\u001f\u007f<>:"|?*]/g, "_")
		.replace(/^\.+/, "")
		.slice(-120)
		.trim();
	return clean === "" ? "file" : clean;
}
