import type { ActiveConversations } from "../active/active-conversations.ts";
import type { ConversationChanges } from "../active/conversation-changes.ts";
import { titleFrom } from "../commands/title.ts";
import type { Cancel, Clock } from "../kernel/clock.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { ConversationRow, Store } from "../ports/store.ts";
import type { HeldSessions } from "../turns/held-sessions.ts";
import type { Turns } from "../turns/turns.ts";

/** A conversation in which nothing happened for so long after an answer is named. */
export const TITLE_REST_MS = 15_000;
/** Conversations whose model was asked, or that wait to rest; the oldest are forgotten. */
const MAX_ASKED = 1_000;
/** A title that is longer is no title. */
const MAX_ANSWER_CHARS = 200;

/** Asked apart from the history, in whatever language is spoken there. */
export const TITLE_QUESTION =
	"Name this conversation: at most six words, in the language that the user writes in. Answer with the name alone, without quotes, without a full stop.";

/** Names conversations by the model that answers in them. */
export interface Titles {
	/** The same turns; a conversation that rests after one is named. */
	after<T extends Pick<Turns, "start">>(turns: T): T;
	close(): void;
}

export function createTitles(deps: {
	store: Pick<Store, "conversations" | "messages">;
	held: Pick<HeldSessions, "find">;
	active: Pick<ActiveConversations, "find">;
	changes: Pick<ConversationChanges, "updated">;
	redactor: Redactor;
	clock: Clock;
	logger: Logger;
	/** No limit of tokens or cost is reached. */
	mayCall(id: ConversationId): boolean;
	/** Off: the first prompt names a conversation for good. */
	isOn(): boolean;
}): Titles {
	const { store, clock, logger } = deps;
	const resting = new Map<ConversationId, Cancel>();
	const asked = new Set<ConversationId>();

	function putOff(id: ConversationId): void {
		resting.get(id)?.();
		resting.delete(id);
	}

	async function ask(id: ConversationId): Promise<void> {
		resting.delete(id);
		try {
			const session = deps.held.find(id)?.session;
			if (!deps.mayCall(id)) return;
			if (session?.askAside === undefined || deps.active.find(id)?.turn !== undefined || findUnnamed(store, id) === undefined) return;
			remember(id);
			const answer = await session.askAside(TITLE_QUESTION);
			const title = answer === undefined ? "" : cleanTitle(deps.redactor.text(answer));
			// It may have been named, or deleted, while the model thought.
			if (title === "" || findUnnamed(store, id) === undefined) return;
			store.conversations.update(id, { title });
			deps.changes.updated(id);
		} catch (error) {
			// A name is not worth more than a line in the log.
			logger.info({ err: error, conversationId: id }, "The model could not be asked for a title");
		}
	}

	function remember(id: ConversationId): void {
		asked.add(id);
		const [oldest] = asked;
		if (asked.size > MAX_ASKED && oldest !== undefined) asked.delete(oldest);
	}

	function rest(id: ConversationId): void {
		if (asked.has(id) || resting.size >= MAX_ASKED || !deps.isOn()) return;
		putOff(id);
		resting.set(
			id,
			clock.after(TITLE_REST_MS, () => void ask(id)),
		);
	}

	return {
		after: (turns) => ({
			...turns,
			async start(begun) {
				putOff(begun.conversationId);
				const end = await turns.start(begun);
				if (end.outcome === "completed") rest(begun.conversationId);
				return end;
			},
		}),
		close() {
			for (const cancel of resting.values()) cancel();
			resting.clear();
		},
	};
}

/** The row as long as nobody and nothing but its first prompt has named it. */
function findUnnamed(store: Pick<Store, "conversations" | "messages">, id: ConversationId): ConversationRow | undefined {
	const row = store.conversations.find(id);
	if (row === undefined || row.titleFixed || row.forkedFrom !== null) return undefined;
	const first = store.messages.findCut(id, undefined)?.first;
	const message = first === undefined ? undefined : store.messages.find(id, first);
	return message !== undefined && titleFrom(message.content) === row.title ? row : undefined;
}

/** One short line; empty when the answer is no title. */
function cleanTitle(answer: string): string {
	const line = answer.trim();
	if (line.length > MAX_ANSWER_CHARS || line.includes("\n")) return "";
	return titleFrom(line.replace(/^[\s"'“”„«»「『《*_#`]+|[\s"'“”«»」』》*_`.。]+$/gu, ""));
}
