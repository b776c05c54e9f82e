import { AppError } from "../../core/kernel/errors.ts";
import type { ConversationRow } from "../../core/ports/store.ts";

/** Where a page of the conversation list ended, as an opaque word for a URL. */
export function encodeCursor(row: Pick<ConversationRow, "pinned" | "updatedAt" | "id">): string {
	return Buffer.from(JSON.stringify([Number(row.pinned), row.updatedAt, row.id])).toString("base64url");
}

export function decodeCursor(cursor: string): [pinned: number, updatedAt: number, id: string] {
	const [pinned, updatedAt, id] = parseArray(Buffer.from(cursor, "base64url").toString());
	if (typeof pinned === "number" && typeof updatedAt === "number" && typeof id === "string") return [pinned, updatedAt, id];
	throw new AppError("bad-request", "The cursor is not one that this server gave out. Start again without it.", {
		params: { reason: "cursor" },
	});
}

function parseArray(json: string): unknown[] {
	try {
		const value: unknown = JSON.parse(json);
		return Array.isArray(value) ? value : [];
	} catch (error) {
		if (error instanceof SyntaxError) return [];
		throw error;
	}
}
