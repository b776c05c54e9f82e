import { afterEach, expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { randomIds } from "../../../core/kernel/ids.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { openStore } from "../../../store/open-store.ts";
import type { CallResult } from "../api/bot-client.ts";
import { createOutboxStore, noticeKey, type OutboxRow } from "./outbox-store.ts";
import type { SendJob } from "./send-queue.ts";
import { createStoredSends } from "./stored-sends.ts";

const clock = createFakeClock();
const opened = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
const store = createOutboxStore(opened.sql, clock);
afterEach(() => opened.sql.exec("DELETE FROM telegram_outbox"));

const add = (text: string, key: string) => store.add({ chatId: 1 }, { kind: "text", text, entities: [] }, { key }) ?? 0;
const stateOf = (id: number) => opened.sql.prepare("SELECT state FROM telegram_outbox WHERE id = ?").get(id)?.state;

/** A queue that leaves it to the test when a job is run and settled. */
function openSends(onUnknown: (row: OutboxRow) => void) {
	const jobs: SendJob[] = [];
	const queue = {
		...{ remove: () => undefined, edit: () => undefined, dropSend: () => undefined, dropEdit: () => undefined },
		...{ send: (_: string, job: SendJob) => void jobs.push(job), idle: () => true, isEmpty: () => true, close: () => undefined },
	};
	const lost: CallResult<never> = { kind: "unknown", message: "cut" };
	const sends = createStoredSends({
		...{ store, sql: opened.sql, muted: new Set<number>(), mayRead: () => true, logger: silentLogger, onUnknown },
		client: { sendText: async () => lost, sendDocument: async () => lost },
		queues: { of: () => queue, dropSend: () => undefined, flush: async () => undefined, close: () => undefined },
		...{ onShown: () => undefined, onMigrated: () => undefined },
	});
	return {
		sends,
		async settle() {
			const job = jobs.at(-1);
			job?.settle(await job.run());
		},
	};
}

test("[TG569] a message is in doubt only together with the notice about it", async () => {
	let isRefused = true;
	const { sends, settle } = openSends((row) => {
		if (isRefused) throw new AppError("storage-read-only", "The disk is full.");
		add("may not have arrived", noticeKey(row.id));
	});
	const id = add("an answer", "1:final:m1:0");
	sends.enqueue({ id, chatId: 1 });
	await expect(settle()).rejects.toThrow("The disk is full.");
	// A process that dies here leaves it on its way, and the next one tells of it.
	expect(stateOf(id)).toBe("sending");
	isRefused = false;
	await settle();
	expect([stateOf(id), store.waiting().length]).toEqual(["unknown", 1]);
});

test("[TG569] a message that was sent again and is in doubt again is told again", async () => {
	const told: number[] = [];
	const { sends, settle } = openSends((row) => {
		const notice = add("may not have arrived", noticeKey(row.id));
		if (notice !== 0) told.push(notice);
	});
	const id = add("an answer", "1:final:m1:0");
	for (const times of [1, 2]) {
		sends.enqueue({ id, chatId: 1 });
		await settle();
		expect(told).toHaveLength(times);
		expect(store.retry(id)).toBe(true);
	}
});
