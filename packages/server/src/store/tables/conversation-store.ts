import { type Budget, budgetSchema } from "@rightseat/protocol/model/budget";
import { streamStatusSchema } from "@rightseat/protocol/model/vocabulary";
import * as z from "zod/mini";
import { AppError } from "../../core/kernel/errors.ts";
import { conversationId, epoch, messageId, seq } from "../../core/kernel/ids.ts";
import type { SqlDatabase, SqlRow, SqlValue } from "../../core/ports/sql.ts";
import { numberColumn, textColumn, textOrNullColumn } from "../../core/ports/sql-row.ts";
import type { ConversationRow, ConversationStore } from "../../core/ports/store.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { cleanText } from "../sqlite/clean-text.ts";
import type { ConversationRemoval } from "./conversation-removal.ts";
import { decodeCursor, encodeCursor } from "./list-cursor.ts";

type Fields = Omit<ConversationRow, "id" | "createdAt">;

const COLUMNS = {
	title: "title",
	titleFixed: "title_fixed",
	agent: "agent",
	model: "model",
	mode: "mode",
	effort: "effort",
	agentProfile: "agent_profile",
	cwd: "cwd",
	sdkSessionId: "sdk_session_id",
	isContinued: "continued",
	forkedFrom: "forked_from",
	forkedAt: "forked_at",
	forkKey: "fork_key",
	untoldFrom: "untold_from",
	isForming: "forming",
	pinned: "pinned",
	archived: "archived",
	permissions: "permissions",
	mcp: "mcp",
	budget: "budget",
	status: "status",
	epoch: "epoch",
	headSeq: "head_seq",
	updatedAt: "updated_at",
} as const satisfies Record<keyof Fields, string>;
const columnNames = new Map<string, string>(Object.entries(COLUMNS));

export function createConversationStore(
	sql: SqlDatabase,
	index: Pick<SearchIndex, "setTitle">,
	removal: Pick<ConversationRemoval, "delete">,
): ConversationStore {
	const head = sql.prepare("SELECT epoch, head_seq FROM conversations WHERE id = ?");
	const setHead = sql.prepare("UPDATE conversations SET head_seq = ? WHERE id = ?");
	return {
		insert(row) {
			const { id, createdAt, ...fields } = row;
			const assignments = assign(fields);
			const names = ["id", "created_at", ...assignments.names];
			sql.transaction(() => {
				sql
					.prepare(`INSERT INTO conversations (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
					.run(id, createdAt, ...assignments.values);
				index.setTitle(id, row.title);
			});
		},
		find(id) {
			const row = sql.prepare("SELECT * FROM conversations WHERE id = ?").get(id);
			return row === undefined ? undefined : toConversation(row);
		},
		findBySession(agent, sdkSessionId) {
			const row = sql.prepare("SELECT * FROM conversations WHERE sdk_session_id = ? AND agent = ?").get(sdkSessionId, agent);
			return row === undefined ? undefined : toConversation(row);
		},
		update(id, patch) {
			const { names, values } = assign(patch);
			if (names.length === 0) return;
			const assignments = names.map((name) => `${name} = ?`).join(", ");
			const statement = sql.prepare(`UPDATE conversations SET ${assignments} WHERE id = ?`);
			const change = () => {
				if (statement.run(...values, id).changes > 0) return;
				throw new AppError("conversation-not-found", "This conversation no longer exists.");
			};
			const { title } = patch;
			if (title === undefined) return change();
			sql.transaction(() => {
				change();
				index.setTitle(id, title);
			});
		},
		advance(id, by) {
			// For every delta of every conversation: a whole row would be read and parsed for as long as all the rest of a commit takes, and RETURNING, which
			// SQLite collects in a table of its own, takes four times as long as a look at two columns (docs/decisions/0660).
			const row = head.get(id);
			if (row === undefined) return undefined;
			const headSeq = seq(numberColumn(row, "head_seq"));
			setHead.run(headSeq + by, id);
			return { epoch: epoch(textColumn(row, "epoch")), headSeq };
		},
		delete: removal.delete,
		list({ limit, cursor, archived }) {
			const conditions: string[] = ["forming = 0"];
			const values: SqlValue[] = [];
			if (archived !== undefined) {
				conditions.push("archived = ?");
				values.push(Number(archived));
			}
			if (cursor !== undefined) {
				conditions.push("(pinned, updated_at, id) < (?, ?, ?)");
				values.push(...decodeCursor(cursor));
			}
			const found = sql
				.prepare(`SELECT * FROM conversations WHERE ${conditions.join(" AND ")} ORDER BY pinned DESC, updated_at DESC, id DESC LIMIT ?`)
				.all(...values, limit + 1)
				.map(toConversation);
			const rows = found.slice(0, limit);
			const last = rows.at(-1);
			return found.length > limit && last !== undefined ? { rows, nextCursor: encodeCursor(last) } : { rows };
		},
		forksOf: (id) =>
			sql.prepare("SELECT * FROM conversations WHERE forked_from = ? AND forming = 0 ORDER BY created_at, key").all(id).map(toConversation),
		countForks: (id) =>
			Number(sql.prepare("SELECT count(*) AS n FROM conversations WHERE forked_from = ? AND forming = 0").get(id)?.n ?? 0),
		forming: () =>
			sql
				.prepare("SELECT id FROM conversations WHERE forming = 1")
				.all()
				.map((row) => conversationId(textColumn(row, "id"))),
		replaceEpochs(next) {
			sql.transaction(() => {
				const replace = sql.prepare("UPDATE conversations SET epoch = ? WHERE id = ?");
				for (const row of sql.prepare("SELECT id FROM conversations").all()) replace.run(next(), textColumn(row, "id"));
			});
		},
	};
}

function assign(fields: Partial<Fields>) {
	const names: string[] = [];
	const values: SqlValue[] = [];
	for (const [field, value] of Object.entries(fields)) {
		const name = columnNames.get(field);
		if (name === undefined || value === undefined) continue;
		names.push(name);
		if (typeof value === "string") values.push(cleanText(value));
		else if (typeof value === "object" && value !== null) values.push(JSON.stringify(value));
		else values.push(typeof value === "boolean" ? Number(value) : value);
	}
	return { names, values };
}

function toConversation(row: SqlRow): ConversationRow {
	const status = streamStatusSchema.parse(row.status);
	return {
		id: conversationId(textColumn(row, "id")),
		title: textColumn(row, "title"),
		titleFixed: numberColumn(row, "title_fixed") === 1,
		agent: textColumn(row, "agent"),
		model: textColumn(row, "model"),
		mode: textColumn(row, "mode"),
		effort: textColumn(row, "effort"),
		agentProfile: textColumn(row, "agent_profile"),
		cwd: textColumn(row, "cwd"),
		sdkSessionId: textOrNullColumn(row, "sdk_session_id"),
		isContinued: numberColumn(row, "continued") === 1,
		forkedFrom: branded(textOrNullColumn(row, "forked_from"), conversationId),
		forkedAt: branded(textOrNullColumn(row, "forked_at"), messageId),
		forkKey: textOrNullColumn(row, "fork_key"),
		untoldFrom: branded(textOrNullColumn(row, "untold_from"), messageId),
		isForming: numberColumn(row, "forming") === 1,
		pinned: numberColumn(row, "pinned") === 1,
		archived: numberColumn(row, "archived") === 1,
		permissions: textColumn(row, "permissions") === "ask" ? "ask" : "auto",
		mcp: readSwitches(textColumn(row, "mcp")),
		budget: readBudget(textOrNullColumn(row, "budget")),
		status: status === "streaming" ? "idle" : status,
		epoch: epoch(textColumn(row, "epoch")),
		headSeq: seq(numberColumn(row, "head_seq")),
		createdAt: numberColumn(row, "created_at"),
		updatedAt: numberColumn(row, "updated_at"),
	};
}

const switchesSchema = z.record(z.string(), z.boolean());
/** Nothing but this process writes it. */
const readSwitches = (json: string) => switchesSchema.safeParse(JSON.parse(json)).data ?? {};

const branded = <T>(value: string | null, brand: (text: string) => T): T | null => (value === null ? null : brand(value));

/** Nothing but this process writes it; whatever else is there is no limit. */
function readBudget(json: string | null): Budget | null {
	return json === null ? null : (budgetSchema.safeParse(JSON.parse(json)).data ?? null);
}
