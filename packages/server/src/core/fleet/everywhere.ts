import { remoteIdOf, splitRemoteId } from "@rightseat/protocol/fleet/ids";
import { searchAnswer } from "@rightseat/protocol/http/conversations";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { InboxItem } from "@rightseat/protocol/model/inbox";
import type { Message } from "@rightseat/protocol/model/message";
import type { Conversations, EveryConversations } from "../conversations/conversations.ts";
import { MAX_PAGE } from "../conversations/message-reader.ts";
import type { EveryInbox } from "../inbox/inbox.ts";
import type { Awaitable } from "../kernel/awaitable.ts";
import type { Clock } from "../kernel/clock.ts";
import { type ConversationId, conversationId, type IdSource, messageId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { MemoryLedger } from "../kernel/memory-ledger.ts";
import type { Fleet, FleetHost, FleetRequest, FleetStatus } from "../ports/fleet.ts";
import type { OutboxStore } from "../ports/fleet-store.ts";
import type { Jobs } from "../ports/shell.ts";
import type { SearchResult } from "../ports/store.ts";
import { readHead } from "./answer-lines.ts";
import { type AskAll, createAskAll } from "./ask-all.ts";
import { createEveryInbox } from "./every-inbox.ts";
import type { Screens } from "./host-screens.ts";
import { createOlderLists } from "./older-lists.ts";
import { createOutbox } from "./outbox.ts";
import { createOutboxSender, type OutboxSender, sendFirst } from "./outbox-sender.ts";
import { type BringFiles, createRemoteCalls, type RemoteCalls, readWith, SOMEBODY } from "./remote-calls.ts";
import { createRemoteConversations, deliverPrompt, type OneConversation } from "./remote-conversations.ts";
import { createRemoteList, mergePage, type RemoteList } from "./remote-list.ts";
import { createRemoteLooks } from "./remote-looks.ts";
import { createRemoteViews } from "./remote-views.ts";

const DEFAULT_PAGE = 50;

/** Conversations of this host and of all others, as one. Which is which is in the id. */
export interface Everywhere {
	readonly conversations: EveryConversations;
	readonly jobs: Jobs;
	readonly calls: RemoteCalls;
	readonly outbox: OutboxSender;
	/** The newest messages as far as they are known here, at once. */
	recent(id: ConversationId, limit: number): Message[];
	/** The whole text of a message; undefined of another host. */
	wholeText(id: ConversationId, message: string): Iterable<string> | undefined;
	/** The same for a task that one host does for all: whoever is asked checks its number. */
	under(fence: () => FleetRequest["fence"]): Pick<Everywhere, "conversations" | "jobs">;
	hosts(): FleetHost[];
	/** Like `conversations.search`, and which hosts could not be asked. */
	search(query: string, limit?: number): Promise<{ results: SearchResult[]; missing: FleetHost[] }>;
	/** Like `conversations.list`, and after that what hosts have beyond their lists. */
	list(page?: Parameters<Conversations["list"]>[0]): Awaitable<ReturnType<Conversations["list"]>>;
	/** The same question to every other host. */
	askAll: AskAll;
	/** For another host: of this one alone. */
	ownList: Conversations["list"];
	status(): FleetStatus;
	/** Takes a host out of the fleet, everywhere and for good. */
	remove(host: string): Promise<void>;
	/** Hosts or the fleet's status look different. */
	onHosts(listener: () => void): () => void;
	close(): void;
}

/** What a channel needs of the fleet beside the conversations. */
export type OtherHosts = Omit<Everywhere, "conversations">;

export interface EverywhereDeps {
	own: Conversations;
	jobs: Jobs;
	fleet: Fleet;
	outbox: OutboxStore;
	/** Brings files of this host to another one. */
	bringFiles: BringFiles;
	clock: Clock;
	ids: IdSource;
	memory: MemoryLedger;
	/** What people have before their eyes. */
	screens: Pick<Screens, "watched" | "onChange">;
	logger: Logger;
}

export function createEverywhere(deps: EverywhereDeps): Everywhere {
	const { own, fleet } = deps;
	const calls = createRemoteCalls(fleet, deps.bringFiles);
	const views = createRemoteViews(deps);
	const list = createRemoteList(fleet);
	const isOnline = (host: string) => fleet.hosts().some(({ id, state }) => id === host && state === "online");
	const outbox = createOutbox(deps.outbox, deps.clock);
	const sender = createOutboxSender({ outbox, clock: deps.clock, isOnline, deliver: (entry) => deliverPrompt(calls, entry) });
	const stop = fleet.onChange(sender.pump);
	sender.pump();

	const search = createSearch({ own, fleet, calls });
	const older = createOlderLists({ fleet, calls, list });
	const looks = createRemoteLooks({ calls, screens: deps.screens, clock: deps.clock });
	const inbox = createEveryInbox({ ...deps, own: own.inbox, calls, looks, isWatched: deps.screens.watched });
	const asking = (requestId: string) => views.asking(requestId) ?? waitingIn(fleet.inbox().items, requestId);
	const joined = (by: RemoteCalls, prompts: Pick<OutboxSender, "send">) => {
		const remote = createRemoteConversations({ ...deps, calls: by, views, list, sender: prompts });
		return {
			conversations: route({
				own,
				remote,
				list,
				fleet,
				inbox,
				asking,
				search: async (query, limit) => (await search(query, limit)).results,
			}),
			jobs: routeJobs(deps.jobs, remote.jobs),
		};
	};
	const all = joined(calls, sender);
	return {
		...all,
		list(page = {}) {
			if (older.isOne(page.cursor)) return older.page(page.cursor, page);
			const found = all.conversations.list(page);
			const nextCursor = found.nextCursor ?? older.first();
			return nextCursor === undefined ? found : { ...found, nextCursor };
		},
		askAll: createAskAll({ fleet, calls }),
		ownList: own.list,
		status: fleet.status,
		remove: fleet.remove,
		recent: (id, limit) => (isRemote(id) ? views.recent(id, limit) : own.messages(id, { limit }).messages),
		wholeText: (id, message) => (isRemote(id) ? undefined : own.wholeText(id, messageId(message))),
		under(fence) {
			const fenced = createRemoteCalls(fleet, deps.bringFiles, fence);
			return joined(fenced, { send: sendFirst({ sender, isOnline, deliver: (entry) => deliverPrompt(fenced, entry) }) });
		},
		calls,
		outbox: sender,
		hosts: fleet.hosts,
		search,
		onHosts: fleet.onChange,
		close() {
			stop();
			inbox.close();
			looks.close();
			list.close();
			sender.close();
			views.close();
		},
	};
}

const isRemote = (id: string) => splitRemoteId(id) !== undefined;

function route(deps: {
	own: Conversations;
	remote: OneConversation;
	list: RemoteList;
	fleet: Pick<Fleet, "hosts">;
	inbox: EveryInbox;
	/** Which conversation of another host has this request open, as far as that is known here. */
	asking(requestId: string): ConversationId | undefined;
	search: EveryConversations["search"];
}): EveryConversations {
	const { own, remote, list } = deps;
	const at = (id: ConversationId): OneConversation => (isRemote(id) ? remote : own);
	/** To the conversation that is named, else to whichever has the request. */
	function to<R extends { conversationId?: ConversationId | undefined; requestId: string }, T>(
		response: R,
		settle: (one: OneConversation, placed: R) => T,
	): T {
		const id = response.conversationId ?? deps.asking(response.requestId);
		return id === undefined ? settle(own, response) : settle(at(id), { ...response, conversationId: id });
	}
	const selfOf = () => deps.fleet.hosts().find((host) => host.self);
	// Whoever has many asks once who this is.
	const hosted = (conversation: Conversation, self = selfOf()): Conversation => {
		return self === undefined ? conversation : { ...conversation, host: { id: self.id, name: self.name } };
	};
	return {
		create: async (input, isMade) => hosted(await own.create(input, isMade)),
		agentSessions: own.agentSessions,
		// Of another host its own route is asked.
		handOver: own.handOver,
		check: own.check,
		fork: async (id, request, origin) => (isRemote(id) ? remote.fork(id, request, origin) : hosted(await own.fork(id, request, origin))),
		forks: (id) =>
			isRemote(id) ? list.list().filter(({ forkedFrom }) => forkedFrom?.conversationId === id) : own.forks(id).map((each) => hosted(each)),
		usage: own.usage,
		dayBudget: own.dayBudget,
		setDayBudget: own.setDayBudget,
		storedWith: own.storedWith,
		inbox: deps.inbox,
		list(page = {}) {
			const limit = Math.min(page.limit ?? DEFAULT_PAGE, MAX_PAGE);
			const found = own.list(page);
			const self = selfOf();
			const here = { ...found, conversations: found.conversations.map((each) => hosted(each, self)) };
			return mergePage(here, list.list(), { ...page, limit });
		},
		get: (id) => (isRemote(id) ? remote.get(id) : hosted(own.get(id))),
		find(id) {
			if (isRemote(id)) return list.find(id);
			const found = own.find(id);
			return found === undefined ? undefined : hosted(found);
		},
		update: async (id, patch, actor) => (isRemote(id) ? remote.update(id, patch, actor) : hosted(await own.update(id, patch, actor))),
		delete: (id, actor) => at(id).delete(id, actor),
		messages: (id, page) => at(id).messages(id, page),
		message: (id, message) => at(id).message(id, message),
		tool: (id, message, toolCallId) => at(id).tool(id, message, toolCallId),
		search: deps.search,
		export: (id, format, how) => at(id).export(id, format, how),
		watchPage: (id, how) => at(id).watchPage(id, how),
		onChange(listener) {
			const stops = [
				own.onChange((change) => listener(change.kind === "deleted" ? change : { ...change, conversation: hosted(change.conversation) })),
				list.onChange(listener),
			];
			return () => {
				for (const stop of stops) stop();
			};
		},
		prompt: (request) => at(request.conversationId).prompt(request),
		abort: (id, turn) => at(id).abort(id, turn),
		stopSubAgent: (id, agentId) => at(id).stopSubAgent(id, agentId),
		answering: own.answering,
		active: () => [...own.active(), ...list.list().flatMap(({ id, status }) => (status === "streaming" ? [conversationId(id)] : []))],
		answer: (response) => at(response.conversationId).answer(response),
		decide: (response) => at(response.conversationId).decide(response),
		fillIn: (response) => to(response, (one, placed) => one.fillIn(placed)),
		decideBudget: (response) => to(response, (one, placed) => one.decideBudget(placed)),
		decidePlan: (response) => to(response, (one, placed) => one.decidePlan(placed)),
		pending: (id) => at(id).pending(id),
		queue: (id) => at(id).queue(id),
		editQueued: (id, message, content) => at(id).editQueued(id, message, content),
		moveQueued: (id, message, toIndex) => at(id).moveQueued(id, message, toIndex),
		dropQueued: (id, message) => at(id).dropQueued(id, message),
		sendQueuedNow: (id, message) => at(id).sendQueuedNow(id, message),
		exec: (request) => at(request.conversationId).exec(request),
		killExec: (exec, id) => (id === undefined ? own : at(id)).killExec(exec, id),
		pendingBashContext: (id) => at(id).pendingBashContext(id),
		dropBashContext: (id, message) => at(id).dropBashContext(id, message),
		trimBashContext: (id, message, maxChars) => at(id).trimBashContext(id, message, maxChars),
		restartShell: (id) => at(id).restartShell(id),
		lookAtContext: (id) => at(id).lookAtContext(id),
		compact: (id, by) => at(id).compact(id, by),
		askAside: (id, request) => at(id).askAside(id, request),
		changes: {
			list: (id, page) => at(id).changes.list(id, page),
			get: (id, change) => at(id).changes.get(id, change),
			diff: (id, change, path) => at(id).changes.diff(id, change, path),
			hunks: (id, change, file) => at(id).changes.hunks(id, change, file),
			content: (id, change, file) => at(id).changes.content(id, change, file),
			undo: (id, request, actor) => at(id).changes.undo(id, request, actor),
		},
		subscribe: (id, position, subscriber) => at(id).subscribe(id, position, subscriber),
		follow: (id, subscriber) => at(id).follow(id, subscriber),
		release: async (id) => (isRemote(id) ? undefined : own.release(id)),
		close: own.close,
	};
}

const waitingIn = (items: readonly InboxItem[], requestId: string): ConversationId | undefined => {
	const found = items.find(({ plan, budget, form }) => [plan, budget, form].some((request) => request?.requestId === requestId));
	return typeof found?.conversationId === "string" ? conversationId(found.conversationId) : undefined;
};

const routeJobs = (own: Jobs, remote: Jobs): Jobs => ({
	jobs: (id) => (id !== undefined && isRemote(id) ? remote : own).jobs(id),
	jobOutput: (request) => (isRemote(request.conversationId) ? remote : own).jobOutput(request),
	killJob: (id, bashId) => (isRemote(id) ? remote : own).killJob(id, bashId),
});

/** Every host searches what it has; one that does not answer is named, and costs the others nothing. */
function createSearch({ own, fleet, calls }: { own: Conversations; fleet: Fleet; calls: RemoteCalls }): Everywhere["search"] {
	async function ask(host: FleetHost, q: string, limit: number): Promise<SearchResult[]> {
		const head = readHead(await calls.ask({ host: host.id }, { type: "fleet:search", data: { q, limit } }, SOMEBODY));
		const { results } = readWith(searchAnswer, head?.type === "fleet:results" ? head.data : undefined);
		return results.map((each) => ({
			...each,
			conversationId: conversationId(remoteIdOf(host.id, each.conversationId)),
			messageId: messageId(each.messageId),
		}));
	}
	return async (query, limit = DEFAULT_PAGE) => {
		const others = fleet.hosts().filter(({ self }) => !self);
		const [here, ...there] = await Promise.all([
			own.search(query, limit),
			...others.map(async (host) => (host.state === "offline" ? undefined : ask(host, query, limit).catch(() => undefined))),
		]);
		const results = [...here, ...there.flatMap((found) => found ?? [])].toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
		return { results: results.slice(0, limit), missing: others.filter((_, index) => there[index] === undefined) };
	};
}
