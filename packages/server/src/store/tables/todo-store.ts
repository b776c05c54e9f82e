import { todoListSchema } from "@rightseat/protocol/model/todo";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { textColumn } from "../../core/ports/sql-row.ts";
import type { TodoStore } from "../../core/ports/todo-store.ts";
import { cleanText } from "../sqlite/clean-text.ts";

export function createTodoStore(sql: SqlDatabase): TodoStore {
	return {
		find(id) {
			const row = sql.prepare("SELECT list FROM todos WHERE conversation_id = ?").get(id);
			const parsed = row === undefined ? undefined : todoListSchema.safeParse(JSON.parse(textColumn(row, "list")));
			return parsed?.data;
		},
		set(id, list) {
			if (list === undefined) sql.prepare("DELETE FROM todos WHERE conversation_id = ?").run(id);
			else sql.prepare("INSERT OR REPLACE INTO todos (conversation_id, list) VALUES (?, ?)").run(id, cleanText(JSON.stringify(list)));
		},
	};
}
