import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { randomIds } from "../../../core/kernel/ids.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createMemoryLedger } from "../../../core/kernel/memory-ledger.ts";
import { openStore } from "../../../store/open-store.ts";
import { createBotClient, NOT_ALLOWED } from "../api/bot-client.ts";
import { createOutbox } from "./outbox.ts";

test("[TG100] a question of an earlier process is deleted when its reader is removed while its last words are on their way", async () => {
	const clock = createFakeClock();
	const { sql } = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	sql.exec("INSERT INTO telegram_live (chat_id, message_id, leftover) VALUES (1, 40, 'It ended with the restart.')");
	let mayRead = true;
	const calls: string[] = [];
	const outbox = createOutbox({
		...{ sql, clock, logger: silentLogger, account: createMemoryLedger().account("telegram") },
		...{ mayRead: () => mayRead, onUnknown: () => undefined, onShown: () => undefined, onMigrated: () => undefined },
		client: {
			...createBotClient({ token: "1:x", apiRoot: "http://127.0.0.1:1", onUnauthorized: () => undefined, durable: async () => undefined }),
			async editText(_, messageId) {
				calls.push(`edit ${messageId}`);
				mayRead = false;
				return NOT_ALLOWED;
			},
			async deleteMessage(_, messageId) {
				calls.push(`delete ${messageId}`);
				return { kind: "ok", result: true };
			},
		},
	});
	outbox.start();
	await clock.advance(5_000);
	expect([calls, sql.prepare("SELECT * FROM telegram_live").all()]).toEqual([["edit 40", "delete 40"], []]);
	outbox.close();
});
