import { inboxAnswer } from "@rightseat/protocol/http/inbox";
import type { InboxItem } from "@rightseat/protocol/model/inbox";
import type { Message } from "@rightseat/protocol/model/message";
import { wait } from "./wait.ts";
import type { World } from "./world.ts";

/** What is known in peace of who waits for a person. */
export interface InboxFacts {
	items: readonly Pick<InboxItem, "id" | "kind" | "conversationId">[];
	/** The conversation of the pages, with all that is stored of it. */
	conversationId: string;
	messages: readonly Message[];
	/** Every conversation that there is. */
	conversations: readonly string[];
	/** A real page may have looked at the conversation, and then its end waits for nobody. */
	mayBeSeen: boolean;
	/** What the pages were told last, by `inbox:changed`; undefined: nothing since they connected. */
	told: readonly (number | undefined)[];
}

const ENDS: readonly InboxItem["kind"][] = ["finished", "failed", "interrupted", "login-needed"];
const ASKS: readonly InboxItem["kind"][] = ["question", "permission", "plan", "budget", "form"];
/** Whoever is told of a change is told once per burst. */
const SETTLE_LIMIT_MS = 5_000;

/** Whether the inbox has what waits for a person, and nothing else. Each finding is a sentence; none is good. */
export function inboxFindings(facts: InboxFacts): string[] {
	const { items, conversationId, messages } = facts;
	const findings: string[] = [];
	for (const { id, kind, conversationId: of } of items) {
		if (ASKS.includes(kind)) findings.push(`The inbox has ${id} although nothing runs.`);
		if (of !== null && !facts.conversations.includes(of)) findings.push(`The inbox has ${id} of a conversation that is gone.`);
	}
	const endsOf = (of: string) => items.filter((item) => item.conversationId === of && ENDS.includes(item.kind)).map(({ id }) => id);
	for (const of of new Set(items.flatMap((item) => item.conversationId ?? [])))
		if (endsOf(of).length > 1) findings.push(`The inbox has several ends of one conversation: ${endsOf(of).join(", ")}.`);

	const answer = messages.findLast((message) => message.role === "assistant");
	const outcome = answer?.role === "assistant" ? answer.metadata.outcome : "aborted";
	const isRight = (id: string) =>
		outcome !== "aborted" && id.endsWith(`-${answer?.id}`) && (outcome !== "completed" || id.startsWith("finished-"));
	const [end] = endsOf(conversationId);
	if (end === undefined && outcome !== "aborted" && !facts.mayBeSeen)
		findings.push(`The inbox says nothing of the last turn, which is ${outcome}.`);
	if (end !== undefined && !isRight(end)) findings.push(`The inbox has ${end}, but the last turn is ${answer?.id}, ${outcome}.`);

	const queued = messages.filter((message) => message.role === "user" && message.metadata.delivery === "queued").length;
	const rests = items.some((item) => item.kind === "queue-resting" && item.conversationId === conversationId);
	if (rests !== queued > 0) findings.push(`The inbox ${rests ? "has" : "does not have"} a resting queue, and ${queued} prompts wait.`);
	for (const [page, count] of facts.told.entries())
		if (count !== undefined && count !== items.length)
			findings.push(`Page ${page} was told of ${count} items in the inbox, and there are ${items.length}.`);
	return findings;
}

/** The same of a world, as soon as it is so. */
export async function examineInbox(world: World, messages: readonly Message[]): Promise<string[]> {
	const limit = Date.now() + SETTLE_LIMIT_MS;
	for (;;) {
		const { items } = inboxAnswer.parse(await (await world.server.api("/api/inbox")).json());
		const listed: { conversations: { id: string }[] } = await (await world.server.api("/api/conversations?limit=200")).json();
		const findings = inboxFindings({
			...{ items, messages, conversationId: world.conversationId, conversations: listed.conversations.map(({ id }) => id) },
			mayBeSeen: world.page !== undefined,
			told: world.clients.map((client) => client.inboxCount),
		});
		if (findings.length === 0 || Date.now() > limit) return findings;
		await wait(150);
	}
}
