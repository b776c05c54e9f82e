import type { Clock } from "../../../packages/server/src/core/kernel/clock.ts";
import type { OpenCallback } from "./bot-methods.ts";
import type { UpdateQueue } from "./update-queue.ts";
import type { Chat, Message, World } from "./world.ts";

export interface PersonIdentity {
	id: number;
	name: string;
	username?: string;
	/** Language of the person's Telegram. */
	language?: string;
}
interface Extra {
	caption?: string;
	mediaGroupId?: string;
	/** What Telegram says about the size; the bytes may be fewer. */
	size?: number;
	filename?: string;
	mimeType?: string;
}

/** One person in one chat (or topic): what they can do there. */
export function createPersonSide(deps: { world: World; updates: UpdateQueue; clock: Clock; callbacks: Map<string, OpenCallback> }) {
	const { world, updates, clock, callbacks } = deps;
	let nextCallback = 1;

	return (person: PersonIdentity, chat: Chat, threadId?: number, options: { anonymous?: boolean } = {}) => {
		const sender = () =>
			options.anonymous === true
				? {
						from: { id: 1087968824, is_bot: true, first_name: "Group" },
						sender_chat: { id: chat.id, type: chat.type, title: chat.title ?? "" },
					}
				: {
						from: {
							id: person.id,
							is_bot: false,
							first_name: person.name,
							...(person.username !== undefined && { username: person.username }),
							...(person.language !== undefined && { language_code: person.language }),
						},
					};
		const base = () => ({
			date: Math.floor(clock.now() / 1000),
			chat: {
				id: chat.id,
				type: chat.type,
				...(chat.type === "private" ? { first_name: person.name } : { title: chat.title }),
				...(chat.isForum && { is_forum: true }),
			},
			...sender(),
			...(threadId !== undefined && { message_thread_id: threadId, is_topic_message: true }),
		});
		const say = (content: { text?: string; caption?: string } & Record<string, unknown>): Message => {
			const text = content.text ?? content.caption ?? "";
			const message = world.addMessage({
				chatId: chat.id,
				threadId,
				from: "person",
				text,
				entities: [],
				buttons: [],
				silent: false,
				replyTo: undefined,
			});
			message.wire = { message_id: message.messageId, ...base(), ...content };
			updates.push("message", message.wire);
			return message;
		};
		const file = (bytes: Uint8Array, extra: Extra) => {
			const size = extra.size ?? bytes.length;
			const fileId = world.addFile(extra.filename ?? "file", bytes, size);
			return { file_id: fileId, file_unique_id: fileId, file_size: size };
		};
		const rest = (extra: Extra) => ({
			...(extra.caption !== undefined && { caption: extra.caption }),
			...(extra.mediaGroupId !== undefined && { media_group_id: extra.mediaGroupId }),
		});
		const photo = (bytes: Uint8Array, extra: Extra = {}) => {
			const big = file(bytes, extra);
			const small = { ...big, file_id: `${big.file_id}-small`, width: 90, height: 90 };
			return say({ photo: [small, { ...big, width: 1280, height: 960 }], ...rest(extra) });
		};

		return {
			chatId: chat.id,
			text: (text: string, extra: Record<string, unknown> = {}) => say({ text, ...commandEntities(text), ...extra }),
			/** A long paste as a client cuts it. */
			paste: (text: string, size = 4096) =>
				Array.from({ length: Math.ceil(text.length / size) }, (_, index) => say({ text: text.slice(index * size, (index + 1) * size) })),
			photo,
			album: (pictures: Uint8Array[], caption?: string) => {
				const mediaGroupId = `album${nextCallback++}`;
				return pictures.map((bytes, index) => photo(bytes, { mediaGroupId, ...(index === 0 && caption !== undefined && { caption }) }));
			},
			voice: (bytes: Uint8Array, extra: Record<string, unknown> = {}) =>
				say({ ...extra, voice: { ...file(bytes, { filename: "voice.oga" }), duration: 2, mime_type: "audio/ogg" } }),
			document: (bytes: Uint8Array, extra: Extra = {}) =>
				say({
					document: { ...file(bytes, extra), file_name: extra.filename ?? "file", mime_type: extra.mimeType ?? "application/octet-stream" },
					...rest(extra),
				}),
			edit: (message: Message, text: string) => {
				message.text = text;
				updates.push("edited_message", { ...message.wire, text, edit_date: Math.floor(clock.now() / 1000) });
			},
			forward: (text: string) =>
				say({ text, forward_origin: { type: "hidden_user", sender_user_name: "Somebody", date: Math.floor(clock.now() / 1000) } }),
			reply: (to: Message, text: string) => say({ text, reply_to_message: { ...to.wire, text: to.text } }),
			/** Taps the button with this label; a message that is gone or has no such button cannot be tapped. */
			tap: (message: Message, label: string): string => {
				const button = message.buttons.flat().find((each) => each.text.includes(label));
				if (button?.callbackData === undefined || message.deletedAt !== undefined) {
					throw new Error(`No button "${label}" on ${JSON.stringify(message.buttons)} of "${message.text}"`);
				}
				return press(message, button.callbackData);
			},
			/** A tap on a keyboard that the person's client still shows although it is gone. */
			press: (message: Message, data: string): string => press(message, data),
		};

		function press(message: Message, data: string): string {
			const id = `cb${nextCallback++}`;
			callbacks.set(id, { at: clock.now() });
			updates.push("callback_query", { id, ...sender(), message: message.wire, chat_instance: "1", data });
			return id;
		}
	};
}
export type PersonChat = ReturnType<ReturnType<typeof createPersonSide>>;

function commandEntities(text: string): object {
	const command = /^\/[a-z0-9_]+(@\w+)?/i.exec(text)?.[0];
	const mention = /@\w+/.exec(text);
	if (command !== undefined) return { entities: [{ type: "bot_command", offset: 0, length: command.length }] };
	return mention === null ? {} : { entities: [{ type: "mention", offset: mention.index, length: mention[0].length }] };
}
