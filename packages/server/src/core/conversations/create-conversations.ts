import type { Job } from "@rightseat/protocol/model/job";
import { createActiveConversations, shownTurn } from "../active/active-conversations.ts";
import { createClosing } from "../active/closing.ts";
import { createConversationChanges } from "../active/conversation-changes.ts";
import { createConversationRows } from "../active/conversation-rows.ts";
import { createDoubts } from "../active/doubts.ts";
import { createAsking } from "../asks/create-asking.ts";
import { createForms } from "../asks/forms.ts";
import { createChanges } from "../changes/create-changes.ts";
import { createNoTracker } from "../changes/no-tracker.ts";
import type { TurnChanges } from "../changes/turn-changes.ts";
import { createAnnouncements } from "../commands/announcements.ts";
import { createCommands } from "../commands/commands.ts";
import { createOnBashComplete } from "../commands/on-bash-complete.ts";
import { createPendingBashContext } from "../commands/pending-bash-context.ts";
import { createContext } from "../context/context.ts";
import { createForks } from "../forks/forks.ts";
import { createInbox } from "../inbox/inbox.ts";
import { conversationId as toConversationId } from "../kernel/ids.ts";
import { createMemoryLedger } from "../kernel/memory-ledger.ts";
import { createRedactor } from "../kernel/redact.ts";
import type { EventLog } from "../log/event-log.ts";
import type { CommittedEvent } from "../log/stream-hub.ts";
import type { ConversationRow, Store } from "../ports/store.ts";
import { createTitles } from "../titles/titles.ts";
import { createAgentCallbacks } from "../turns/agent-callbacks.ts";
import { createDispatcher } from "../turns/dispatcher.ts";
import { createHeldSessions } from "../turns/held-sessions.ts";
import { createModels } from "../turns/models.ts";
import { createPromptQueue } from "../turns/prompt-queue.ts";
import { createPrompts } from "../turns/prompts.ts";
import { createRecovery } from "../turns/recovery.ts";
import { createSessions } from "../turns/sessions.ts";
import { createSteering } from "../turns/steering.ts";
import { createStopSubAgent } from "../turns/stop-sub-agent.ts";
import { createTodos } from "../turns/todos.ts";
import { createTurns } from "../turns/turns.ts";
import { createBudgetSource } from "../usage/budget-source.ts";
import { createBudgets } from "../usage/budgets.ts";
import { createUsage } from "../usage/create-usage.ts";
import { createAgentSessions } from "./agent-sessions.ts";
import { audited } from "./audited.ts";
import { createCatalog } from "./catalog.ts";
import { type ConversationSetups, createSetups } from "./conversation-setup.ts";
import type { Conversations } from "./conversations.ts";
import type { CoreDeps } from "./core-deps.ts";
import { createLog } from "./create-log.ts";
import { createDeletion } from "./delete-conversation.ts";
import { createExports } from "./exports.ts";
import { createHostLog, type HostLog } from "./host-log.ts";
import { createMessageReader } from "./message-reader.ts";
import { createReaders } from "./readers.ts";
import { shutDown } from "./shutdown.ts";
import { snapshotOf } from "./snapshot.ts";

/** Builds the service that every channel speaks to, and recovers what a crash left behind before it returns. */
export function createConversations(deps: CoreDeps): Conversations {
	return createCore(deps).conversations;
}

/** The same, and with chains the logs behind it, for a fleet. */
export function createCore(deps: CoreDeps): { conversations: Conversations; setups: ConversationSetups; hostLog: HostLog | undefined } {
	const { store, agents, shell, config, clock, ids, logger, directories } = deps;
	const { messages, conversations } = store;
	const [redactor, memory] = [deps.redactor ?? createRedactor([]), deps.memory ?? createMemoryLedger()];
	const tracker = deps.tracker ?? createNoTracker();
	const outside = { store, shell, clock, ids, logger, redactor };

	const [active, closing] = [createActiveConversations(), createClosing()];
	const doubts = createDoubts({ disk: store.disk, active });
	const rows = createConversationRows({ conversations: store.conversations, closing, doubts });
	const changes = createConversationChanges({ store, active, doubts, logger });
	const here = { active, closing, doubts, rows, changes };

	const shownTo = new Set<(events: readonly CommittedEvent[]) => void>();
	const spending = createUsage({ store, clock });
	const { log, hub, trim } = createLog({
		...{ ...outside, memory, active, doubts, rows, usage: spending.counter, chains: deps.chains },
		onShown(events) {
			for (const listener of shownTo) listener(events);
			if (events.some(({ event }) => event.type === "copilot:queue")) inbox.refresh();
		},
	});
	const extraTools = deps.extraTools ?? (() => []);
	const recording = createChanges({ ...outside, ...here, log, tracker, extraTools });
	const { told, undone, open, turnChanges } = recording;

	const asking = { ...outside, ...here, log, askTimeoutMs: config.askTimeoutMs };
	const { asks, permissions, rules } = createAsking({ ...deps, ...asking });
	const [forms, todos] = [createForms(asking), createTodos(asking)];
	const budgets = createBudgets({ ...asking, standing: spending.standing });

	const announce = createAnnouncements({ messages, log });
	const bashContext = createPendingBashContext({ messages, log, announce });
	const storeResult = createOnBashComplete({ ...outside, log, announce, bashContext, told });
	const recovery = createRecovery({ ...outside, ...here, log, bashContext, onBashComplete: storeResult, told, undone });
	const commands = createCommands({
		...{ ...outside, ...here, log, bashContext, told, open, tracker, settleLeft: recovery.settle },
		onBashComplete(row, result) {
			storeResult(row, result);
			trim.trim(row.conversationId);
		},
	});

	const models = createModels({ ...{ agents, conversations, log, changes, logger }, defaultModel: config.defaultModel });
	const held = createHeldSessions({ clock, logger, isRunning: (id) => active.find(id)?.turn !== undefined });
	const { switches, setups } = createSetups({ rows, held, agents, redactor, setups: deps.setups, open: (id) => sessions.open(id) });
	const callbacks = createAgentCallbacks({
		...{ ...here, shell, extraTools, redactor, asks, permissions, turnChanges, conversations, logger },
		...{ budgets, usage: spending.counter, rules, log, clock, forms, todos, mcpServers: switches.servers },
	});
	const sessions = createSessions({ store, agents, directories, rows, changes, models, callbacks, held, clock });
	const ending = { bashContext, trim, turnChanges, told, undone, recovery };
	const turns = createTurns({ ...outside, ...here, ...ending, agents, log, sessions, memory, budgets });
	const titles = createTitles({ ...outside, ...here, held, mayCall: budgets.isFree, isOn: () => config.titles?.() === true });
	const waiting = { messages, log, announce, clock, logger, maxTurns: config.maxTurns };
	const dispatcher = createDispatcher({ ...here, ...waiting, turns: titles.after(turns) });
	const steering = createSteering({ ...outside, log, announce, bashContext, dispatcher, budgets });
	const queue = createPromptQueue({ ...here, messages, log, redactor, announce, dispatcher, steering });
	const prompt = createPrompts({ ...outside, ...here, log, announce, turns, dispatcher, steering });

	const inbox = createInbox({
		...{ ...asking, agents },
		isQueueReady: dispatcher.isReady,
		isWatched: (id) => deps.isWatched?.(id) ?? false,
	});
	inbox.addSource(createBudgetSource(active));
	const offInbox = [changes.onChange(inbox.refresh), agents.onChange(inbox.refresh)];

	const agentSessions = createAgentSessions({ agents, directories, conversations, redactor, workdir: config.workdir });
	const asked = { agents, directories, config, models, sessions, permissions, tracker, agentSessions, budgets, switches };
	const catalog = createCatalog({ ...outside, ...here, ...asked });
	const { discardFiles, copyAttachment } = deps;
	const { fork, forks, removeUnfinished } = createForks({ ...outside, ...here, agents, tracker, copyAttachment, discardFiles, prompt });
	const forgetting = { discardFiles, tracker, forgetChanges: recording.forget };
	const deleteConversation = createDeletion({ ...outside, ...here, ...forgetting, agents, log, turns, sessions, hub, permissions });
	const { subscribe, follow } = createReaders({ ...here, store, log, hub, redactor });
	const offJobs = shell.onJob(tellJobs(store.conversations, log, turnChanges));
	recovery.start();
	void removeUnfinished();
	recording.recall.start();

	const { exec, killExec, pendingBashContext, dropBashContext, trimBashContext } = commands;
	const service: Conversations = {
		...catalog,
		...createExports({ ...outside, ...here, agents }),
		...createMessageReader({ messages, row: rows.get, runningTurn: (id) => shownTurn(active.find(id)) }),
		...{ ...queue, prompt, answer: asks.answer, decide: asks.decide, decidePlan: asks.decidePlan, fillIn: forms.respond },
		...{ subscribe, follow, fork, forks, storedWith: log.together },
		...createContext({ ...outside, ...here, ...asked, held, prompt }),
		...{ usage: spending.list, dayBudget: budgets.dayBudget, setDayBudget: budgets.setDayBudget, decideBudget: budgets.respond },
		pending: (id) => ({ ...asks.pending(id), budgets: budgets.pending(id), forms: forms.pending(id) }),
		...{ exec, killExec, pendingBashContext, dropBashContext, trimBashContext },
		inbox,
		changes: recording.fileChanges,
		agentSessions: agentSessions.list,
		delete: deleteConversation,
		search: async (query, limit) => (await messages.search(query, limit)).filter((found) => !doubts.has(found.conversationId)),
		onChange: changes.onChange,
		abort: (id, turn) => turns.abort(rows.get(id).id, turn),
		stopSubAgent: createStopSubAgent({ rows, held }),
		active: () => active.withTurn().map(({ id }) => id),
		answering: (id) => active.find(id)?.turn?.userMessageId,
		restartShell: (id) => shell.restart(rows.getOpen(id).id),
		async release(id) {
			if (active.find(id)?.turn === undefined) await sessions.release(id);
		},
		async close(graceMs) {
			await shutDown({ closing, active, turns, commands, sessions, clock }, graceMs);
			offJobs();
			for (const off of offInbox) off();
			for (const part of [inbox, budgets, titles, recording.recall, recovery, trim]) part.close();
			log.flush();
			log.close();
		},
	};
	const snapshot = (row: ConversationRow) => snapshotOf({ store, active, redactor }, row);
	const hostLog =
		deps.chains && createHostLog({ chains: deps.chains, store, log, hub, onEvents: listenersOf(shownTo), snapshotOf: snapshot });
	return { conversations: deps.audit === undefined ? service : audited(service, deps.audit), setups, hostLog };
}

const listenersOf =
	<T>(all: Set<T>) =>
	(listener: T) => {
		all.add(listener);
		return () => all.delete(listener);
	};

function tellJobs(conversations: Store["conversations"], log: Pick<EventLog, "append">, turnChanges: Pick<TurnChanges, "job">) {
	return (job: Job) => {
		const id = toConversationId(job.conversationId);
		if (conversations.find(id) !== undefined) log.append(id, { type: "bash:job", data: { job } });
		turnChanges.job(job);
	};
}
