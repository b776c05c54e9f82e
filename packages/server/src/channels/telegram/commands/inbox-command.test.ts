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
	const made: [string, object][] = [];
	const command = createInboxCommand({
		inbox: { list: () => items, onChange: () => () => true },
		switcher: { mayShow: ({ chatId }, id) => chatId > 0 || id === "c2" },
		buttons: {
			make(_, text, action) {
				made.push([text, action]);
				return { text, callback_data: text };
			},
		},
		outbox: {
			live({ chatId }) {
				const set = ({ text }: { text: string }) => void texts.set(chatId, text);
				return { set, finish: set, remove: () => undefined, messageId: () => undefined, mayBeSeen: () => true };
			},
		},
		speaker: { words: () => MESSAGES.en },
		redact: (text) => text.replaceAll("Ready", "***"),
		clock: createFakeClock(),
	});
	return { command, texts, items, made };
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

test("[TG484] a limit is answered in the list, and what was missed is run or skipped there", () => {
	const { command, items, made } = bed();
	const since = new Date(0).toISOString();
	const budget = { requestId: "b1", scope: "conversation", unit: "tokens", used: 15, limit: 10 } as const;
	items.splice(0, 2, { id: "budget-b1", kind: "budget", conversationId: "c1", title: "", why: "A limit.", since, budget });
	items.push({
		id: "schedule-missed-s1-1",
		kind: "schedule-missed",
		conversationId: null,
		title: "",
		why: "Missed.",
		since,
		scheduleId: "s1",
	});
	command.show({ chatId: 5 });
	command.close();
	const decide = { kind: "budget", conversationId: "c1", requestId: "b1" };
	const actions = made.map(([, action]) => action);
	expect(actions).toEqual(
		expect.arrayContaining([
			{ ...decide, decision: "once" },
			{ ...decide, decision: "stop" },
			{ ...decide, decision: "raise", limit: 25 },
			{ kind: "schedule", scheduleId: "s1", what: "make-up" },
			{ kind: "schedule", scheduleId: "s1", what: "skip" },
		]),
	);
	expect(actions).not.toContainEqual({ kind: "inbox-seen", itemId: "budget-b1" });
});

test("[TG534] a permission request of a sub-agent says in the list who asks", () => {
	const { command, items, texts } = bed();
	const permission = { requestId: "p1", kind: "shell", summary: "Run ls", expiresAt: new Date(0).toISOString(), agentName: "Ready scout" };
	const since = new Date(0).toISOString();
	items.splice(0, 2, { id: "permission-p1", kind: "permission", conversationId: "c1", title: "", why: "Run ls", since, permission });
	command.show({ chatId: 5 });
	command.close();
	expect(texts.get(5)).toContain("Run ls\nThe sub-agent *** scout asks.");
});
