import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { randomIds } from "../../../core/kernel/ids.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { openStore } from "../../../store/open-store.ts";
import { createOutboxStore, noticeKey } from "./outbox-store.ts";

test("[TG562] of what was on its way when the process died, an answer is in doubt and a notice about one waits again", async () => {
	const clock = createFakeClock();
	const opened = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	const store = createOutboxStore(opened.sql, clock);
	const add = (text: string, key: string) => {
		const id = store.add({ chatId: 1 }, { kind: "text", text, entities: [] }, { key }) ?? 0;
		expect(store.take(id)?.id).toBe(id);
		return id;
	};
	const answer = add("an answer", "1:final:m1:0");
	const notice = add("may not have arrived", noticeKey(answer));
	const refuses = () => {
		throw new AppError("storage-read-only", "The disk is full.");
	};
	expect(() => store.settleInterrupted(refuses)).toThrow("The disk is full.");
	const told: number[] = [];
	store.settleInterrupted(({ id }) => told.push(id));
	expect(told).toEqual([answer]);
	expect(store.waiting().map(({ id }) => id)).toEqual([notice]);
	await opened.close();
});
