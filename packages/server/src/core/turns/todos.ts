import type { Todo, TodoList } from "@rightseat/protocol/model/todo";
import { cutText } from "@rightseat/protocol/text";
import { jsonBytes } from "../kernel/fit.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { EventLog } from "../log/event-log.ts";
import type { Store } from "../ports/store.ts";

/** Items of a list that are kept and shown, and all of them together in bytes of JSON; how many more there are is said. */
export const MAX_TODOS = 200;
export const MAX_TODOS_BYTES = 16_384;
/** Of one title, and of the agent's own name for an item. */
const MAX_TITLE_CHARS = 300;
const MAX_ID_CHARS = 100;

/** Keeps the agent's to-do list of each conversation, and tells every reader when it looks different. */
export interface Todos {
	/** The list as it stands now. Never throws. */
	set(id: ConversationId, items: readonly Todo[]): void;
}

export function createTodos(deps: {
	store: Pick<Store, "conversations" | "todos">;
	log: Pick<EventLog, "append" | "commit">;
	redactor: Pick<Redactor, "value">;
	logger: Logger;
}): Todos {
	const { store, log } = deps;
	return {
		set(id, items) {
			try {
				const list = deps.redactor.value(boundTodos(items));
				const isSame = JSON.stringify(store.todos.find(id) ?? { items: [] }) === JSON.stringify(list);
				if (isSame || store.conversations.find(id) === undefined) return;
				log.commit(() => {
					store.todos.set(id, list.items.length === 0 ? undefined : list);
					log.append(id, { type: "copilot:todos", data: list });
				});
			} catch (error) {
				// A list is not worth a turn: a disk that refuses now keeps the one before.
				deps.logger.warn({ err: error, conversationId: id }, "The to-do list of an agent could not be stored");
			}
		},
	};
}

/** The first ones, as many as fit. */
function boundTodos(items: readonly Todo[]): TodoList {
	let left = MAX_TODOS_BYTES;
	const short = items.slice(0, MAX_TODOS).map(({ id, title, status }) => ({
		id: cutText(id, MAX_ID_CHARS),
		title: cutText(title.replace(/\s+/g, " ").trim(), MAX_TITLE_CHARS),
		status,
	}));
	const end = short.findIndex((item) => {
		left -= jsonBytes(item) + 1;
		return left < 0;
	});
	const kept = end === -1 ? short : short.slice(0, end);
	return kept.length === items.length ? { items: kept } : { items: kept, more: items.length - kept.length };
}
