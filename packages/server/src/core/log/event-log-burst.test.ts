import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { openStore } from "../../store/open-store.ts";
import { conversationId, epoch, randomIds, seq } from "../kernel/ids.ts";
import { silentLogger } from "../kernel/logger.ts";
import { createMemoryLedger } from "../kernel/memory-ledger.ts";
import { createEventLog } from "./event-log.ts";

test("[EV177] whatever piled up while the disk refused is committed at once, however many events it is", () => {
	const clock = createFakeClock();
	const { store } = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	const id = conversationId("c1");
	store.conversations.insert({
		...{ id, title: "", titleFixed: true, model: "m", cwd: "/", agent: "copilot", sdkSessionId: null, pinned: false, archived: false },
		...{ permissions: "auto", status: "idle", epoch: epoch("e"), headSeq: seq(0), createdAt: 0, updatedAt: 0 },
	});
	let committed = 0;
	const log = createEventLog({
		store: { ...store, events: { ...store.events, append: () => undefined } },
		clock,
		logger: silentLogger,
		memory: createMemoryLedger(),
		onCommitted(events) {
			committed += events.length;
		},
		onDurable: () => undefined,
	});
	// More than a function may have arguments.
	const count = 150_000;
	for (let index = 0; index < count; index += 1) log.append(id, { type: "copilot:message_removed", data: { messageId: `m${index}` } });
	expect(log.flush()).toBe(true);
	expect(committed).toBe(count);
	expect(store.conversations.find(id)?.headSeq).toBe(count);
	log.close();
});
