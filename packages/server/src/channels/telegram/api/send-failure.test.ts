import { expect, test } from "vitest";
import type { OutboxRow } from "../outbox/outbox-store.ts";
import { afterSendFailure } from "./send-failure.ts";

const row: OutboxRow = {
	id: 1,
	thread: { chatId: -5, threadId: 7 },
	outgoing: { kind: "text", text: "x", entities: [{ type: "bold", offset: 0, length: 1 }] },
};

test("[TG30] refused formatting is tried once more as plain text, then given up", () => {
	const refusal = { code: 400, description: "Bad Request: can't parse entities" };
	const next = afterSendFailure(row, refusal);
	expect(next).toMatchObject({ kind: "retry", row: { outgoing: { entities: [] } } });
	if (next.kind === "retry") expect(afterSendFailure(next.row, refusal)).toEqual({ kind: "give-up" });
});

test("[TG68] a topic that is gone is left out", () => {
	expect(afterSendFailure(row, { code: 400, description: "Bad Request: message thread not found" })).toMatchObject({
		kind: "retry",
		row: { thread: { chatId: -5 } },
	});
});

test("[TG18] a refused token keeps what waits for a better one", () => {
	expect(afterSendFailure(row, { code: 401, description: "Unauthorized" })).toEqual({ kind: "keep" });
});

test("[TG33] a chat that blocked the bot gets nothing more", () => {
	expect(afterSendFailure(row, { code: 403, description: "Forbidden: bot was blocked by the user" })).toEqual({ kind: "blocked" });
});
