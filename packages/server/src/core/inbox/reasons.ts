import { cutText } from "@rightseat/protocol/text";
import type { ActiveConversations } from "../active/active-conversations.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Agents } from "../ports/agents.ts";
import type { UnseenEnd } from "../ports/inbox-store.ts";
import type { Store } from "../ports/store.ts";
import type { InboxReason } from "./inbox-source.ts";

/** Of a question or a summary: a list has one or two lines for it. */
const MAX_WHY_CHARS = 300;

/** What this server itself knows of. */
export interface OwnReasons {
	list(limit: number): InboxReason[];
	/** The end of the last turn, as it waits now: with a login that is there again it is an ordinary failure. */
	kindOf(end: UnseenEnd & { agent: string }): UnseenEnd["kind"];
}

export interface ReasonDeps {
	store: Pick<Store, "inbox" | "messages" | "conversations">;
	active: Pick<ActiveConversations, "asking" | "find">;
	agents: Pick<Agents, "find">;
	askTimeoutMs: number;
	/** A queue that waits for a free slot is not resting. */
	isQueueReady(id: ConversationId): boolean;
	/** A page shows it right now; what is on somebody's screen need not be in a list. */
	isWatched(id: ConversationId): boolean;
}

/** Nothing is remembered here: every call looks at what is. */
export function createOwnReasons(deps: ReasonDeps): OwnReasons {
	const { store, active } = deps;

	function asks(): InboxReason[] {
		const askedAt = (expiresAt: string) => Date.parse(expiresAt) - deps.askTimeoutMs;
		return active.asking().flatMap(({ id: conversationId, questions, permissions, plans, forms }) => [
			...[...questions.values()].map(({ settle: _, ...question }): InboxReason => {
				const since = askedAt(question.expiresAt);
				return { id: `question-${question.requestId}`, kind: "question", conversationId, why: oneLine(question.question), since, question };
			}),
			...[...permissions.values()].map(({ settle: _, offer: __, ...permission }): InboxReason => {
				const since = askedAt(permission.expiresAt);
				const id = `permission-${permission.requestId}`;
				return { id, kind: "permission", conversationId, why: oneLine(permission.summary), since, permission };
			}),
			...[...plans.values()].map(({ settle: _, askedAt: since, ...plan }): InboxReason => {
				return { id: `plan-${plan.requestId}`, kind: "plan", conversationId, why: oneLine(plan.summary), since, plan };
			}),
			...[...forms.values()].map(({ settle: _, fields: _f, bytes: _b, ...form }): InboxReason => {
				const why = oneLine(`${form.source}: ${form.message}`);
				return { id: `form-${form.requestId}`, kind: "form", conversationId, why, since: askedAt(form.expiresAt), form };
			}),
		]);
	}

	function kindOf({ kind, agent }: UnseenEnd & { agent: string }): UnseenEnd["kind"] {
		return kind === "login-needed" && deps.agents.find(agent)?.health().state === "ready" ? "failed" : kind;
	}

	function ends(limit: number): InboxReason[] {
		return store.inbox.ends(limit).flatMap((end) => {
			const { conversationId, messageId, title, since, why, code, params } = end;
			const kind = kindOf(end);
			if (kind !== "login-needed" && deps.isWatched(conversationId)) return [];
			return { id: `${kind}-${messageId}`, kind, conversationId, title, why, code, params, since };
		});
	}

	function queues(): InboxReason[] {
		return store.messages.conversationsWithQueue().flatMap((conversationId): InboxReason[] => {
			if (active.find(conversationId)?.turn !== undefined || deps.isQueueReady(conversationId)) return [];
			const queued = store.messages.queued(conversationId);
			const [first] = queued;
			if (first === undefined) return [];
			const end = store.inbox.findEnd(conversationId);
			const since = Math.max(Date.parse(first.createdAt), end?.since ?? 0);
			const params = { count: queued.length };
			const why = `Prompts that wait until somebody goes on: ${queued.length}.`;
			return [{ id: `queue-resting-${first.id}`, kind: "queue-resting", conversationId, why, code: "queue-resting", params, since }];
		});
	}

	return { list: (limit) => [...asks(), ...ends(limit), ...queues()], kindOf };
}

function oneLine(text: string): string {
	return cutText(text.replace(/\s+/g, " ").trim(), MAX_WHY_CHARS);
}
