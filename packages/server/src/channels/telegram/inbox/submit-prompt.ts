import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import { parseInput } from "@rightseat/protocol/parse-input";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { type Awaitable, after } from "../../../core/kernel/awaitable.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Access } from "../chats/access.ts";
import type { ChatBinding, ChatBindings } from "../chats/chat-bindings.ts";
import { clientIdOf } from "../chats/client-id.ts";
import type { SentPrompts } from "../chats/sent-prompts.ts";
import type { Speaker } from "../chats/speaker.ts";
import type { Handling } from "./chat-work.ts";
import { auditName, type Incoming } from "./incoming.ts";
import type { AttachmentSaver, MessageContentReader, SavedFile } from "./message-content.ts";
import { bodyText, isComposed, type Piece, promptText } from "./prompt-text.ts";

interface Content {
	pieces: { messageId: number; piece: Piece }[];
	saved: SavedFile[];
}

/** Messages that belong together become one answer, one prompt or one command. Rejects with a sentence for the person. */
export function createPromptSubmitter(deps: {
	bindings: Pick<ChatBindings, "ensure">;
	conversations: Pick<EveryConversations, "prompt" | "find" | "exec">;
	prompts: Pick<SentPrompts, "keepPieces">;
	attachments: Pick<AttachmentSaver, "keep">;
	content: MessageContentReader;
	access: Pick<Access, "mayAct">;
	speaker: Speaker;
}): (messages: Incoming[], handling: Pick<Handling, "together">) => Promise<void> {
	const { bindings, conversations, content, speaker } = deps;

	async function submit(messages: Incoming[], handling: Pick<Handling, "together">): Promise<void> {
		const [first] = messages;
		if (first === undefined) return;
		const parsed = messages.length === 1 && first.isTyped ? parseInput(first.text) : undefined;
		// A lone `!` is a command that was not written: nothing to run, and nothing for the model.
		if (parsed?.kind === "empty" && first.text.trim() !== "") return;
		if (parsed?.kind === "shell") return runShell(first, parsed.command, handling);

		const pieces = await content.pieces(messages);
		const files = messages.flatMap((message) => message.files);
		if (bodyText(pieces.map(({ piece }) => piece)).trim() === "" && files.length === 0) {
			// One that could not be heard was told so already.
			if (pieces.length === messages.length)
				speaker.say(first.thread, speaker.words(first.thread).unreadable, { replyTo: first.messageId });
			return;
		}
		const binding = await bindings.ensure(first.thread);
		const saved = await content.saveFiles(first.thread, files);
		// They may have been removed while the files came.
		if (!deps.access.mayAct(first.user.id)) return;
		const answer = () => handling.together(() => isAnswer(binding, first, { pieces, saved }));
		if (binding.view.awaitsAnswer(first.repliedTo?.messageId) && (await answer())) return;
		if (await isPrompt(binding, messages, { pieces, saved, handling })) return;
		// An earlier process knew less of what belongs together before it died. What it had sent is known by its first message; the rest goes on by itself.
		for (let count = messages.length - 1; count > 0 && saved.length === 0; count -= 1) {
			const known = messages.slice(0, count);
			const ids = new Set(known.map(({ messageId }) => messageId));
			const isKnown = await isPrompt(binding, known, { pieces: pieces.filter(({ messageId }) => ids.has(messageId)), saved, handling });
			if (isKnown) return submit(messages.slice(count), handling);
		}
	}

	async function runShell(message: Incoming, command: string, handling: Pick<Handling, "together">): Promise<void> {
		const { thread, messageId, user } = message;
		const { entry, view } = await bindings.ensure(thread);
		const { conversationId } = entry;
		const request = { conversationId, command, clientMessageId: clientIdOf(message), origin: "telegram", from: auditName(user) } as const;
		const receipt = view.from([messageId], () => handling.together(() => conversations.exec(request)));
		if (receipt instanceof Promise) await receipt;
		if (view.awaitsAnswer(undefined)) speaker.say(thread, speaker.words(thread).shellIsNoAnswer, { replyTo: messageId, silent: true });
	}

	/** The next message is the answer, whatever it is; false when it came too late to be one. */
	function isAnswer({ entry, view }: ChatBinding, first: Incoming, { pieces, saved }: Content): Awaitable<boolean> {
		// Where a file is on another host is known only after a prompt has carried it there.
		if (saved.length > 0 && splitRemoteId(entry.conversationId) !== undefined) return false;
		const files = saved.map(({ id, name }) => `[Attached by the person: ${name}, ${deps.attachments.keep(id, entry.conversationId).path}]`);
		const text = [bodyText(pieces.map(({ piece }) => piece)), ...files].filter((part) => part !== "").join("\n\n");
		const result = view.answerTyped({ text, repliedTo: first.repliedTo?.messageId, choicesOnly: false }, auditName(first.user));
		return after(result, (answer) => {
			if (answer === "needs-button") speaker.say(first.thread, speaker.words(first.thread).needsButton, { replyTo: first.messageId });
			return answer !== "none";
		});
	}

	/** False: another prompt has its id. */
	async function isPrompt(
		{ entry, view }: ChatBinding,
		messages: Incoming[],
		{ pieces, saved, handling }: Content & { handling: Pick<Handling, "together"> },
	): Promise<boolean> {
		const [first] = messages;
		if (first === undefined) return false;
		const ids = messages.map((message) => message.messageId);
		const parts = pieces.map(({ piece }) => piece);
		const text = promptText(parts);
		const { conversationId } = entry;
		try {
			const request = {
				conversationId,
				prompt: text.trim() === "" ? "See the attached files." : text,
				clientMessageId: clientIdOf(first),
				origin: "telegram",
				from: auditName(first.user),
				attachments: saved.length === 0 ? undefined : saved.map(({ id }) => id),
			} as const;
			const asked = view.from(ids, () => handling.together(() => conversations.prompt(request)));
			const receipt = asked instanceof Promise ? await asked : asked;
			if (receipt.delivery === "outbox") {
				const { waitsForHost } = speaker.words(first.thread);
				speaker.say(first.thread, waitsForHost(conversations.find(conversationId)?.host?.name ?? ""), { replyTo: first.messageId });
				return true;
			}
			view.sent(ids, receipt.messageId);
			if (receipt.delivery === "queued" && isComposed(parts)) deps.prompts.keepPieces(first.thread.chatId, pieces);
			return true;
		} catch (error) {
			// The same message again, after a crash: with files that were stored once more, or more behind it, it looks like another one.
			if (error instanceof AppError && error.code === "id-reused") return false;
			throw error;
		}
	}

	return submit;
}
