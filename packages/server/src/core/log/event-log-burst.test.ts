import { expect, test } from "vitest";
import { conversationRow } from "../../../../../test/support/conversation-row.ts";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { openStore } from "../../store/open-store.ts";
import { conversationId, epoch, randomIds } from "../kernel/ids.ts";
import { silentLogger } from "../kernel/logger.ts";
import { createMemoryLedger } from "../kernel/memory-ledger.ts";
import { createEventLog } from "./event-log.ts";

test("[EV177] whatever piled up while the disk refused is committed at once, however many events it is", () => {
	const clock = createFakeClock();
	const { store } = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	const id = conversationId("c1");
	store.conversations.insert(conversationRow(id, { epoch: epoch("e") }));
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
		onLost: () => undefined,
	});
	// More than a function may have arguments.
	const count = 150_000;
	for (let index = 0; index < count; index += 1) log.append(id, { type: "copilot:message_removed", data: { messageId: `m${index}` } });
	expect(log.flush()).toBe(true);
	expect(committed).toBe(count);
	expect(store.conversations.find(id)?.headSeq).toBe(count);
	log.close();
});
