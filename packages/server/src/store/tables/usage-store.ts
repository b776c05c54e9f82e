import type { UsageKey } from "@rightseat/protocol/http/usage";
import type { SqlDatabase, SqlRow, SqlValue } from "../../core/ports/sql.ts";
import { textColumn } from "../../core/ports/sql-row.ts";
import type { UsageStore, UsedRow } from "../../core/ports/usage.ts";
import { cleanText } from "../sqlite/clean-text.ts";

/** The largest whole number that this process can read back. */
const MOST = Number.MAX_SAFE_INTEGER;

const COLUMNS = { day: "day", model: "model", agent: "agent", conversation: "conversation_id" } as const satisfies Record<UsageKey, string>;

/** `total()` and not `sum()`: it cannot overflow, whatever agents say about themselves. */
const SUMS = "total(input_tokens) AS input, total(output_tokens) AS output, sum(cost) AS cost";

export function createUsageStore(sql: SqlDatabase): UsageStore {
	return {
		add({ day, conversationId, agent, model, inputTokens, outputTokens, cost }) {
			sql.transaction(() => {
				sql
					.prepare(
						`INSERT INTO usage (day, conversation_id, agent, model, input_tokens, output_tokens, cost) VALUES (?, ?, ?, ?, ?, ?, ?)
					ON CONFLICT DO UPDATE SET
						input_tokens = min(${MOST}, input_tokens + excluded.input_tokens),
						output_tokens = min(${MOST}, output_tokens + excluded.output_tokens),
						cost = CASE WHEN excluded.cost IS NULL THEN cost ELSE coalesce(cost, 0) + excluded.cost END`,
					)
					.run(day, conversationId, agent, cleanText(model), inputTokens, outputTokens, cost ?? null);
				sql
					.prepare(`UPDATE conversations SET used_tokens = min(${MOST}, used_tokens + ?), used_cost = used_cost + ? WHERE id = ?`)
					.run(inputTokens + outputTokens, cost ?? 0, conversationId);
			});
		},
		ofDay(day) {
			const row = sql.prepare(`SELECT ${SUMS} FROM usage WHERE day = ?`).get(day);
			const { inputTokens, outputTokens, cost = 0 } = toRow({ ...row, key: day });
			return { tokens: inputTokens + outputTokens, cost };
		},
		ofConversation(id) {
			const row = sql.prepare("SELECT used_tokens, used_cost FROM conversations WHERE id = ?").get(id);
			return { tokens: numberOf(row?.used_tokens), cost: toCents(numberOf(row?.used_cost)) };
		},
		list({ from, to, by, conversationId }) {
			const column = COLUMNS[by];
			const conditions = ["1"];
			const values: SqlValue[] = [];
			for (const [condition, value] of [
				["day >= ?", from],
				["day <= ?", to],
				["conversation_id = ?", conversationId],
			] as const) {
				if (value === undefined) continue;
				conditions.push(condition);
				values.push(value);
			}
			const order = by === "day" ? "key" : "total(input_tokens + output_tokens) DESC, key";
			return sql
				.prepare(`SELECT ${column} AS key, ${SUMS} FROM usage WHERE ${conditions.join(" AND ")} GROUP BY ${column} ORDER BY ${order}`)
				.all(...values)
				.map(toRow);
		},
		join(maxRows, today) {
			const count = () => numberOf(sql.prepare("SELECT count(*) AS n FROM usage").get()?.n);
			for (const { oldest, join } of [byConversation(sql), byModel(sql)]) {
				for (let left = count(); left > maxRows; left = count()) {
					const day = oldest(today);
					if (day === undefined) break;
					sql.transaction(() => join(day));
				}
			}
		},
	};
}

/** The conversations of one day become one. */
function byConversation(sql: SqlDatabase): Joining {
	return joining(sql, "conversation_id <> ''", "model");
}

/** And then its models. */
function byModel(sql: SqlDatabase): Joining {
	return joining(sql, "model <> ''", "''");
}

interface Joining {
	/** The oldest day, before this one, of which something can be joined. */
	oldest(before: string): string | undefined;
	join(day: string): void;
}

function joining(sql: SqlDatabase, isApart: string, model: string): Joining {
	return {
		oldest(before) {
			const row = sql.prepare(`SELECT day FROM usage WHERE day < ? AND ${isApart} ORDER BY day LIMIT 1`).get(before);
			return row === undefined ? undefined : textColumn(row, "day");
		},
		join(day) {
			const joined = sql.prepare(`SELECT agent, ${model} AS key, ${SUMS} FROM usage WHERE day = ? GROUP BY agent, ${model}`).all(day);
			sql.prepare("DELETE FROM usage WHERE day = ?").run(day);
			const insert = sql.prepare("INSERT INTO usage VALUES (?, '', ?, ?, ?, ?, ?)");
			for (const row of joined) {
				const { key, inputTokens, outputTokens, cost } = toRow(row);
				insert.run(day, textColumn(row, "agent"), key, inputTokens, outputTokens, cost ?? null);
			}
		},
	};
}

function toRow(row: SqlRow): UsedRow {
	return {
		key: textColumn(row, "key"),
		inputTokens: Math.min(MOST, numberOf(row.input)),
		outputTokens: Math.min(MOST, numberOf(row.output)),
		cost: row.cost === null || row.cost === undefined ? undefined : toCents(numberOf(row.cost)),
	};
}

const numberOf = (value: unknown) => (typeof value === "number" ? value : 0);

/** Sums of decimal fractions without the noise behind their ninth place. */
const toCents = (cost: number) => Number(cost.toFixed(9));
