import type { InlineKeyboardButton } from "grammy/types";
import { type ConversationId, conversationId as toConversationId } from "../../../core/kernel/ids.ts";
import type { BotContext, SayOptions } from "../bot-context.ts";
import type { ChatBinding } from "../chats/chat-bindings.ts";
import { type ChatThread, isGroup } from "../chats/chat-thread.ts";
import { releaseAfterTurn } from "../chats/release-after-turn.ts";
import { joinTexts, styled } from "../format/formatted-text.ts";
import type { Incoming } from "../inbox/incoming.ts";
import { SpokenError } from "../messages/spoken-error.ts";
import { elapsed, oneLine } from "../render/status-text.ts";
import { stopAll } from "./stop.ts";

const MAX_BUTTON_ROWS = 12;
const MAX_MODEL_BUTTONS = 40;

export interface Command {
	name: string;
	argument: string;
}

/** A command at the start of typed text; `other` when it is meant for another bot. */
export function parseCommand(text: string, username: string): Command | "other" | undefined {
	const match = /^\/([a-z0-9_]+)(?:@(\w+))?(?:\s+([\s\S]*))?$/i.exec(text);
	if (match === null) return undefined;
	const [, name = "", addressee, argument = ""] = match;
	if (addressee !== undefined && addressee.toLowerCase() !== username.toLowerCase()) return "other";
	return { name: name.toLowerCase(), argument: argument.trim() };
}

/** The bot's own; everything else that begins with a slash may be a path. */
const COMMAND_NAMES: ReadonlySet<string> = new Set("start help stop cancel status ps new reset model cwd list link".split(" "));
export const isOwnCommand = (command: Command) => COMMAND_NAMES.has(command.name);

/** Commands that must never wait behind anything else of the chat. */
export const CONTROL_COMMANDS: ReadonlySet<string> = new Set(["stop", "cancel", "status", "help", "ps"]);

/** Runs one command. Errors go to the caller, who tells the person. */
export async function runCommand(context: BotContext, message: Incoming, command: Command): Promise<void> {
	const { thread } = message;
	const words = context.words(thread);
	const say = (text: string, options?: SayOptions) => context.say(thread, text, options);
	switch (command.name) {
		case "start":
			if (command.argument !== "") return link(context, thread, command.argument);
			return say(`${words.hello(oneLine(message.user.first_name, 40))}\n\n${words.help}`);
		case "help":
			return say(words.help);
		case "stop":
		case "cancel":
			return say(stopAll(context, thread), { replyTo: message.messageId });
		case "status":
			return say(statusOf(context, thread));
		case "ps":
			return listProcesses(context, thread);
		case "new":
			return startNew(context, thread);
		case "reset":
			return reset(context, thread);
		case "model":
			return model(context, thread, command.argument);
		case "cwd":
			return workingDirectory(context, thread, command.argument);
		case "list":
			return listConversations(context, thread);
		case "link":
			return command.argument === "" ? showLink(context, thread) : link(context, thread, command.argument);
		default:
			return say(words.unknownCommand(oneLine(command.name, 32)));
	}
}

async function startNew(context: BotContext, thread: ChatThread): Promise<void> {
	const before = context.bindings.find(thread)?.entry;
	const created = await context.conversations.create({});
	const binding = context.bindings.switchTo(thread, toConversationId(created.id));
	const words = context.words(thread);
	const started = words.started(binding.entry.model, binding.entry.workingDirectory);
	context.say(thread, before === undefined ? started : `${started} ${words.earlierStays}`);
}

async function reset(context: BotContext, thread: ChatThread): Promise<void> {
	const entry = context.bindings.find(thread)?.entry;
	if (entry === undefined) {
		context.say(thread, context.words(thread).nothingToReset);
		return;
	}
	stopAll(context, thread);
	context.bindings.leave(thread);
	await releaseAfterTurn(context.conversations, entry.conversationId);
	context.say(thread, context.words(thread).reset);
}

async function model(context: BotContext, thread: ChatThread, name: string): Promise<void> {
	const { models, state } = await context.runtime.listModels();
	if (name !== "") {
		const known = models.find((each) => each.id === name || each.name.toLowerCase() === name.toLowerCase());
		const wanted = known ?? (state === "unlisted" ? { id: name } : undefined);
		if (wanted === undefined) throw new SpokenError("unknown-model", context.words(thread).unknownModel(oneLine(name, 60)));
		const binding = await context.bindings.ensure(thread);
		await context.conversations.update(binding.entry.conversationId, { model: wanted.id });
		context.say(thread, context.words(thread).modelChanged(wanted.id));
		return;
	}
	const binding = await context.bindings.ensure(thread);
	const { conversationId, model: current } = binding.entry;
	const buttons = models.slice(0, MAX_MODEL_BUTTONS).map((each) =>
		context.buttons.make(thread.chatId, `${each.id === current ? "● " : ""}${oneLine(each.name, 40)}`, {
			kind: "set-model",
			conversationId,
			model: each.id,
		}),
	);
	const keyboard = Array.from({ length: Math.ceil(buttons.length / 2) }, (_, row) => buttons.slice(row * 2, row * 2 + 2));
	context.say(thread, context.words(thread).pickModel(current), { keyboard });
}

async function workingDirectory(context: BotContext, thread: ChatThread, path: string): Promise<void> {
	const binding = await context.bindings.ensure(thread);
	const { directoryIs, directoryChanged } = context.words(thread);
	if (path === "") {
		context.say(thread, joinTexts([directoryIs[0], styled(binding.entry.workingDirectory, { type: "code" }), directoryIs[1]]));
		return;
	}
	const updated = await context.conversations.update(binding.entry.conversationId, { cwd: path });
	context.say(thread, joinTexts([directoryChanged[0], styled(updated.cwd, { type: "code" }), directoryChanged[1]]));
}

async function listConversations(context: BotContext, thread: ChatThread): Promise<void> {
	const words = context.words(thread);
	const conversations = offered(context, thread);
	if (conversations.length === 0) {
		context.say(thread, words.noConversations);
		return;
	}
	const current = context.bindings.find(thread)?.entry.conversationId;
	const keyboard = conversations.map((each) => {
		const mark = each.id === current ? "● " : each.status === "streaming" ? "⏳ " : "";
		return [
			context.buttons.make(thread.chatId, `${mark}${oneLine(each.title === "" ? words.newConversation : each.title, 50)}`, {
				kind: "switch",
				conversationId: each.id,
			}),
		];
	});
	context.say(thread, words.pickConversation, { keyboard });
}

/** In a group only its own: everybody there reads the titles, and a tap would move a private conversation in. */
function offered(context: BotContext, thread: ChatThread) {
	if (!isGroup(thread)) return context.conversations.list({ limit: MAX_BUTTON_ROWS }).conversations;
	return ownConversations(context, thread)
		.flatMap((id) => context.conversations.find(id) ?? [])
		.slice(0, MAX_BUTTON_ROWS);
}

/** Conversations that a group showed or was spoken to in. */
export function ownConversations(context: BotContext, thread: ChatThread): ConversationId[] {
	return [...new Set([...context.bindings.shownIn(thread.chatId), ...context.prompts.spokenToIn(thread.chatId)])];
}

function showLink(context: BotContext, thread: ChatThread): void {
	const words = context.words(thread);
	const binding = context.bindings.find(thread);
	if (binding === undefined) {
		context.say(thread, words.nothingToLink);
		return;
	}
	const url = pageUrl(context, binding.entry.conversationId);
	const keyboard: InlineKeyboardButton[][] | undefined = url === undefined ? undefined : [[{ text: words.openOnPage, url }]];
	context.say(thread, `${url === undefined ? words.linkHere : words.linkThere}\n${words.linkBack}`, {
		...(keyboard !== undefined && { keyboard }),
	});
}

/** Telegram refuses buttons to addresses that only this machine knows. */
function pageUrl(context: BotContext, id: ConversationId): string | undefined {
	const base = context.publicUrl;
	if (base === undefined || !/^https?:\/\/[^/]*\./.test(base) || /^https?:\/\/(127\.|localhost)/.test(base)) return undefined;
	return `${base.replace(/\/+$/, "")}/c/${id}`;
}

function link(context: BotContext, thread: ChatThread, code: string): void {
	const id = context.links.take(code);
	if (id === undefined) {
		context.say(thread, context.words(thread).badLinkCode);
		return;
	}
	tellSwitch(context, context.bindings.switchTo(thread, id));
}

export function tellSwitch(context: BotContext, binding: ChatBinding): void {
	const words = context.words(binding.thread);
	const { title } = context.conversations.get(binding.entry.conversationId);
	const newest = context.conversations.messages(binding.entry.conversationId, { limit: 1 }).messages.at(-1);
	const last = newest === undefined ? "" : `\n\n${newest.role === "user" ? words.you : words.agent}: ${oneLine(newest.content, 300)}`;
	context.say(binding.thread, `${words.switched(oneLine(title === "" ? words.newConversation : title, 80))}${last}`);
}

function statusOf(context: BotContext, thread: ChatThread): string {
	const binding = context.bindings.find(thread);
	const health = context.runtime.health();
	const words = context.words(thread);
	const agent = words.agentLine(health.state, health.provider === "demo", health.message);
	if (binding === undefined) return `${words.noConversation}\n${agent}`;
	const { conversationId, model: name, workingDirectory: cwd } = binding.entry;
	const conversation = context.conversations.get(conversationId);
	const since = binding.view.startedAt();
	const queued = context.conversations.queue(conversationId).length;
	const doing = binding.view.isAsking() ? "asking" : binding.view.isRunning() ? "working" : "idle";
	return [
		`“${oneLine(conversation.title === "" ? words.newConversation : conversation.title, 80)}”`,
		words.stateLine(doing, since === undefined ? undefined : elapsed(words, context.clock.now() - since), queued),
		words.modelLine(name),
		words.directoryLine(cwd),
		agent,
	].join("\n");
}

function listProcesses(context: BotContext, thread: ChatThread): void {
	const words = context.words(thread);
	const binding = context.bindings.find(thread);
	const id = binding?.entry.conversationId;
	const jobs =
		id === undefined
			? []
			: context.shell
					.jobs(id)
					.filter((job) => job.status === "running")
					.slice(0, MAX_BUTTON_ROWS);
	const commands = binding?.view.commands() ?? [];
	if (id === undefined || jobs.length + commands.length === 0) {
		context.say(thread, words.noProcesses);
		return;
	}
	const lines = jobs.map((job) => {
		const ports = job.ports === undefined || job.ports.length === 0 ? "" : ` · ${words.port(job.ports.join(", "))}`;
		return `${job.bashId} · ${elapsed(words, context.clock.now() - Date.parse(job.startedAt))}${ports}\n  ${oneLine(job.command, 120)}`;
	});
	const keyboard = [
		...jobs.map((job) => [
			context.buttons.make(thread.chatId, words.endJob(job.bashId), { kind: "kill-job", conversationId: id, bashId: job.bashId }),
		]),
		...commands.map((execId) => [context.buttons.make(thread.chatId, words.endCommand, { kind: "kill-exec", execId })]),
	];
	context.say(thread, lines.length === 0 ? words.commandRuns : lines.join("\n"), { keyboard });
}
