import { describeShown } from "../asks/remembered/rule-text.ts";
import type { Actor } from "../kernel/actor.ts";
import type { AuditLog, AuditRecord } from "../ports/audit.ts";
import type { Conversations } from "./conversations.ts";

/** A decorator of the service: what people run, allow, answer, switch and delete is recorded in the audit log, whichever channel they use. */
export function audited(conversations: Conversations, audit: Pick<AuditLog, "record" | "entry">): Conversations {
	/** In one commit with what it tells of: an entry that came after it would be missing after a power cut, although the command has run. */
	function recorded<T>(entries: readonly AuditRecord[], act: () => T, isNews = (_: T) => true): T {
		const writes = entries.map(audit.entry);
		const { result, isWritten } = conversations.storedWith(() => writes.forEach((write) => void write()), act);
		if (!isWritten && isNews(result)) entries.forEach(audit.record);
		return result;
	}
	return {
		...conversations,
		exec(request) {
			const entry = { kind: "command" as const, source: sourceOf(request), detail: request.command };
			return recorded(
				[entry],
				() => conversations.exec(request),
				({ duplicate }) => !duplicate,
			);
		},
		decide(response) {
			const { conversationId, requestId, decision, by, from } = response;
			const asked = conversations.pending(conversationId).permissions.find((request) => request.requestId === requestId);
			const what = asked === undefined ? "" : `: ${asked.summary}`;
			const source = sourceOf({ origin: by, from });
			const rules = response.remember === true ? (asked?.remember ?? []) : [];
			const made = rules.map((rule) => ({ kind: "permission-rule" as const, source, detail: `made: ${describeShown(rule)}` }));
			const entry = { kind: "permission" as const, source, detail: `${decision} in ${conversationId}${what}` };
			recorded([entry, ...made], () => conversations.decide(response));
		},
		answer(response) {
			const { conversationId, by, from, answer } = response;
			const entry = { kind: "answer" as const, source: sourceOf({ origin: by, from }), detail: `in ${conversationId}: ${answer}` };
			recorded([entry], () => conversations.answer(response));
		},
		decidePlan(response) {
			const { requestId, approved, action, plan, by, from } = response;
			const what = approved ? `taken${action === undefined ? "" : ` (${action})`}${plan === undefined ? "" : ", changed"}` : "sent back";
			const entry = { kind: "plan" as const, source: sourceOf({ origin: by, from }), detail: `${what}, request ${requestId}` };
			recorded([entry], () => conversations.decidePlan(response));
		},
		decideBudget(response) {
			const { requestId, decision, limit, by, from } = response;
			const what = limit === undefined ? decision : `${decision} to ${limit}`;
			const entry = { kind: "budget" as const, source: sourceOf({ origin: by, from }), detail: `${what}, request ${requestId}` };
			recorded([entry], () => conversations.decideBudget(response));
		},
		fillIn(response) {
			// What was filled in is nobody's but the asker's.
			const { conversationId, requestId, action, by, from } = response;
			const where = conversationId === undefined ? "" : `in ${conversationId}: `;
			const entry = { kind: "answer" as const, source: sourceOf({ origin: by, from }), detail: `${where}${action}, form ${requestId}` };
			recorded([entry], () => conversations.fillIn(response));
		},
		setDayBudget(budget, actor) {
			conversations.setDayBudget(budget, actor);
			audit.record({ kind: "budget", source: sourceOf(actor), detail: `a day: ${JSON.stringify(budget)}` });
		},
		async update(id, patch, actor) {
			const before = conversations.find(id)?.permissions;
			const updated = await conversations.update(id, patch, actor);
			if (updated.permissions !== before) {
				audit.record({ kind: "permission-mode", source: sourceOf(actor), detail: `${updated.permissions} in ${id}` });
			}
			if (patch.budget !== undefined) {
				audit.record({ kind: "budget", source: sourceOf(actor), detail: `${JSON.stringify(updated.budget)} in ${id}` });
			}
			return updated;
		},
		changes: {
			...conversations.changes,
			async undo(id, request, actor) {
				const what = `${request.changeIds.join(", ")} in ${id}`;
				const record = (detail: string) => audit.record({ kind: request.kind, source: sourceOf(actor), detail });
				// A crash in its middle would leave changed files, and nobody who changed them.
				const result = await conversations.changes.undo(id, request, actor, () => record(`begun: ${what}`));
				if (result.changeId === undefined) return result;
				const done = result.files.filter((file) => file.result !== "skipped").map(({ path }) => path);
				record(`${what}: ${done.join(", ")}`);
				return result;
			},
		},
		async delete(id, actor) {
			const title = conversations.find(id)?.title ?? "";
			// What is left to tidy may take seconds, and a crash within them would leave nobody who did it.
			await conversations.delete(
				id,
				actor,
				audit.entry({ kind: "conversation-deleted", source: sourceOf(actor), detail: `${id} ${title}` }),
			);
		},
	};
}

/** A web client is its address; anybody else is named with the channel. */
export function sourceOf(actor: Actor | undefined): string {
	if (actor === undefined) return "api";
	if (actor.from === undefined) return actor.origin;
	return actor.origin === "web" ? actor.from : `${actor.origin} ${actor.from}`;
}
