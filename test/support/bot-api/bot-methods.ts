import type { Clock } from "../../../packages/server/src/core/kernel/clock.ts";
import { type CheckedText, checkKeyboard, checkText } from "./message-rules.ts";
import { flagOf, isRecord, listOf, numberOf, type Params, recordOf, textOf, type UploadedFile } from "./params.ts";
import { badRequest } from "./refusal.ts";
import type { Chat, Message, World } from "./world.ts";

export interface BotIdentity {
	id: number;
	username: string;
	hasTopics: boolean;
}
export interface MethodCall {
	params: Params;
	files: UploadedFile[];
}
export type Method = (call: MethodCall) => unknown;

const MAX_DOWNLOAD = 20 * 1024 * 1024;
const MAX_UPLOAD = 50 * 1024 * 1024;
const MAX_PHOTO = 10 * 1024 * 1024;
const MAX_COMMANDS_BYTES = 4096;
const CALLBACK_AGE_MS = 15_000;
const REACTIONS = new Set(["👍", "👎", "❤", "🔥", "👀", "🎉", "🤔", "🙏", "👌", "💯", "🤝", "✍", "🫡", "👨‍💻"]);
const ACTIONS = new Set(["typing", "upload_photo", "upload_document", "record_voice", "upload_voice"]);

/** Callback queries wait here for their one answer. */
export interface OpenCallback {
	at: number;
	answer?: { text: string | undefined; alert: boolean };
}

/** Every method the emulator knows, each with Telegram's refusals. */
export function createBotMethods(deps: {
	world: World;
	clock: Clock;
	bot: BotIdentity;
	callbacks: Map<string, OpenCallback>;
}): Map<string, Method> {
	const { world, clock, bot, callbacks } = deps;
	const commands = new Map<string, unknown[]>();

	const wire = (message: Message, chat: Chat) => ({
		message_id: message.messageId,
		date: Math.floor(message.at / 1000),
		chat: { id: chat.id, type: chat.type, ...(chat.title !== undefined && { title: chat.title }) },
		from: { id: bot.id, is_bot: true, first_name: "Bot", username: bot.username },
		...(message.threadId !== undefined && { message_thread_id: message.threadId, is_topic_message: true }),
		...(message.media === undefined ? { text: message.text } : { caption: message.text }),
		...(message.buttons.length > 0 && {
			reply_markup: { inline_keyboard: message.buttons.map((row) => row.map((b) => ({ text: b.text, callback_data: b.callbackData }))) },
		}),
	});

	const post = (params: Params, content: CheckedText, media?: Message["media"]) => {
		const chat = world.chat(numberOf(params, "chat_id"));
		const threadId = world.thread(chat, numberOf(params, "message_thread_id"));
		const reply = recordOf(params, "reply_parameters");
		const replyTo = reply === undefined ? undefined : numberOf(reply, "message_id");
		const found = replyTo === undefined ? undefined : world.find(chat.id, replyTo);
		if (replyTo !== undefined && found === undefined && reply?.allow_sending_without_reply !== true)
			throw badRequest("message to be replied not found");
		const message = world.addMessage({
			chatId: chat.id,
			threadId,
			from: "bot",
			...content,
			buttons: checkKeyboard(params),
			silent: flagOf(params, "disable_notification"),
			replyTo: found === undefined ? undefined : replyTo,
			...(media !== undefined && { media }),
		});
		message.wire = wire(message, chat);
		return message.wire;
	};

	const mine = (params: Params, what: string): { message: Message; chat: Chat } => {
		const chat = world.chat(numberOf(params, "chat_id"));
		const message = world.find(chat.id, numberOf(params, "message_id"));
		if (message === undefined) throw badRequest(`message to ${what} not found`);
		if (message.from !== "bot" && what === "edit") throw badRequest("message can't be edited");
		return { message, chat };
	};

	const upload = (call: MethodCall, field: string, most: number): NonNullable<Message["media"]> => {
		const reference = textOf(call.params, field) ?? "";
		const file = call.files.find((each) => `attach://${each.field}` === reference);
		if (file === undefined) throw badRequest(`there is no ${field} in the request`);
		if (file.bytes.length === 0) throw badRequest("file must be non-empty");
		if (file.bytes.length > most) throw badRequest("file is too big");
		return { kind: field, filename: file.filename, bytes: file.bytes };
	};

	const methods: Record<string, Method> = {
		getMe: () => ({
			id: bot.id,
			is_bot: true,
			first_name: "Bot",
			username: bot.username,
			can_join_groups: true,
			can_read_all_group_messages: false,
			supports_inline_queries: false,
			has_topics_enabled: bot.hasTopics,
		}),
		getWebhookInfo: () => ({ url: "", has_custom_certificate: false, pending_update_count: 0 }),
		deleteWebhook: () => true,
		sendMessage: ({ params }) => post(params, checkText(params, "text")),
		sendDocument: (call) => post(call.params, checkText(call.params, "caption"), upload(call, "document", MAX_UPLOAD)),
		sendVoice: (call) => post(call.params, checkText(call.params, "caption"), upload(call, "voice", MAX_UPLOAD)),
		sendPhoto: (call) => {
			const media = upload(call, "photo", MAX_PHOTO);
			if (!isPicture(media.bytes)) throw badRequest("IMAGE_PROCESS_FAILED");
			return post(call.params, checkText(call.params, "caption"), media);
		},
		sendMediaGroup: (call) => {
			const items = listOf(call.params, "media") ?? [];
			if (items.length < 2 || items.length > 10) throw badRequest("there must be from 2 to 10 media in an album");
			return items.map((item) => {
				const params = { ...call.params, ...(isRecord(item) ? item : {}) };
				return post(params, checkText(params, "caption"), {
					...upload({ ...call, params }, "media", MAX_UPLOAD),
					kind: textOf(params, "type") ?? "document",
				});
			});
		},
		sendChatAction: ({ params }) => {
			world.chat(numberOf(params, "chat_id"));
			if (!ACTIONS.has(textOf(params, "action") ?? "")) throw badRequest("wrong parameter action in request");
			return true;
		},
		editMessageText: ({ params }) => {
			const content = checkText(params, "text");
			const buttons = checkKeyboard(params);
			const { message, chat } = mine(params, "edit");
			if (message.media !== undefined) throw badRequest("there is no text in the message to edit");
			const same =
				message.text === content.text &&
				JSON.stringify([message.entities, message.buttons]) === JSON.stringify([content.entities, buttons]);
			if (same) throw notModified();
			message.text = content.text;
			message.entities = content.entities;
			message.buttons = buttons;
			message.edits.push({ at: clock.now(), text: content.text });
			message.wire = wire(message, chat);
			return message.wire;
		},
		editMessageReplyMarkup: ({ params }) => {
			const buttons = checkKeyboard(params);
			const { message, chat } = mine(params, "edit");
			if (JSON.stringify(buttons) === JSON.stringify(message.buttons)) throw notModified();
			message.buttons = buttons;
			return wire(message, chat);
		},
		deleteMessage: ({ params }) => {
			mine(params, "delete").message.deletedAt = clock.now();
			return true;
		},
		pinChatMessage: ({ params }) => mine(params, "pin").message !== undefined,
		setMessageReaction: ({ params }) => {
			mine(params, "react");
			for (const reaction of listOf(params, "reaction") ?? []) {
				if (!isRecord(reaction) || !REACTIONS.has(String(reaction.emoji))) throw badRequest("REACTION_INVALID");
			}
			return true;
		},
		answerCallbackQuery: ({ params }) => {
			const open = callbacks.get(textOf(params, "callback_query_id") ?? "");
			if (open === undefined || open.answer !== undefined || clock.now() - open.at > CALLBACK_AGE_MS) {
				throw badRequest("query is too old and response timeout expired or query ID is invalid");
			}
			const text = textOf(params, "text");
			if (text !== undefined && text.length > 200) throw badRequest("MESSAGE_TOO_LONG");
			open.answer = { text, alert: flagOf(params, "show_alert") };
			return true;
		},
		setMyCommands: ({ params }) => {
			const list = listOf(params, "commands") ?? [];
			if (list.length > 100 || Buffer.byteLength(JSON.stringify(list)) > MAX_COMMANDS_BYTES) throw badRequest("BOT_COMMANDS_TOO_MUCH");
			for (const command of list) {
				if (!isRecord(command) || !/^[a-z0-9_]{1,32}$/.test(String(command.command))) throw badRequest("BOT_COMMAND_INVALID");
			}
			commands.set(scopeOf(params), list);
			return true;
		},
		getMyCommands: ({ params }) => commands.get(scopeOf(params)) ?? [],
		deleteMyCommands: ({ params }) => {
			commands.delete(scopeOf(params));
			return true;
		},
		getFile: ({ params }) => {
			const fileId = textOf(params, "file_id") ?? "";
			const file = world.files.get(fileId);
			if (file === undefined) throw badRequest("wrong file_id or the file is temporarily unavailable");
			if (file.size > MAX_DOWNLOAD) throw badRequest("file is too big");
			return { file_id: fileId, file_unique_id: fileId, file_size: file.size, file_path: file.path };
		},
		getChat: ({ params }) => {
			const chat = world.chat(numberOf(params, "chat_id"));
			return { id: chat.id, type: chat.type, title: chat.title, is_forum: chat.isForum };
		},
		getChatMember: ({ params }) => ({ status: "member", user: { id: numberOf(params, "user_id"), is_bot: false, first_name: "Person" } }),
		createForumTopic: ({ params }) => {
			const chat = forum(world.chat(numberOf(params, "chat_id")));
			const id = world.newMessageId();
			chat.topics.add(id);
			return { message_thread_id: id, name: textOf(params, "name") ?? "", icon_color: 0 };
		},
		editForumTopic: ({ params }) => topic(params),
		closeForumTopic: ({ params }) => topic(params),
		deleteForumTopic: ({ params }) => {
			topic(params);
			return world.chat(numberOf(params, "chat_id")).topics.delete(numberOf(params, "message_thread_id") ?? 0);
		},
	};

	const forum = (chat: Chat): Chat => {
		if (!chat.isForum) throw badRequest("the chat is not a forum");
		return chat;
	};
	const topic = (params: Params): boolean => {
		const chat = forum(world.chat(numberOf(params, "chat_id")));
		if (!chat.topics.has(numberOf(params, "message_thread_id") ?? 0)) throw badRequest("TOPIC_ID_INVALID");
		return true;
	};
	return new Map(Object.entries(methods));
}

const notModified = () =>
	badRequest(
		"message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
	);
const scopeOf = (params: Params) => JSON.stringify(recordOf(params, "scope") ?? { type: "default" });
const isPicture = (bytes: Uint8Array) => [0x89, 0xff, 0x47, 0x52].includes(bytes[0] ?? 0);
