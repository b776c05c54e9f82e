import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import { decodeServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import type { ServerFrame, ServerFrameOf } from "@rightseat/protocol/frames/server";
import { conversationAnswer, messagesAnswer, toolAnswer } from "@rightseat/protocol/http/conversations";
import type { EveryConversations } from "../conversations/conversations.ts";
import type { Actor } from "../kernel/actor.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, execId, type IdSource, messageId } from "../kernel/ids.ts";
import type { Fleet, FleetStatus } from "../ports/fleet.ts";
import type { OutboxEntry } from "../ports/fleet-store.ts";
import type { Jobs } from "../ports/shell.ts";
import type { PromptReceipt } from "../turns/prompt-request.ts";
import { toHere } from "./here.ts";
import type { OutboxSender } from "./outbox-sender.ts";
import { type Place, type RemoteCalls, readWith, SOMEBODY, unreadable } from "./remote-calls.ts";
import { createRemoteChanges } from "./remote-changes.ts";
import { createRemoteContext } from "./remote-context.ts";
import type { RemoteList } from "./remote-list.ts";
import type { RemoteViews } from "./remote-views.ts";

/** What can be asked about one conversation, wherever it is. */
export type OneConversation = Omit<
	EveryConversations,
	| "create"
	| "check"
	| "answering"
	| "forks"
	| "usage"
	| "dayBudget"
	| "setDayBudget"
	| "storedWith"
	| "inbox"
	| "agentSessions"
	| "handOver"
	| "list"
	| "search"
	| "onChange"
	| "active"
	| "close"
	| "release"
	| "find"
>;

export interface RemoteConversationsDeps {
	fleet: Pick<Fleet, "hosts" | "status">;
	calls: RemoteCalls;
	views: RemoteViews;
	list: RemoteList;
	sender: Pick<OutboxSender, "send">;
	ids: IdSource;
}

/** What a person says to something that waits. */
interface Response {
	conversationId?: ConversationId | undefined;
	by: Actor["origin"];
	from?: string;
}

/** Conversations of other hosts: read from what is known here, and everything else asked of the host where they are. */
export function createRemoteConversations(deps: RemoteConversationsDeps): OneConversation & { jobs: Jobs } {
	const { calls, views, list } = deps;
	const tell = async (id: ConversationId, type: string, data: object = {}, who: Actor = SOMEBODY): Promise<void> =>
		void (await calls.ask(placeOf(id), frameOf(id, type, data), who));
	const respond = async (type: string, { conversationId: id, by, from, ...data }: Response) => {
		if (id !== undefined) await tell(id, type, data, personOf(by, from));
	};
	const state = async (id: ConversationId) => {
		const [line = ""] = await calls.ask(placeOf(id), { type: "fleet:state", data: {} }, SOMEBODY);
		return frameOfType(line, "copilot:snapshot").data;
	};
	const pathOf = (id: ConversationId, rest = "") => `/api/conversations/${placeOf(id).conversationId}${rest}`;
	const get = (id: ConversationId, rest: string, query: Record<string, string> = {}) =>
		calls.http(placeOf(id), { method: "GET", path: pathOf(id, rest), query }, SOMEBODY).then(({ body, status }) => {
			if (status >= 400) throw calls.refusal(body);
			return body;
		});

	return {
		changes: createRemoteChanges(calls, placeOf),
		subscribe(id, position, subscriber) {
			if (list.find(id) === undefined) void adopt(deps, known(id), nameOf(placeOf(id).host));
			return views.subscribe(known(id), position, subscriber);
		},
		follow: (id, subscriber) => views.follow(known(id), subscriber),
		get: (id) => list.find(id) ?? notFound(),
		async update(id, patch, actor = SOMEBODY) {
			const { host } = placeOf(id);
			const answer = await calls.json(placeOf(id), { method: "PATCH", path: pathOf(id), body: patch }, actor);
			return toHere(host, nameOf(host), readWith(conversationAnswer, answer).conversation);
		},
		async delete(id, actor = SOMEBODY) {
			await calls.json(placeOf(id), { method: "DELETE", path: pathOf(id) }, actor);
		},
		messages: (id, page) => messages(id, page),
		message: async (id, message) => [unwrapped(await get(id, `/messages/${encodeURIComponent(message)}`))],
		async tool(id, message, toolCallId) {
			const body = await get(id, `/messages/${encodeURIComponent(message)}/tools/${encodeURIComponent(toolCallId)}`);
			return readWith(toolAnswer, calls.parse(body)).tool;
		},
		export: async (id, format, how) => [await get(id, "/export", { format, ...(how === undefined ? {} : { lang: how.language }) })],
		async prompt({ conversationId: id, prompt, clientMessageId = deps.ids.next(), attachments = [], mode, origin, from }) {
			const actor: Actor = from === undefined ? { origin } : { origin, from };
			const entry = { ...placeOf(id), clientMessageId, prompt, attachments, actor };
			// What joins the running turn makes sense now or not at all.
			return mode === "immediate" ? deliverPrompt(calls, { ...entry, mode }) : deps.sender.send(entry);
		},
		async abort(id, wanted) {
			const turn = wanted ?? views.turn(id) ?? (await state(id)).turn?.messageId;
			if (turn !== undefined) await tell(id, "copilot:abort", { messageId: turn });
			return turn !== undefined;
		},
		stopSubAgent: (id, agentId) => tell(id, "copilot:subagent_stop", { agentId }),
		answer: (response) => respond("copilot:user_input_response", response),
		decide: (response) => respond("copilot:permission_response", response),
		decideBudget: (response) => respond("copilot:budget_response", response),
		decidePlan: (response) => respond("copilot:plan_response", response),
		fillIn: (response) => respond("copilot:form_response", response),
		// For guests, whom the host of a conversation lets in.
		watchPage: () => notFound(),
		async fork(id, { before, ...rest }, origin) {
			const { host } = placeOf(id);
			const body = { ...rest, ...(before === undefined ? {} : { beforeMessageId: before }) };
			const answer = await calls.json(placeOf(id), { method: "POST", path: pathOf(id, "/fork"), body }, { origin });
			return toHere(host, nameOf(host), readWith(conversationAnswer, answer).conversation);
		},
		async pending(id) {
			const { questions, permissions, plans = [], budgets = [], forms = [] } = await state(id);
			return { questions, permissions, plans, budgets, forms };
		},
		queue: async (id) => (await state(id)).queue,
		editQueued: (id, message, content) => tell(id, "copilot:queue_edit", { messageId: message, content }),
		moveQueued: (id, message, toIndex) => tell(id, "copilot:queue_move", { messageId: message, toIndex }),
		dropQueued: (id, message) => tell(id, "copilot:queue_drop", { messageId: message }),
		sendQueuedNow: (id, message) => tell(id, "copilot:queue_send_now", { messageId: message }),
		async exec({ conversationId: id, command, clientMessageId = deps.ids.next(), origin, from }) {
			const frame = frameOf(id, "bash:exec", { command, clientMessageId });
			const [line = ""] = await calls.ask(placeOf(id), frame, personOf(origin, from));
			const { data } = frameOfType(line, "copilot:ack");
			return { execId: execId(data.messageId), duplicate: data.duplicate === true };
		},
		async killExec(exec, id) {
			if (id === undefined) return false;
			try {
				await tell(id, "bash:kill", { execId: exec });
				return true;
			} catch (error) {
				if (error instanceof AppError && error.code === "exec-not-found") return false;
				throw error;
			}
		},
		pendingBashContext: async (id) => (await state(id)).context,
		dropBashContext: (id, message) => tell(id, "bash:context_drop", { messageId: message }),
		trimBashContext: (id, message, maxChars) => tell(id, "bash:context_trim", { messageId: message, maxChars }),
		restartShell: (id) => tell(id, "bash:restart"),
		...{ ...createRemoteContext(calls, deps.ids, placeOf), jobs: createRemoteJobs(calls) },
	};

	async function messages(id: ConversationId, { before, limit }: { before?: string; limit: number }) {
		const query = { limit: String(limit), ...(before === undefined ? {} : { before }) };
		try {
			return readWith(messagesAnswer, calls.parse(await get(id, "/messages", query)));
		} catch (error) {
			// Its host is away: the newest messages are in the copy, and older ones on that host.
			const copy = before === undefined && isAway(error) ? await views.state(known(id)) : undefined;
			if (copy === undefined) throw error;
			return { messages: copy.messages.slice(-limit) };
		}
	}
	function known(id: ConversationId): ConversationId {
		const { host } = placeOf(id);
		const hosts = deps.fleet.hosts();
		// A server that has just started does not know yet who belongs to its fleet: a page that comes back then must not be told that this is gone.
		const isStarting = hosts.length === 0 && !isWithoutPlace(deps.fleet.status());
		return isStarting || hosts.some((each) => each.id === host && !each.self) ? id : notFound();
	}
	function nameOf(host: string): string {
		return deps.fleet.hosts().find(({ id }) => id === host)?.name ?? host;
	}
}

/** One beyond the list of its host is known as soon as somebody looks at it. Never rejects. */
async function adopt({ calls, list }: Pick<RemoteConversationsDeps, "calls" | "list">, id: ConversationId, name: string): Promise<void> {
	const place = placeOf(id);
	try {
		const answer = await calls.json(place, { method: "GET", path: `/api/conversations/${place.conversationId}` }, SOMEBODY);
		list.adopt([toHere(place.host, name, readWith(conversationAnswer, answer).conversation)]);
	} catch {
		// Its host is away or has no such conversation: whoever looks is told so by what is shown.
		return;
	}
}

function createRemoteJobs(calls: RemoteCalls): Jobs {
	const one = async (id: ConversationId, type: string, data: object) =>
		(await calls.ask(placeOf(id), frameOf(id, type, data), SOMEBODY))[0] ?? "";
	return {
		async jobs(id) {
			if (id === undefined) return [];
			const { jobs } = frameOfType(await one(id, "bash:jobs", {}), "bash:jobs").data;
			return jobs.map((job) => ({ ...job, conversationId: id }));
		},
		async jobOutput({ conversationId: id, bashId, filter }) {
			const data = { bashId, ...(filter === undefined ? {} : { filter }) };
			const { output, status } = frameOfType(await one(id, "bash:job_output", data), "bash:job_output").data;
			return { ok: true, text: output, status };
		},
		async killJob(id, bashId) {
			await one(id, "bash:job_kill", { bashId });
			return { ok: true, message: "" };
		},
	};
}

/** Brings a prompt to its host, whose log it is in when this resolves. Sent twice it is one. */
export async function deliverPrompt(
	calls: RemoteCalls,
	entry: Pick<OutboxEntry, "host" | "conversationId" | "clientMessageId" | "prompt" | "attachments" | "actor"> & { mode?: "immediate" },
): Promise<PromptReceipt> {
	const { host, conversationId, clientMessageId, prompt, actor, mode } = entry;
	const attachments = await calls.bring(host, entry.attachments, actor);
	const data = { conversationId, prompt, clientMessageId, ...(attachments.length === 0 ? {} : { attachments }), ...(mode && { mode }) };
	const [line = ""] = await calls.ask({ host, conversationId }, { type: "copilot:send", data }, actor);
	const ack = frameOfType(line, "copilot:ack").data;
	return { messageId: messageId(ack.messageId), duplicate: ack.duplicate === true, delivery: ack.delivery ?? "started" };
}

/** Where a conversation of another host is; only such ids come here. */
export function placeOf(id: ConversationId): Place & { conversationId: string } {
	return splitRemoteId(id) ?? notFound();
}

const frameOf = (id: ConversationId, type: string, data: object): FleetCommand["frame"] => ({
	type,
	data: { ...data, conversationId: placeOf(id).conversationId },
});

function frameOfType<T extends ServerFrame["type"]>(line: string, type: T): ServerFrameOf<T> {
	const decoded = decodeServerFrame(line);
	if (decoded.kind === "frame" && isOfType(decoded.frame, type)) return decoded.frame;
	throw unreadable();
}
const isOfType = <T extends ServerFrame["type"]>(frame: ServerFrame, type: T): frame is ServerFrameOf<T> => frame.type === type;

/** Credentials that are refused say nothing of who belongs to the fleet. */
const isWithoutPlace = (status: FleetStatus) => status.kind === "refused" && status.because.params?.reason === "no-place";

const personOf = (origin: Actor["origin"], from: string | undefined): Actor => (from === undefined ? { origin } : { origin, from });
const isAway = (error: unknown) =>
	error instanceof AppError && ["host-offline", "host-unreachable", "fleet-not-connected"].includes(error.code);

/** `{"message":…}` without its wrapping: whoever asked wraps it again. */
const unwrapped = (body: string) => body.slice('{"message":'.length, -1);

function notFound(): never {
	throw new AppError("conversation-not-found", "There is no such conversation. It may have been deleted.");
}
