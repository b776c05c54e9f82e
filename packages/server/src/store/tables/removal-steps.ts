/** Rows that one step removes at most, and their texts together in bytes: a few milliseconds, in which the main thread's next write has to wait. */
export const REMOVAL_ROWS = 100;
export const REMOVAL_BYTES = 1_048_576;

/** Removes what is left of deleted conversations. */
export interface RemovalSteps {
	/** Would deleting it remove no more than one step does? */
	isSmall(id: string): boolean;
	/** One step; empty when nothing is left of any. The caller makes a transaction of it. */
	remove(): { rows: number }[];
}

interface Statements {
	run(...values: (string | number)[]): unknown;
	get(...values: (string | number)[]): Record<string, unknown> | undefined;
	all(...values: (string | number)[]): Record<string, unknown>[];
}

/** Also runs as text on the second thread: it must use nothing from outside of its own body. */
export function createRemovalSteps(prepare: (sql: string) => Statements, limits: { rows: number; bytes: number }): RemovalSteps {
	const PIECES = "SELECT name, start, octet_length(text) AS bytes FROM message_pieces WHERE message_key = ? LIMIT ?";
	const MESSAGES =
		"SELECT key, octet_length(content) + octet_length(metadata) AS bytes FROM messages WHERE conversation_id = ? ORDER BY position LIMIT ?";
	const EVENTS = "SELECT seq, octet_length(frame) AS bytes FROM events WHERE conversation_id = ? ORDER BY seq LIMIT ?";
	const COMMANDS = "SELECT rowid, octet_length(command) AS bytes FROM commands WHERE conversation_id = ? LIMIT ?";
	const REMOVED = "SELECT key AS rowid, 0 AS bytes FROM removed_messages WHERE conversation_id = ? LIMIT ?";

	/** What a step may still do. One row is always removed, however large. */
	function createBudget() {
		let [rows, bytes] = [limits.rows, limits.bytes];
		return {
			left: () => rows,
			used: () => limits.rows - rows,
			/** False, and nothing is taken, when this row is too much. */
			take(size: unknown): boolean {
				if (rows === 0 || (rows < limits.rows && bytes < Number(size))) return false;
				rows -= 1;
				bytes -= Number(size);
				return true;
			},
		};
	}
	type Budget = ReturnType<typeof createBudget>;

	/** True when all that were found could be taken, and no more can be there. */
	function takeRows(budget: Budget, found: Record<string, unknown>[], remove: (row: Record<string, unknown>) => void): boolean {
		const room = budget.left();
		for (const row of found) {
			if (!budget.take(row.bytes)) return false;
			remove(row);
		}
		return found.length < room;
	}
	function takeMessage(budget: Budget, message: Record<string, unknown>): boolean {
		const key = Number(message.key);
		const pieces = prepare(PIECES).all(key, budget.left());
		const removePiece = prepare("DELETE FROM message_pieces WHERE message_key = ? AND name = ? AND start = ?");
		if (!takeRows(budget, pieces, (piece) => removePiece.run(key, String(piece.name), Number(piece.start)))) return false;
		if (!budget.take(message.bytes)) return false;
		prepare("DELETE FROM messages_text WHERE rowid = ?").run(key);
		prepare("DELETE FROM messages WHERE key = ?").run(key);
		return true;
	}
	function takeMessages(budget: Budget, id: string): boolean {
		for (;;) {
			const message = prepare(MESSAGES).get(id, 1);
			if (message === undefined) return true;
			if (!takeMessage(budget, message)) return false;
		}
	}
	function takeAll(budget: Budget, id: string): boolean {
		const removeEvent = prepare("DELETE FROM events WHERE conversation_id = ? AND seq = ?");
		const removeCommand = prepare("DELETE FROM commands WHERE rowid = ?");
		const removeOld = prepare("DELETE FROM removed_messages WHERE key = ?");
		return (
			takeMessages(budget, id) &&
			takeRows(budget, prepare(EVENTS).all(id, budget.left()), (row) => removeEvent.run(id, Number(row.seq))) &&
			takeRows(budget, prepare(COMMANDS).all(id, budget.left()), (row) => removeCommand.run(Number(row.rowid))) &&
			takeRows(budget, prepare(REMOVED).all(id, budget.left()), (row) => removeOld.run(Number(row.rowid)))
		);
	}
	return {
		isSmall(id) {
			const budget = createBudget();
			const fits = (found: Record<string, unknown>[]) => takeRows(budget, found, () => undefined);
			const messages = prepare(MESSAGES).all(id, budget.left());
			return (
				fits(messages) &&
				messages.every(({ key }) => fits(prepare(PIECES).all(Number(key), budget.left()))) &&
				[EVENTS, COMMANDS, REMOVED].every((sql) => fits(prepare(sql).all(id, budget.left())))
			);
		},
		remove() {
			const next = prepare("SELECT key, id FROM deleted_conversations ORDER BY key LIMIT 1").get();
			if (next === undefined) return [];
			const budget = createBudget();
			if (takeAll(budget, String(next.id))) prepare("DELETE FROM deleted_conversations WHERE key = ?").run(Number(next.key));
			return [{ rows: budget.used() }];
		},
	};
}

// `__name`: see `FIND_TASK`.
export const REMOVAL_TASK = `
const removalSteps = ((__name) => (${String(createRemovalSteps)})(prepare, ${JSON.stringify({ rows: REMOVAL_ROWS, bytes: REMOVAL_BYTES })}))((value) => value);
tasks.removeDeleted = () => writing(() => removalSteps.remove());
`;
