import type { TodoList } from "@rightseat/protocol/model/todo";
import type { ConversationId } from "../kernel/ids.ts";

/** The to-do list of each conversation's agent, as it was last told. */
export interface TodoStore {
	find(id: ConversationId): TodoList | undefined;
	/** Undefined: it has none any more. */
	set(id: ConversationId, list: TodoList | undefined): void;
}
