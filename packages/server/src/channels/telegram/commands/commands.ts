import type { InlineKeyboardButton } from "grammy/types";
import { type ConversationId, conversationId as toConversationId } from "../../../core/kernel/ids.ts";
import type { BotContext, SayOptions } from "../bot-context.ts";
import type { Desk } from "../chats/chat-bindings.ts";
import { isGroup, type Place } from "../chats/chat-thread.ts";
import { letGo } from "../chats/release.ts";
import { joinTexts, styled } from "../format/formatted-text.ts";
import type { Incoming } from "../inbox/incoming.ts";
import { SpokenError } from "../messages/spoken-error.ts";
import { elapsed, oneLine } from "../render/status-text.ts";
import { stopWork } from "./stop.ts";

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
	const { place } = message;
	const words = context.words(place);
	const say = (text: string, options?: SayOptions) => context.say(place, text, options);
	switch (command.name) {
		case "start":
			if (command.argument !== "") return link(context, place, command.argument);
			return say(`${words.hello(oneLine(message.user.first_name, 40))}\n\n${words.help}`);
		case "help":
			return say(words.help);
		case "stop":
		case "cancel":
			return say(stopWork(context, place), { replyTo: message.messageId });
		case "status":
			return say(statusOf(context, place));
		case "ps":
			return listProcesses(context, place);
		case "new":
			return startNew(context, place);
		case "reset":
			return reset(context, place);
		case "model":
			return model(context, place, command.argument);
		case "cwd":
			return workingDirectory(context, place, command.argument);
		case "list":
			return listConversations(context, place);
		case "link":
			return command.argument === "" ? showLink(context, place) : link(context, place, command.argument);
		default:
			return say(words.unknownCommand(oneLine(command.name, 32)));
	}
}

async function startNew(context: BotContext, place: Place): Promise<void> {
	const before = context.desks.find(place)?.entry;
	const created = await context.conversations.create({});
	const desk = context.desks.switchTo(place, toConversationId(created.id));
	const words = context.words(place);
	const started = words.started(desk.entry.model, desk.entry.workingDirectory);
	context.say(place, before === undefined ? started : `${started} ${words.earlierStays}`);
}

async function reset(context: BotContext, place: Place): Promise<void> {
	const entry = context.desks.find(place)?.entry;
	if (entry === undefined) {
		context.say(place, context.words(place).nothingToReset);
		return;
	}
	stopWork(context, place);
	context.desks.leave(place);
	await letGo(context.conversations, entry.conversationId);
	context.say(place, context.words(place).reset);
}

async function model(context: BotContext, place: Place, name: string): Promise<void> {
	const { models, state } = await context.runtime.listModels();
	if (name !== "") {
		const known = models.find((each) => each.id === name || each.name.toLowerCase() === name.toLowerCase());
		const wanted = known ?? (state === "unlisted" ? { id: name } : undefined);
		if (wanted === undefined) throw new SpokenError("unknown-model", context.words(place).unknownModel(oneLine(name, 60)));
		const desk = await context.desks.ensure(place);
		await context.conversations.update(desk.entry.conversationId, { model: wanted.id });
		context.say(place, context.words(place).modelChanged(wanted.id));
		return;
	}
	const desk = await context.desks.ensure(place);
	const { conversationId, model: current } = desk.entry;
	const buttons = models.slice(0, MAX_MODEL_BUTTONS).map((each) =>
		context.buttons.make(place.chatId, `${each.id === current ? "● " : ""}${oneLine(each.name, 40)}`, {
			kind: "set-model",
			conversationId,
			model: each.id,
		}),
	);
	const keyboard = Array.from({ length: Math.ceil(buttons.length / 2) }, (_, row) => buttons.slice(row * 2, row * 2 + 2));
	context.say(place, context.words(place).pickModel(current), { keyboard });
}

async function workingDirectory(context: BotContext, place: Place, path: string): Promise<void> {
	const desk = await context.desks.ensure(place);
	const { directoryIs, directoryChanged } = context.words(place);
	if (path === "") {
		context.say(place, joinTexts([directoryIs[0], styled(desk.entry.workingDirectory, { type: "code" }), directoryIs[1]]));
		return;
	}
	const updated = await context.conversations.update(desk.entry.conversationId, { cwd: path });
	context.say(place, joinTexts([directoryChanged[0], styled(updated.cwd, { type: "code" }), directoryChanged[1]]));
}

async function listConversations(context: BotContext, place: Place): Promise<void> {
	const words = context.words(place);
	const conversations = offered(context, place);
	if (conversations.length === 0) {
		context.say(place, words.noConversations);
		return;
	}
	const current = context.desks.find(place)?.entry.conversationId;
	const keyboard = conversations.map((each) => {
		const mark = each.id === current ? "● " : each.status === "streaming" ? "⏳ " : "";
		return [
			context.buttons.make(place.chatId, `${mark}${oneLine(each.title === "" ? words.newConversation : each.title, 50)}`, {
				kind: "switch",
				conversationId: each.id,
			}),
		];
	});
	context.say(place, words.pickConversation, { keyboard });
}

/** In a group only its own: everybody there reads the titles, and a tap would move a private conversation in. */
function offered(context: BotContext, place: Place) {
	if (!isGroup(place)) return context.conversations.list({ limit: MAX_BUTTON_ROWS }).conversations;
	return ownConversations(context, place)
		.flatMap((id) => context.conversations.find(id) ?? [])
		.slice(0, MAX_BUTTON_ROWS);
}

/** Conversations that a group showed or was spoken to in. */
export function ownConversations(context: BotContext, place: Place): ConversationId[] {
	return [...new Set([...context.desks.shownIn(place.chatId), ...context.prompts.spokenToIn(place.chatId)])];
}

function showLink(context: BotContext, place: Place): void {
	const words = context.words(place);
	const desk = context.desks.find(place);
	if (desk === undefined) {
		context.say(place, words.nothingToLink);
		return;
	}
	const url = pageUrl(context, desk.entry.conversationId);
	const keyboard: InlineKeyboardButton[][] | undefined = url === undefined ? undefined : [[{ text: words.openOnPage, url }]];
	context.say(place, `${url === undefined ? words.linkHere : words.linkThere}\n${words.linkBack}`, {
		...(keyboard !== undefined && { keyboard }),
	});
}

/** Telegram refuses buttons to addresses that only this machine knows. */
function pageUrl(context: BotContext, id: ConversationId): string | undefined {
	const base = context.publicUrl;
	if (base === undefined || !/^https?:\/\/[^/]*\./.test(base) || /^https?:\/\/(127\.|localhost)/.test(base)) return undefined;
	return `${base.replace(/\/+$/, "")}/c/${id}`;
}

function link(context: BotContext, place: Place, code: string): void {
	const id = context.links.take(code);
	if (id === undefined) {
		context.say(place, context.words(place).badLinkCode);
		return;
	}
	tellSwitch(context, context.desks.switchTo(place, id));
}

export function tellSwitch(context: BotContext, desk: Desk): void {
	const words = context.words(desk.place);
	const { title } = context.conversations.get(desk.entry.conversationId);
	const newest = context.conversations.messages(desk.entry.conversationId, { limit: 1 }).messages.at(-1);
	const last = newest === undefined ? "" : `\n\n${newest.role === "user" ? words.you : words.agent}: ${oneLine(newest.content, 300)}`;
	context.say(desk.place, `${words.switched(oneLine(title === "" ? words.newConversation : title, 80))}${last}`);
}

function statusOf(context: BotContext, place: Place): string {
	const desk = context.desks.find(place);
	const health = context.runtime.health();
	const words = context.words(place);
	const agent = words.agentLine(health.state, health.provider === "demo", health.message);
	if (desk === undefined) return `${words.noConversation}\n${agent}`;
	const { conversationId, model: name, workingDirectory: cwd } = desk.entry;
	const conversation = context.conversations.get(conversationId);
	const since = desk.view.startedAt();
	const queued = context.conversations.queue(conversationId).length;
	const doing = desk.view.isAsking() ? "asking" : desk.view.isRunning() ? "working" : "idle";
	return [
		`“${oneLine(conversation.title === "" ? words.newConversation : conversation.title, 80)}”`,
		words.stateLine(doing, since === undefined ? undefined : elapsed(words, context.clock.now() - since), queued),
		words.modelLine(name),
		words.directoryLine(cwd),
		agent,
	].join("\n");
}

function listProcesses(context: BotContext, place: Place): void {
	const words = context.words(place);
	const desk = context.desks.find(place);
	const id = desk?.entry.conversationId;
	const jobs =
		id === undefined
			? []
			: context.shell
					.jobs(id)
					.filter((job) => job.status === "running")
					.slice(0, MAX_BUTTON_ROWS);
	const commands = desk?.view.commands() ?? [];
	if (id === undefined || jobs.length + commands.length === 0) {
		context.say(place, words.noProcesses);
		return;
	}
	const lines = jobs.map((job) => {
		const ports = job.ports === undefined || job.ports.length === 0 ? "" : ` · ${words.port(job.ports.join(", "))}`;
		return `${job.bashId} · ${elapsed(words, context.clock.now() - Date.parse(job.startedAt))}${ports}\n  ${oneLine(job.command, 120)}`;
	});
	const keyboard = [
		...jobs.map((job) => [
			context.buttons.make(place.chatId, words.endJob(job.bashId), { kind: "kill-job", conversationId: id, bashId: job.bashId }),
		]),
		...commands.map((execId) => [context.buttons.make(place.chatId, words.endCommand, { kind: "kill-exec", execId })]),
	];
	context.say(place, lines.length === 0 ? words.commandRuns : lines.join("\n"), { keyboard });
}
