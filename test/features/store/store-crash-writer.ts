import { writeSync } from "node:fs";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { conversationId, epoch, randomIds, seq } from "../../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { openStore } from "../../../packages/server/src/store/open-store.ts";
import { conversationRow } from "../../support/conversation-row.ts";

/** Writes until it is killed, and says which `seq` is committed as soon as it is. */
const [path = ""] = process.argv.slice(2);
const { store } = openStore({ path, clock: systemClock, logger: silentLogger, ids: randomIds });
const chat = conversationId("chat");
const now = Date.now();
if (store.conversations.find(chat) === undefined) {
	store.conversations.insert(conversationRow(chat, { title: "Crash", epoch: epoch("first"), createdAt: now, updatedAt: now }));
}
for (let next = (store.conversations.find(chat)?.headSeq ?? 0) + 1; ; next++) {
	store.transaction(() => {
		store.messages.addMessage(chat, { role: "user", content: `word${next} 字${next}`, metadata: {}, clientMessageId: `c${next}` });
		store.events.append(chat, seq(next), JSON.stringify({ seq: next, filler: "x".repeat(next % 3000) }));
		store.conversations.update(chat, { headSeq: seq(next) });
	});
	writeSync(1, `${next}\n`);
}
