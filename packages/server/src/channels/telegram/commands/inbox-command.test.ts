import type { InboxItem } from "@rightseat/protocol/model/inbox";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { MESSAGES } from "../messages/messages.ts";
import { createInboxCommand, MAX_LIVE_LISTS } from "./inbox-command.ts";

function bed() {
	const items: InboxItem[] = ["c1", "c2"].map((conversationId) => {
		return {
			id: `finished-${conversationId}`,
			kind: "finished",
			conversationId,
			title: conversationId,
			why: "Ready.",
			since: new Date(0).toISOString(),
		};
	});
	const texts = new Map<number, string>();
	const command = createInboxCommand({
		inbox: { list: () => items, onChange: () => () => true },
		switcher: { mayShow: ({ chatId }, id) => chatId > 0 || id === "c2" },
		buttons: { make: (_, text) => ({ text, callback_data: text }) },
		outbox: {
			live({ chatId }) {
				const set = ({ text }: { text: string }) => void texts.set(chatId, text);
				return { set, finish: set, remove: () => undefined, messageId: () => undefined };
			},
		},
		speaker: { words: () => MESSAGES.en },
		redact: (text) => text.replaceAll("Ready", "***"),
		clock: createFakeClock(),
	});
	return { command, texts };
}

test("[TG480] a group is told only of conversations that it showed, and none of our secrets", () => {
	const { command, texts } = bed();
	command.show({ chatId: -5 });
	expect(texts.get(-5)).toContain("1. ✅ c2");
	expect(texts.get(-5)).not.toMatch(/c1|Ready/);
	command.close();
});

test("[TG481] only the newest lists are kept up to date, and the others say that they are old", () => {
	const { command, texts } = bed();
	for (let chatId = 1; chatId <= MAX_LIVE_LISTS + 1; chatId += 1) command.show({ chatId });
	expect([...texts].filter(([, text]) => text === MESSAGES.en.inboxOld).map(([chatId]) => chatId)).toEqual([1]);
	command.close();
});
