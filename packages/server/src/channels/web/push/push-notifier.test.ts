import type { InboxItem } from "@rightseat/protocol/model/inbox";
import { expect, onTestFinished, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import type { InboxChange } from "../../../core/inbox/news.ts";
import { type ConversationId, conversationId } from "../../../core/kernel/ids.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createPresence } from "../../../services/presence/presence.ts";
import { openTestStore } from "../../../store/store-harness.ts";
import { createPushNotices } from "./push-notices.ts";
import { createPushNotifier, LEFT_ALONE_MS } from "./push-notifier.ts";

const CHAT = conversationId("c1");
const settings = {
	notifyTurnEnd: true,
	notifyQuestion: true,
	permissions: "auto",
	defaultModel: "",
	defaultAgent: "",
	workdir: "",
	firstRun: "done",
} as const;
const item = (id: string, given: Partial<InboxItem> = {}): InboxItem => {
	return { id, kind: "finished", conversationId: CHAT, title: "Tides", why: "Ready.", since: new Date(0).toISOString(), ...given };
};

function bed() {
	const { sql } = openTestStore();
	const clock = createFakeClock();
	const presence = createPresence();
	const pushes: string[] = [];
	const subscribed = [{ endpoint: "https://push.example.org/1", keys: { p256dh: "", auth: "" } }];
	const ringing = new Set<ConversationId>();
	let items: InboxItem[] = [];
	/** The next push is held until this resolves. */
	let gate: Promise<void> = Promise.resolve();
	const listeners = new Set<(change: InboxChange) => void>();
	function start() {
		const notifier = createPushNotifier({
			inbox: {
				list: () => items,
				onChange(listener) {
					listeners.add(listener);
					return () => listeners.delete(listener);
				},
			},
			presence,
			notices: createPushNotices(sql),
			subscriptions: { list: () => subscribed, remove: () => true },
			sender: {
				async send(_, payload) {
					const { code, item: about } = JSON.parse(payload);
					pushes.push(`${code} ${about}`);
					await gate;
					return "sent";
				},
			},
			settings: () => settings,
			isRung: (id) => ringing.has(id),
			clock,
			logger: silentLogger,
		});
		onTestFinished(notifier.close);
		return notifier;
	}
	async function have(...next: InboxItem[]) {
		items = next;
		for (const listener of listeners) listener({ items, added: [], gone: [] });
		await clock.advance(0);
	}
	/** While nobody is there to be told. */
	function settleUnseen() {
		items = [];
	}
	function hold() {
		let open: () => void = () => undefined;
		gate = new Promise((resolve) => {
			open = resolve;
		});
		return async () => {
			open();
			await clock.advance(0);
		};
	}
	return { presence, clock, pushes, subscribed, ringing, start, have, hold, settleUnseen, told: () => createPushNotices(sql).list() };
}

test("[HT600] an item is told once, also over a restart, and not to whoever subscribes later", async () => {
	const { start, have, pushes, subscribed, told } = bed();
	const first = start();
	await have(item("finished-1"), item("queue-resting-1", { kind: "queue-resting", conversationId: "c2" }));
	await have(item("finished-1"));
	first.close();
	start();
	await have(item("finished-1"));
	expect(pushes).toEqual(["turn-completed finished-1"]);
	const [browser] = subscribed.splice(0);
	await have(item("finished-1"), item("budget-1", { kind: "budget", conversationId: null }));
	if (browser !== undefined) subscribed.push(browser);
	await have(item("finished-1"), item("budget-1", { kind: "budget", conversationId: null }));
	expect(pushes).toHaveLength(1);
	await have();
	expect(told()).toEqual([]);
});

test("[HT601] what is settled is taken back, once, and what is still on its way out is not sent", async () => {
	const { start, have, pushes, hold, clock, settleUnseen } = bed();
	const first = start();
	await have(item("question-1", { kind: "question" }));
	first.close();
	settleUnseen();
	start().start();
	await clock.advance(0);
	expect(pushes.splice(0)).toEqual(["question question-1", "settled question-1"]);
	const open = hold();
	await have(item("failed-1", { kind: "failed", conversationId: "c2" }));
	await have(item("failed-1", { kind: "failed", conversationId: "c2" }), item("question-2", { kind: "question" }));
	await have(item("failed-1", { kind: "failed", conversationId: "c2" }), item("finished-2"));
	await have(item("failed-1", { kind: "failed", conversationId: "c2" }));
	await open();
	expect(pushes).toEqual(["turn-failed failed-1"]);
});

test("[HT602] where a chat rings nothing is pushed, and when it cannot be reached it is", async () => {
	const { start, have, pushes, ringing } = bed();
	start();
	ringing.add(CHAT);
	await have(item("question-1", { kind: "question" }));
	await have();
	ringing.clear();
	await have(item("question-2", { kind: "question" }));
	expect(pushes).toEqual(["question question-2"]);
});

test("[HT603] who turns away from what waits is told ten seconds later, unless they are back", async () => {
	const { start, have, pushes, presence, clock } = bed();
	start();
	const screen = presence.screen();
	screen.show(CHAT);
	await have(item("question-1", { kind: "question" }));
	screen.close();
	await clock.advance(LEFT_ALONE_MS - 1);
	const reloaded = presence.screen();
	reloaded.show(CHAT);
	await clock.advance(LEFT_ALONE_MS);
	expect(pushes).toEqual([]);
	reloaded.close();
	await clock.advance(LEFT_ALONE_MS);
	expect(pushes).toEqual(["question question-1"]);
});
