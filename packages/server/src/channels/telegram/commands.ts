import type { InlineKeyboardButton } from "grammy/types";
import { AppError } from "../../core/errors.ts";
import { type ConversationId, conversationId as toConversationId } from "../../core/ids.ts";
import type { BotContext, SayOptions } from "./bot-context.ts";
import type { Desk } from "./chat-desk.ts";
import { joinTexts, styled } from "./format/formatted-text.ts";
import type { Incoming } from "./incoming.ts";
import { letGo } from "./let-go.ts";
import { isGroup, type Place } from "./place.ts";
import { stopWork } from "./stop-work.ts";
import { elapsed, oneLine } from "./view/status-text.ts";

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
	const say = (text: string, options?: SayOptions) => context.say(place, text, options);
	switch (command.name) {
		case "start":
			if (command.argument !== "") return link(context, place, command.argument);
			return say(`Hello ${oneLine(message.user.first_name, 40)}.\n\n${HELP}`);
		case "help":
			return say(HELP);
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
			return say(`I do not know /${oneLine(command.name, 32)}. /help lists what I understand; it was not sent to the agent.`);
	}
}

const HELP = `Write what you want done; the agent answers here and on the page, it is the same conversation.
• !command runs in its shell, for example !git status
• Photos, documents and voice messages go to the agent
• Reply to a message to quote it; edit a queued one to change it

/new start a new conversation
/stop stop what is running
/status what is going on
/list pick another conversation
/model [name] show or change the model
/cwd [path] show or change the working directory
/ps background processes
/reset forget this conversation here
/link open it on the page, or /link CODE to take one over from there`;

async function startNew(context: BotContext, place: Place): Promise<void> {
	const before = context.desks.find(place)?.entry;
	const created = await context.conversations.create({});
	const desk = context.desks.switchTo(place, toConversationId(created.id));
	const kept = before === undefined ? "" : " The one before stays on the page and in /list.";
	context.say(place, `New conversation with ${desk.entry.model} in ${desk.entry.workingDirectory}.${kept}`);
}

async function reset(context: BotContext, place: Place): Promise<void> {
	const entry = context.desks.find(place)?.entry;
	if (entry === undefined) {
		context.say(place, "There is nothing to reset. Your next message starts a new conversation.");
		return;
	}
	stopWork(context, place);
	context.desks.leave(place);
	await letGo(context.conversations, entry.conversationId);
	context.say(place, "Reset. Your next message starts a new conversation; this one stays on the page.");
}

async function model(context: BotContext, place: Place, name: string): Promise<void> {
	const { models, state } = await context.runtime.listModels();
	if (name !== "") {
		const known = models.find((each) => each.id === name || each.name.toLowerCase() === name.toLowerCase());
		const wanted = known ?? (state === "unlisted" ? { id: name } : undefined);
		if (wanted === undefined)
			throw new AppError("unknown-model", `There is no model “${oneLine(name, 60)}”. /model lists the ones there are.`);
		const desk = await context.desks.ensure(place);
		await context.conversations.update(desk.entry.conversationId, { model: wanted.id });
		context.say(place, `The model is ${wanted.id} from the next message on. The history stays.`);
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
	context.say(place, `The model is ${current}. Pick another, or write /model NAME.`, { keyboard });
}

async function workingDirectory(context: BotContext, place: Place, path: string): Promise<void> {
	const desk = await context.desks.ensure(place);
	if (path === "") {
		context.say(
			place,
			joinTexts(["The working directory is ", styled(desk.entry.workingDirectory, { type: "code" }), ". Change it with /cwd PATH."]),
		);
		return;
	}
	const updated = await context.conversations.update(desk.entry.conversationId, { cwd: path });
	context.say(place, joinTexts(["The working directory is now ", styled(updated.cwd, { type: "code" }), "."]));
}

async function listConversations(context: BotContext, place: Place): Promise<void> {
	const conversations = offered(context, place);
	if (conversations.length === 0) {
		context.say(place, "There are no conversations yet. Write something to start one.");
		return;
	}
	const current = context.desks.find(place)?.entry.conversationId;
	const keyboard = conversations.map((each) => {
		const mark = each.id === current ? "● " : each.status === "streaming" ? "⏳ " : "";
		return [
			context.buttons.make(place.chatId, `${mark}${oneLine(each.title === "" ? "New conversation" : each.title, 50)}`, {
				kind: "switch",
				conversationId: each.id,
			}),
		];
	});
	context.say(place, "Pick the conversation for this chat:", { keyboard });
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
	const desk = context.desks.find(place);
	if (desk === undefined) {
		context.say(place, "Write something first; then this chat has a conversation to open. With a code from the page: /link CODE.");
		return;
	}
	const url = pageUrl(context, desk.entry.conversationId);
	const keyboard: InlineKeyboardButton[][] | undefined = url === undefined ? undefined : [[{ text: "Open on the page", url }]];
	const where = url === undefined ? "Open the page on your machine: this conversation is in its list." : "Continue on the page:";
	context.say(place, `${where}\nTo bring one from the page here, choose “Telegram” there and send me the code: /link CODE.`, {
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
		context.say(place, "This code is unknown or too old. Make a new one on the page; it works once, for ten minutes.");
		return;
	}
	tellSwitch(context, context.desks.switchTo(place, id));
}

export function tellSwitch(context: BotContext, desk: Desk): void {
	const { title } = context.conversations.get(desk.entry.conversationId);
	const newest = context.conversations.messages(desk.entry.conversationId, { limit: 1 }).messages.at(-1);
	const last = newest === undefined ? "" : `\n\n${newest.role === "user" ? "You" : "Agent"}: ${oneLine(newest.content, 300)}`;
	context.say(desk.place, `This chat shows “${oneLine(title === "" ? "New conversation" : title, 80)}” now.${last}`);
}

function statusOf(context: BotContext, place: Place): string {
	const desk = context.desks.find(place);
	const health = context.runtime.health();
	const agent = `Agent: ${health.state}${health.provider === "demo" ? " (demo)" : ""}${health.message === undefined ? "" : ` – ${health.message}`}`;
	if (desk === undefined) return `No conversation in this chat yet. Write something to start one.\n${agent}`;
	const { conversationId, model: name, workingDirectory: cwd } = desk.entry;
	const conversation = context.conversations.get(conversationId);
	const since = desk.view.startedAt();
	const queued = context.conversations.queue(conversationId).length;
	const doing = desk.view.isAsking() ? "waiting for your answer" : desk.view.isRunning() ? "working" : "idle";
	return [
		`“${oneLine(conversation.title === "" ? "New conversation" : conversation.title, 80)}”`,
		`State: ${doing}${since === undefined ? "" : ` for ${elapsed(context.clock.now() - since)}`}${queued === 0 ? "" : `, ${queued} queued`}`,
		`Model: ${name}`,
		`Directory: ${cwd}`,
		agent,
	].join("\n");
}

function listProcesses(context: BotContext, place: Place): void {
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
		context.say(place, "No background process runs in this conversation.");
		return;
	}
	const lines = jobs.map((job) => {
		const ports = job.ports === undefined || job.ports.length === 0 ? "" : ` · port ${job.ports.join(", ")}`;
		return `${job.bashId} · ${elapsed(context.clock.now() - Date.parse(job.startedAt))}${ports}\n  ${oneLine(job.command, 120)}`;
	});
	const keyboard = [
		...jobs.map((job) => [
			context.buttons.make(place.chatId, `⏹ End ${job.bashId}`, { kind: "kill-job", conversationId: id, bashId: job.bashId }),
		]),
		...commands.map((execId) => [context.buttons.make(place.chatId, "⏹ End your command", { kind: "kill-exec", execId })]),
	];
	context.say(place, lines.length === 0 ? "One of your commands is running." : lines.join("\n"), { keyboard });
}
