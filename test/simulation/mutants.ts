import { FORK_SIMULATION_MUTANTS } from "./forks/mutants.ts";
import { SCHEDULE_SIMULATION_MUTANTS } from "./schedules/mutants.ts";
import { TELEGRAM_SIMULATION_MUTANTS } from "./telegram/mutants.ts";

/** One way to break the product that rounds of the simulation must notice. */
export interface SimulationMutant {
	/** Of the product, for the table. */
	area: string;
	name: string;
	/** Path from the root. */
	file: string;
	/** Occurs exactly once in the file. */
	search: string;
	replace: string;
	/** The parts that it takes to notice it, besides the core; fewer are faster. */
	parts: readonly string[];
}

const CORE = "packages/server/src/core";
const STORE = "packages/server/src/store";
const WS = "packages/server/src/channels/web/ws";
const WEB = "packages/web/src";

/** Each must be noticed within this many rounds. */
export const MUTANT_ROUNDS = 500;

const inCore = (area: string, mutants: readonly Omit<SimulationMutant, "area" | "parts">[]) =>
	mutants.map((mutant) => ({ area, ...mutant, parts: [] }));
const onPages = (area: string, mutants: readonly Omit<SimulationMutant, "area" | "parts">[]) =>
	mutants.map((mutant) => ({ area, ...mutant, parts: ["pages"] }));

const LOG_MUTANTS = inCore("log", [
	{
		name: "events are shown when they are committed, not when they are durable",
		file: `${CORE}/log/event-log.ts`,
		search: "if (written.length > 0) store.afterCommit(() => deps.onDurable(written), lost);",
		replace: "if (written.length > 0) deps.onDurable(written);\n\t\tvoid lost;",
	},
	{
		name: "after a failed sync what is in doubt is shown",
		file: `${CORE}/active/doubts.ts`,
		search: "if (inDoubt.has(id)) throw",
		replace: "if (inDoubt.has(id) && id === undefined) throw",
	},
	{
		name: "after a failed sync nothing is known to be in doubt but what runs",
		file: `${CORE}/conversations/create-log.ts`,
		search: "for (const { conversationId } of events) deps.doubts.add(conversationId);",
		replace: "void events;",
	},
	{
		name: "events of a commit that failed are forgotten",
		file: `${CORE}/log/event-log.ts`,
		search: "			buffer.giveBack(taken);\n",
		replace: "",
	},
	{
		name: "a replay leaves its first event out",
		file: `${CORE}/conversations/readers.ts`,
		search: "for (const event of missed ?? [])",
		replace: "for (const event of (missed ?? []).slice(1))",
	},
	{
		name: "the head of a conversation moves by one for several events",
		file: `${CORE}/log/write-events.ts`,
		search: "counts.set(conversationId, (counts.get(conversationId) ?? 0) + 1);",
		replace: "counts.set(conversationId, 1);",
	},
]);

const STORE_MUTANTS = inCore("store", [
	{
		name: "a sync counts for what was committed while it ran",
		file: `${STORE}/sqlite/durability.ts`,
		search: "synced = mark;",
		replace: "synced = written;",
	},
	{
		name: "what waits for the disk waits for nothing",
		file: `${STORE}/sqlite/durability.ts`,
		search: "({ mark: written, ...entry })",
		replace: "({ mark: synced, ...entry })",
	},
	{
		name: "a transaction that failed is not rolled back",
		file: `${STORE}/sqlite/sql-database.ts`,
		search: 'else database.exec("ROLLBACK");',
		replace: "",
	},
]);

const TURN_MUTANTS = inCore("turns", [
	{
		name: "a repeated prompt is taken again",
		file: `${CORE}/turns/prompts.ts`,
		search: "if (known !== undefined) return repeated(known, payloadHash);",
		replace: "void repeated;",
	},
	{
		name: "a turn ends without an idle",
		file: `${CORE}/turns/turn-end.ts`,
		search: '		log.append(conversationId, { type: "copilot:idle", data: { messageId, ...ending } });\n',
		replace: "",
	},
	{
		name: "the agent gets a prompt that a power cut can take back",
		file: `${CORE}/turns/run-turn.ts`,
		search: "await Promise.all([deps.sessions.open(conversationId), deps.store.durable()]);",
		replace: "await Promise.all([deps.sessions.open(conversationId)]);",
	},
	{
		name: "the memory of a turn is never given back",
		file: `${CORE}/turns/run-turn.ts`,
		search: "		held.release();\n",
		replace: "",
	},
	{
		name: "a question outlives its turn",
		file: `${CORE}/turns/turns.ts`,
		search: '		for (const pending of waitingIn(conversation)) pending.settle({ outcome: "aborted" });\n',
		replace: "",
	},
]);

const QUEUE_MUTANTS = inCore("queue", [
	{
		name: "the queue goes on while a turn runs",
		file: `${CORE}/turns/dispatcher.ts`,
		search: "			if (active.find(id)?.turn !== undefined) continue;\n",
		replace: "",
	},
	{
		name: "a queued prompt that is taken up keeps its place among the messages",
		file: `${STORE}/messages/message-writes.ts`,
		search: 'if (patch.metadata !== undefined && delivery !== "queued" && isInQueue) order.moveToEnd(conversation, id);',
		replace: "",
	},
	{
		name: "a dropped prompt is only said to be gone",
		file: `${CORE}/turns/prompt-queue.ts`,
		search: "				messages.delete(id, messageId);\n",
		replace: "",
	},
	{
		name: "the inbox does not know of queues that wait",
		file: `${CORE}/inbox/reasons.ts`,
		search: "if (active.find(conversationId)?.turn !== undefined || deps.isQueueReady(conversationId)) return [];",
		replace: "if (conversationId !== undefined) return [];",
	},
]);

const COMMAND_MUTANTS = inCore("commands", [
	{
		name: "a repeated command runs again",
		file: `${CORE}/commands/commands.ts`,
		search: "const known = clientMessageId === undefined ? undefined : store.commands.findByClientId(id, clientMessageId);",
		replace: "const known = undefined;",
	},
	{
		name: "a command runs before it is durable",
		file: `${CORE}/commands/run-command.ts`,
		search: "deps.store.afterCommit(record);",
		replace: "record();",
	},
	{
		name: "a command that a crash cut off stays without a result",
		file: `${CORE}/turns/recovery.ts`,
		search: "			...store.commands.running().map((row) => () => leftCommand(deps, row)),\n",
		replace: "",
	},
]);

const ASK_MUTANTS = inCore("asks", [
	{
		name: "the agent acts on an answer that the disk refused",
		file: `${CORE}/asks/wait-for-answer.ts`,
		search: "void retryWhileRefused(deps.clock, keep, () => signal.aborted).then(",
		replace: "void (deps.log.flush() ? keep() : Promise.resolve()).then(",
	},
	{
		name: "the agent acts on an answer before it is durable",
		file: `${CORE}/asks/wait-for-answer.ts`,
		search: 'if (end.outcome !== "answered") resolve(end);',
		replace: "if (end.outcome.length > 0) resolve(end);",
	},
	{
		name: "a plan that was taken leaves the mode as it was",
		file: `${CORE}/conversations/create-log.ts`,
		search: "			storeModesOfPlans(store.conversations, events);\n",
		replace: "			storeModesOfPlans(store.conversations, []);\n",
	},
	{
		name: "a plan that nobody decided on is never resolved",
		file: `${CORE}/asks/plans/ask-plan.ts`,
		search: 'deps.log.append(conversationId, { type: "copilot:plan_resolved", data: { requestId, ...settled } });',
		replace:
			'if (settled.outcome === "answered") deps.log.append(conversationId, { type: "copilot:plan_resolved", data: { requestId, ...settled } });',
	},
]);

const RECOVERY_MUTANTS = inCore("recovery", [
	{
		name: "a turn that a crash cut off stays open",
		file: `${CORE}/turns/recovery.ts`,
		search: "			...store.turns.open().map((turn) => () => leftTurn(deps, turn)),\n",
		replace: "",
	},
	{
		name: "what a start on a full disk leaves open is not shown",
		file: `${CORE}/turns/recovery.ts`,
		search: "		left.show(openOf(left));\n",
		replace: "",
	},
	{
		name: "what a start on a full disk leaves open stays so",
		file: `${CORE}/turns/recovery.ts`,
		search: "		cancelRetry = deps.clock.after(RETRY_MS, () => void keepAll());\n",
		replace: "",
	},
	{
		name: "what was left open is shown as open when its end is stored",
		file: `${CORE}/turns/recovery.ts`,
		search:
			"		left.hide(openOf(left));\n		if (![...owed].some((other) => other.conversationId === id)) active.get(id).left = undefined;\n",
		replace: "",
	},
	{
		name: "requests that were open at a crash are never resolved",
		file: `${CORE}/turns/recover-turn.ts`,
		search: "			if (outcome !== undefined) continue;\n",
		replace: "			if (outcome !== undefined || requestId.length > 0) continue;\n",
	},
]);

const OUTBOUND_MUTANTS = onPages("subscriptions and sockets", [
	{
		name: "an acknowledgement does not wait for the disk",
		file: `${WS}/connection.ts`,
		search: "else parts.afterCommit(() => outbound.send(text), lost);",
		replace: "else outbound.send(text);\n\t\tvoid lost;",
	},
	{
		name: "a reader that fell behind never catches up",
		file: `${WS}/outbound.ts`,
		search: "			else run(catchUp);\n",
		replace: "			else void run;\n",
	},
]);

const REDUCER_MUTANTS = onPages("page: reducer", [
	{
		name: "a page does not notice that an event is missing",
		file: `${WEB}/conversation/apply-frame.ts`,
		search: '	if (seq > view.lastSeq + 1) return { kind: "resubscribe" };\n',
		replace: "",
	},
	{
		name: "a page applies an event that it has already",
		file: `${WEB}/conversation/apply-frame.ts`,
		search: "if (seq === undefined || seq <= view.lastSeq)",
		replace: "if (seq === undefined)",
	},
	{
		name: "a page that reconnects follows nothing",
		file: `${WEB}/conversation/conversation-sync.ts`,
		search: "			for (const id of order) subscribe(id);\n",
		replace: "",
	},
]);

const OUTBOX_MUTANTS = onPages("page: outbox", [
	{
		name: "what was sent without a network stays on the page",
		file: `${WEB}/outbox/outbox.ts`,
		search: "				else transmit(item);\n",
		replace: "",
	},
	{
		name: "a prompt goes out without the id that makes it one",
		file: `${WEB}/outbox/outbox.ts`,
		search: "data: { conversationId, prompt: text, clientMessageId, attachments, mode }",
		replace: "data: { conversationId, prompt: text, attachments, mode }",
	},
	{
		name: "a prompt that is sent in the moment of a reload is not noted",
		file: `${WEB}/storage/write-ahead-outbox.ts`,
		search: "			writeStorage(notes, PREFIX + key, JSON.stringify(value));\n",
		replace: "			void writeStorage;\n",
	},
]);

/** A new one is a line of its area; a part with a list of its own joins it here. */
export const SIMULATION_MUTANTS: readonly SimulationMutant[] = [
	...[LOG_MUTANTS, STORE_MUTANTS, TURN_MUTANTS, QUEUE_MUTANTS, COMMAND_MUTANTS, ASK_MUTANTS, RECOVERY_MUTANTS].flat(),
	...[OUTBOUND_MUTANTS, REDUCER_MUTANTS, OUTBOX_MUTANTS].flat(),
	...[TELEGRAM_SIMULATION_MUTANTS, SCHEDULE_SIMULATION_MUTANTS, FORK_SIMULATION_MUTANTS].flat(),
];
