import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { Update } from "grammy/types";
import { retryWhileRefused } from "../../core/active/storage-retry.ts";
import { type ConversationId, conversationId as toConversationId, messageId as toMessageId } from "../../core/kernel/ids.ts";
import type { BotClient } from "./api/bot-client.ts";
import type { Access } from "./chats/access.ts";
import { createChatAgents } from "./chats/chat-agents.ts";
import { createChatBindings } from "./chats/chat-bindings.ts";
import { createChatLifecycle } from "./chats/chat-lifecycle.ts";
import { type ChatSessions, createChatSessions } from "./chats/chat-sessions.ts";
import type { ChatThread } from "./chats/chat-thread.ts";
import { tellOfHosts } from "./chats/host-news.ts";
import type { LinkCodes } from "./chats/link-codes.ts";
import { createPerChatQueue } from "./chats/per-chat-queue.ts";
import { createSentPrompts } from "./chats/sent-prompts.ts";
import { createSpeaker } from "./chats/speaker.ts";
import { createStrangers } from "./chats/strangers.ts";
import { createAgentCommands } from "./commands/agent-commands.ts";
import { createButtonActions, createButtonTaps } from "./commands/button-taps.ts";
import { createButtons } from "./commands/buttons.ts";
import { createChangeButtons } from "./commands/change-buttons.ts";
import { createChoiceCommands } from "./commands/choice-commands.ts";
import { createCommands } from "./commands/commands.ts";
import { createContextCommands } from "./commands/context-commands.ts";
import { createConversationCommands } from "./commands/conversation-commands.ts";
import { createConversationSwitch } from "./commands/conversation-switch.ts";
import { createInboxCommand } from "./commands/inbox-command.ts";
import { createRuleCommands } from "./commands/rule-commands.ts";
import { createScheduleCommands } from "./commands/schedule-commands.ts";
import { createSettingCommands } from "./commands/setting-commands.ts";
import { createStatusCommands } from "./commands/status-commands.ts";
import { createStop } from "./commands/stop.ts";
import { createTrustCommand } from "./commands/trust-command.ts";
import type { TelegramDeps } from "./create-telegram-channel.ts";
import { createMarkdownRenderer } from "./format/markdown-to-entities.ts";
import { createChatWork, type Handling } from "./inbox/chat-work.ts";
import { createInbox } from "./inbox/inbox.ts";
import type { BotIdentity, Incoming } from "./inbox/incoming.ts";
import { createMessageBatcher } from "./inbox/message-batcher.ts";
import { createMessageContentReader } from "./inbox/message-content.ts";
import { createMessageEdits } from "./inbox/message-edits.ts";
import { createMessageHandler } from "./inbox/message-handler.ts";
import { createStaleMessages } from "./inbox/stale-messages.ts";
import { createPromptSubmitter } from "./inbox/submit-prompt.ts";
import { createUpdateHandler } from "./inbox/update-handler.ts";
import { createLanguages } from "./messages/languages.ts";
import { createInDoubtNotice } from "./outbox/in-doubt.ts";
import { createOutbox, type Outbox } from "./outbox/outbox.ts";
import { type ChatView, createChatView } from "./render/chat-view.ts";
import { createChatWriter } from "./render/chat-writer.ts";
import type { OpenTurn } from "./render/deliver-answer.ts";

/** Everything between the poll loop and the conversations. */
export interface BotRuntime {
	/** Follows every known conversation and sends what an earlier process left behind. Throws while the disk refuses writes; called again, it goes on where it was. */
	start(): void;
	/** Handles what an earlier process took and did not finish; the bot's name must be known by now. */
	takeUp(): void;
	/** Commits updates and acts on the new ones; says how many there were. */
	accept(updates: Update[], waitedMs: number): number;
	offset(): number;
	welcome(userId: number, name: string): void;
	/** Chats that show this conversation and may read. */
	threadsOf(id: ConversationId): ChatThread[];
	/** Drops every chat that may no longer read, with all that waits for it. */
	shutOut(): void;
	stopSending(): void;
	readonly outbox: Outbox;
	close(flushMs: number): Promise<void>;
}

/** Puts the rooms of the channel together. What a person writes goes from top to bottom: update, message, batch, prompt. */
export function createBotRuntime(
	deps: TelegramDeps & {
		client: BotClient;
		links: LinkCodes;
		access: Access;
		bot: () => BotIdentity;
		redact: (text: string) => string;
		onPairRequest: () => void;
	},
): BotRuntime {
	const { sql, clock, logger, conversations, client, access, config, redact } = deps;
	const languages = createLanguages(sql, config.language ?? "auto");
	const inbox = createInbox({ sql, clock, botId: deps.bot().id, onlyHandled: deps.lease !== undefined });
	const buttons = createButtons(deps);
	const prompts = createSentPrompts(sql, clock);
	const sessions = createChatSessions({ sql, clock, describe: (id) => conversations.find(id) ?? unlisted(id) });
	const { mayRead } = access;
	const jobs = deps.jobs ?? deps.shell;
	const account = deps.memory.account("telegram");
	const outbox = createOutbox({
		...{ client, sql, clock, logger, mayRead, account, intend: deps.lease?.intend },
		onUnknown: (row) => tellInDoubt(row),
		onShown: ({ conversationId, messageId }) => conversations.inbox.looked(toConversationId(conversationId), toMessageId(messageId)),
		onMigrated: (from, to) => lifecycle.moveChat(from, to),
	});
	const tellInDoubt = createInDoubtNotice({ outbox, buttons, languages, logger });
	const speaker = createSpeaker({ outbox, languages, redact });
	const render = createMarkdownRenderer();

	function open(thread: ChatThread, conversationId: ConversationId): ChatView {
		const isLooking = () => deps.presence?.isLooking(conversationId) ?? false;
		return createChatView({
			...{ thread, conversationId, conversations, prompts, redact, render, account, clock, logger },
			...{ recent: deps.recent, wholeText: deps.wholeText },
			writer: createChatWriter({ thread, conversationId, outbox, buttons, isLooking }),
			openTurn: openTurnOf(sessions, thread),
			transaction: (work) => sql.transaction(work),
			typing: () => client.typing(thread),
			words: () => speaker.words(thread),
		});
	}
	const chatAgents = createChatAgents(sql, deps.agents);
	const bindings = createChatBindings({
		...{ conversations, sessions, chatAgents, sql, recent: deps.recent, logger, mayRead, open },
		onDeleted: (thread) => speaker.say(thread, speaker.words(thread).deletedOnPage),
	});
	const lifecycle = createChatLifecycle({ sql, conversations, access, bindings, outbox, buttons, prompts });

	const content = createMessageContentReader({ ...deps, transcription: config.transcription, speaker, account });
	const submit = createPromptSubmitter({ ...deps, bindings, prompts, content, speaker });
	const work = createChatWork({ conversations, queue: createPerChatQueue(), inbox, access, speaker, clock, logger });
	// Submitted again while the disk refuses: the same update is the same prompt.
	const submitted = (batch: Incoming[], handling: Handling) => retryWhileRefused(clock, () => submit(batch, handling));
	const batcher = createMessageBatcher(clock, (batch) => work.inOrder(batch, (handling) => submitted(batch, handling)));
	const stale = createStaleMessages({ inbox, buttons, speaker, transaction: (work) => sql.transaction(work), clock, logger });

	const stop = createStop({ batcher, inbox, bindings, conversations, speaker });
	const isAway = (host: string) => deps.hosts?.list().some(({ id, state }) => id === host && state === "offline") ?? false;
	const switcher = createConversationSwitch({ bindings, prompts, conversations, isAway, speaker });
	const agents = createAgentCommands({ agents: deps.agents, chatAgents, buttons, speaker });
	const choices = createChoiceCommands({ ...deps, bindings, buttons, speaker });
	const inboxList = createInboxCommand({ inbox: conversations.inbox, switcher, buttons, outbox, speaker, redact, clock });
	const schedules = createScheduleCommands({ ...deps, switcher, buttons, speaker });
	const trust = createTrustCommand({ ...deps, bindings, buttons, speaker });
	const rules = createRuleCommands({ ...deps, buttons, speaker });
	const commands = createCommands({
		...{ schedules, trust, rules, context: createContextCommands({ conversations, bindings, speaker }) },
		inbox: inboxList,
		conversations: createConversationCommands({
			...deps,
			...{ choices, bindings, chatAgents, switcher, buttons, stop, isAway, speaker },
			publicUrl: config.publicUrl ?? (() => undefined),
		}),
		settings: createSettingCommands({ ...deps, bindings, buttons, speaker }),
		statuses: createStatusCommands({ ...deps, jobs, bindings, buttons, isAway, speaker }),
		...{ agents, choices, stop, updates: inbox, speaker },
	});
	const changes = createChangeButtons({ conversations, outbox, buttons, redact });
	const touched = { outbox, inbox, bindings, switcher, stop, changes, schedules, trust, rules, speaker };
	const perform = createButtonActions({ ...deps, ...touched, jobs, chooseAgent: agents.choose });
	const offHosts = deps.hosts && tellOfHosts(deps.hosts, { sessions, bindings, speaker });
	const strangers = createStrangers({ access, speaker, languages, onRequest: deps.onPairRequest });
	const updates = createUpdateHandler({
		...{ inbox, access, strangers, languages, work, clock, logger },
		messages: createMessageHandler({ ...deps, bindings, commands, batcher, stale, stop, work, speaker, submit: submitted }),
		editMessage: createMessageEdits({ bot: deps.bot, batcher, prompts, conversations, speaker }),
		tapButton: createButtonTaps({ client, buttons, languages, perform, speaker, logger }),
		unmute: outbox.unmute,
		moveChat: lifecycle.moveChat,
	});

	return {
		start: stepByStep([lifecycle.forgetDeleted, outbox.shutOut, outbox.start, bindings.restore]),
		takeUp: updates.takeUp,
		accept(batch, waitedMs) {
			stale.setWaited(waitedMs);
			return updates.accept(batch);
		},
		offset: inbox.offset,
		welcome: strangers.welcome,
		threadsOf: (id) => sessions.threadsOf(id).filter((thread) => mayRead(thread.chatId)),
		shutOut: lifecycle.shutOut,
		stopSending: outbox.close,
		outbox,
		async close(flushMs) {
			offHosts?.();
			lifecycle.close();
			inboxList.close();
			batcher.close();
			stale.close();
			bindings.close();
			if (flushMs > 0) await outbox.flush(flushMs);
			outbox.close();
		},
	};
}

/** One that throws leaves nothing half, and is where the next call goes on; what is done is not done again: this process' own work would be taken for what an earlier one left. */
function stepByStep(steps: (() => void)[]): () => void {
	const left = [...steps];
	return () => {
		for (let [step] = left; step !== undefined; [step] = left) {
			step();
			left.shift();
		}
	};
}

/** A conversation of another host stays the chat's own while no list names it. */
const unlisted = (id: ConversationId) => (splitRemoteId(id) === undefined ? undefined : { model: "", cwd: "" });

function openTurnOf(sessions: ChatSessions, thread: ChatThread): OpenTurn {
	return {
		get: () => sessions.openTurn(thread),
		set: (id) => sessions.setOpenTurn(thread, id),
		told: () => sessions.told(thread),
		answered: (promptId, messageId) => sessions.answered(thread, promptId, messageId),
	};
}
