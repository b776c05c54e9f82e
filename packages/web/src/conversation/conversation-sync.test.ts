import type { ClientFrame } from "@rightseat/protocol/frames/client";
import { expect, test } from "vitest";
import { createFakeClock } from "../testing/fake-clock.ts";
import { CONVERSATION, createScript, EPOCH, snapshot } from "../testing/frames.ts";
import { createConversationSync, MAX_FOLLOWED, RESUBSCRIBE_MS } from "./conversation-sync.ts";
import type { ConversationView } from "./conversation-view.ts";

function setUp() {
	const clock = createFakeClock();
	const sent: ClientFrame[] = [];
	const views = new Map<string, ConversationView>();
	let commits = 0;
	const sync = createConversationSync({
		clock,
		send: (frame) => sent.push(frame) > 0,
		find: (id) => views.get(id),
		commit(changed, gone) {
			commits += 1;
			for (const [id, view] of changed) views.set(id, view);
			for (const id of gone) views.delete(id);
		},
	});
	return { clock, sent, views, sync, commits: () => commits };
}

test("[PG333] after a reconnect every followed conversation is asked for from where its text stands", () => {
	const { sync, sent } = setUp();
	sync.follow(CONVERSATION);
	expect(sent).toEqual([{ type: "copilot:subscribe", data: { conversationId: CONVERSATION } }]);
	const script = createScript();
	sync.apply([snapshot(), script.user({ messageId: "u1" }), script.begin()]);
	sent.length = 0;
	sync.reconnected();
	expect(sent).toEqual([{ type: "copilot:subscribe", data: { conversationId: CONVERSATION, epoch: EPOCH, lastSeq: 2 } }]);
});

test("[PG330] a gap is repaired by one new subscription a second at most, and nothing is cleared meanwhile", () => {
	const { sync, sent, clock, views } = setUp();
	sync.follow(CONVERSATION);
	const script = createScript();
	sync.apply([snapshot(), script.user({ messageId: "u1", content: "still here" })]);
	sent.length = 0;
	script.delta("m1", "missed");
	for (let index = 0; index < 30; index++) sync.apply([script.delta("m1", "x")]);
	clock.advance(RESUBSCRIBE_MS);
	expect(sent).toHaveLength(1);
	for (let index = 0; index < 30; index++) sync.apply([script.delta("m1", "x")]);
	expect(sent).toHaveLength(1);
	clock.advance(RESUBSCRIBE_MS);
	expect(sent).toHaveLength(2);
	expect(views.get(CONVERSATION)?.messages[0]?.content).toBe("still here");
});

test("[PG17] frames that come together are one change of the view", () => {
	const { sync, commits } = setUp();
	sync.follow(CONVERSATION);
	const script = createScript();
	sync.apply([snapshot(), ...Array.from({ length: 200 }, () => script.delta("m1", "x"))]);
	expect(commits()).toBe(1);
});

test("[PG332] only a few conversations are followed; the one looked at longest ago is let go", () => {
	const { sync, sent } = setUp();
	for (let index = 0; index <= MAX_FOLLOWED; index++) sync.follow(`c${index}`);
	expect(sync.followed()).toHaveLength(MAX_FOLLOWED);
	expect(sent.at(-1)).toEqual({ type: "copilot:unsubscribe", data: { conversationId: "c0" } });
});
