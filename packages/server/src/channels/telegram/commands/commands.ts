import type { ChatThread } from "../chats/chat-thread.ts";
import { clientIdOf } from "../chats/client-id.ts";
import type { Speaker } from "../chats/speaker.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { Incoming } from "../inbox/incoming.ts";
import { oneLine } from "../render/status-text.ts";
import type { AgentCommands } from "./agent-commands.ts";
import type { ChoiceCommands } from "./choice-commands.ts";
import type { ContextCommands } from "./context-commands.ts";
import type { Asked, ConversationCommands } from "./conversation-commands.ts";
import type { InboxCommand } from "./inbox-command.ts";
import type { RuleCommands } from "./rule-commands.ts";
import type { ScheduleCommands } from "./schedule-commands.ts";
import type { SettingCommands } from "./setting-commands.ts";
import type { StatusCommands } from "./status-commands.ts";
import type { TrustCommand } from "./trust-command.ts";

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

/** The bot's own commands. */
export interface Commands {
	/** Everything else that begins with a slash may be a path. */
	knows(command: Command): boolean;
	/** Must never wait behind anything else of the chat. */
	isControl(command: Command): boolean;
	/** Errors go to the caller, who tells the person. */
	run(message: Incoming, command: Command): Promise<void>;
}

export function createCommands(deps: {
	conversations: ConversationCommands;
	settings: SettingCommands;
	statuses: StatusCommands;
	agents: AgentCommands;
	choices: ChoiceCommands;
	inbox: Pick<InboxCommand, "show">;
	schedules: Pick<ScheduleCommands, "list">;
	trust: Pick<TrustCommand, "show">;
	rules: Pick<RuleCommands, "list">;
	context: ContextCommands;
	stop: (thread: ChatThread) => Promise<string>;
	updates: Pick<Inbox, "done">;
	speaker: Speaker;
}): Commands {
	const { conversations, settings, statuses, agents, choices, speaker } = deps;
	const table = new Map<string, (message: Incoming, argument: string) => void | Promise<void>>([
		["start", start],
		["help", ({ thread }) => speaker.say(thread, speaker.words(thread).help)],
		["stop", stop],
		["cancel", stop],
		["status", ({ thread }) => statuses.status(thread)],
		["inbox", ({ thread }) => deps.inbox.show(thread)],
		["schedules", ({ thread }) => deps.schedules.list(thread)],
		["trust", ({ thread }) => deps.trust.show(thread)],
		["setup", ({ thread }) => deps.trust.show(thread)],
		["permissions", ({ thread }) => deps.rules.list(thread)],
		["context", ({ thread }) => deps.context.show(thread)],
		["compact", (message) => deps.context.compact(message.thread, String(message.user.id), clientIdOf(message))],
		["aside", ({ thread, messageId }, question) => deps.context.ask(thread, question, messageId)],
		["ps", ({ thread }) => statuses.processes(thread)],
		["new", (message, settings) => conversations.startNew(askedBy(message), settings)],
		["fork", (message) => conversations.fork(askedBy(message))],
		["reset", ({ thread }) => conversations.reset(thread)],
		["list", ({ thread }) => conversations.list(thread)],
		["link", (message, code) => conversations.link(askedBy(message), code)],
		["model", ({ thread }, name) => settings.model(thread, name)],
		["agent", ({ thread }, name) => agents.agent(thread, name)],
		["mode", ({ thread }, name) => choices.choose(thread, "mode", name)],
		["effort", ({ thread }, name) => choices.choose(thread, "effort", name)],
		["cwd", ({ thread }, path) => settings.workingDirectory(thread, path)],
	]);

	function askedBy(message: Incoming): Asked {
		return { thread: message.thread, clientMessageId: clientIdOf(message), done: () => deps.updates.done(message.updateId) };
	}

	/** A link to the bot may carry a code: `/start CODE`. */
	async function start(message: Incoming, code: string): Promise<void> {
		const { thread, user } = message;
		const words = speaker.words(thread);
		if (code === "") speaker.say(thread, `${words.hello(oneLine(user.first_name, 40))}\n\n${words.help}`);
		else await conversations.link(askedBy(message), code);
	}
	async function stop({ thread, messageId }: Incoming): Promise<void> {
		speaker.say(thread, await deps.stop(thread), { replyTo: messageId });
	}

	return {
		knows: ({ name }) => table.has(name),
		isControl: ({ name }) => CONTROL_COMMANDS.has(name),
		async run(message, { name, argument }) {
			const run = table.get(name);
			if (run === undefined) speaker.say(message.thread, speaker.words(message.thread).unknownCommand(oneLine(name, 32)));
			else await run(message, argument);
		},
	};
}

const CONTROL_COMMANDS: ReadonlySet<string> = new Set(["stop", "cancel", "status", "help", "ps", "inbox", "context", "aside"]);
