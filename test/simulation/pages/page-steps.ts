import type { ConversationView } from "../../../packages/web/src/conversation/conversation-view.ts";
import { lastMarker } from "../frame/life.ts";
import type { Step } from "../frame/part.ts";
import { pickBy } from "../frame/plan.ts";
import type { Browser, PagesScene } from "./pages-part.ts";

type Play = (step: Step) => void | Promise<void>;

/** All of them are more than a reader may have waiting, a few more than a snapshot has room for. No place looks like another one: a hole is seen. */
const FLOOD = Array.from({ length: 5_000 }, (_, at) => `${at}`.padStart(9, "0")).join(" ");
const FLOODS = 27;
const HOUR_MS = 3_600_000;
/** Within this a prompt goes from a page to the agent when nothing is in its way. */
const REACHES_MS = 60;

/** What people do on pages, and what happens to their browsers and networks. */
export function pageSteps({ world, browsers, reload }: PagesScene): Record<string, Play> {
	const on =
		(act: (browser: Browser, step: Step) => void): Play =>
		(step) => {
			const browser = pickBy(browsers, step.a);
			if (browser !== undefined) act(browser, step);
		};
	const onView = (act: (browser: Browser, view: ConversationView, step: Step) => void): Play =>
		on((browser, step) => {
			const { openId, views } = browser.page.state();
			const view = openId === undefined ? undefined : views[openId];
			if (view !== undefined) act(browser, view, step);
		});
	const onNetwork = (act: (browser: Browser, step: Step) => void): Play => on(act);

	let hasFlooded = false;

	function send(browser: Browser, step: Step, kind: "prompt" | "command"): void {
		const { openId } = browser.page.state();
		if (openId === undefined) return;
		const marker = `${kind === "prompt" ? "p" : "c"}${step.at}x`;
		const clientMessageId = `by ${browser.name} ${marker}`;
		browser.sent.set(clientMessageId, marker);
		world.ledger.send({ marker, kind, conversationId: openId, clientMessageId });
		browser.page.nextId = clientMessageId;
		const { actions } = browser.page;
		if (kind === "command") void actions.handleBashSend(`echo ${marker}`, openId);
		else
			void actions.sendPrompt({
				conversationId: openId,
				prompt: `Please do ${marker}`,
				...(step.c < 0.3 ? { mode: "immediate" as const } : {}),
			});
	}

	return {
		open: on(({ page }, step) => {
			const known = Object.keys(page.state().conversations).sort();
			const id = pickBy(known, step.b);
			if (id !== undefined) page.open(id);
		}),
		prompt: on((browser, step) => send(browser, step, "prompt")),
		command: on((browser, step) => send(browser, step, "command")),
		"stop-turn": onView(({ page }, { conversationId }) => page.actions.abort(conversationId)),
		answer: onView(({ page }, { conversationId, questions }, step) => {
			const question = pickBy(questions, step.b);
			if (question === undefined) return;
			page.actions.answer({ conversationId, requestId: question.requestId, answer: `answer ${step.at}`, wasFreeform: true });
		}),
		decide: onView(({ page }, { conversationId, permissions }, step) => {
			const request = pickBy(permissions, step.b);
			if (request === undefined) return;
			page.actions.decide({ conversationId, requestId: request.requestId, decision: step.c < 0.6 ? "approve-once" : "reject" });
		}),
		"edit-queued": onView(({ page }, { conversationId, queue }, step) => {
			const item = pickBy(queue, step.b);
			if (item !== undefined) page.actions.editQueued(conversationId, item.messageId, `Edited ${step.at}: ${item.content}`);
		}),
		"drop-queued": onView(({ page }, { conversationId, queue }, step) => {
			const item = pickBy(queue, step.b);
			if (item === undefined) return;
			const sent = world.ledger.sent.get(/\bp\d+x\b/.exec(item.content)?.[0] ?? "");
			if (sent !== undefined) sent.dropped = true;
			page.actions.dropQueued(conversationId, item.messageId);
		}),
		"send-now": onView(({ page }, { conversationId, queue }, step) => {
			const item = pickBy(queue, step.b);
			if (item !== undefined) page.actions.sendQueuedNow(conversationId, item.messageId);
		}),
		discard: on((browser, step) => {
			const item = pickBy(
				browser.page.state().outbox.filter(({ state }) => state !== "sent"),
				step.b,
			);
			if (item === undefined) return;
			const sent = world.ledger.sent.get(browser.sent.get(item.clientMessageId) ?? "");
			if (sent !== undefined) sent.dropped = true;
			browser.page.actions.discardOutbox(item.clientMessageId);
		}),
		"try-again": on(({ page }, step) => {
			const item = pickBy(
				page.state().outbox.filter(({ state }) => state === "held" || state === "failed"),
				step.b,
			);
			if (item !== undefined) page.actions.retryOutbox(item.clientMessageId);
		}),
		rename: onView(({ page }, { conversationId }, step) => void page.actions.renameConversation(conversationId, `Page title ${step.at}`)),
		hide: on(({ page }) => page.setVisible(false)),
		show: on(({ page }) => page.setVisible(true)),
		reload: on((browser) => reload(browser)),
		"device-clock-jumps": on((browser, step) => {
			browser.device.skewMs = pickBy([-8 * HOUR_MS, -60_000, 0, 60_000, 8 * HOUR_MS], step.b) ?? 0;
		}),
		"browser-offline": on(({ page }) => page.networkGone()),
		"browser-online": on(({ page }) => page.networkBack()),
		"network-cut": onNetwork(({ wire }) => wire.cut()),
		"network-down": onNetwork(({ wire }) => wire.setDown(true)),
		"network-up": onNetwork(({ wire }) => {
			wire.setDown(false);
			wire.setSilent(false);
			wire.setDelay(0);
		}),
		"network-silent": onNetwork(({ wire }) => wire.setSilent(true)),
		"network-slow": onNetwork(({ wire }, step) => wire.setDelay(1 + Math.floor(step.b * 800))),
		"frame-lost": onNetwork(({ wire }) => wire.spoilNext("lost")),
		"frame-doubled": onNetwork(({ wire }) => wire.spoilNext("doubled")),
		"frame-late": onNetwork(({ wire }) => wire.spoilNext("late")),
		"frame-to-server-doubled": onNetwork(({ wire }) => wire.spoilNext("doubled-up")),
		"stops-reading": onNetwork(({ wire }) => wire.setReading(false)),
		reads: onNetwork(({ wire }) => wire.setReading(true)),
		/** Somebody has asked for much, and a reader of it stands still. Once in a round: of more than that the log keeps the end only. */
		async "agent-floods"(step) {
			if (hasFlooded) return;
			const turns = () => [...(world.host.life?.agent.turns ?? [])];
			const asker = pickBy(browsers, step.b);
			if (turns().length === 0 && asker !== undefined) {
				send(asker, step, "prompt");
				await world.clock.advance(REACHES_MS);
			}
			const turn = pickBy(turns(), step.a);
			if (turn === undefined) return;
			hasFlooded = true;
			const of = world.ledger.sent.get(lastMarker(turn.input.prompt))?.conversationId;
			const watching = browsers.filter(({ page }) => page.state().openId === of);
			pickBy(watching, step.b)?.wire.setReading(false);
			if (watching.length > 0) world.count("a reader was behind");
			for (let piece = 0; piece < FLOODS; piece += 1)
				turn.emit({ kind: "text-delta", messageId: `f${step.at}-${piece}`, content: `${piece} ${FLOOD}` });
		},
		/** What was sent a moment ago is written and not synced; whoever was told of it may rely on it. */
		async "power-cut-after-send"(step) {
			const browser = pickBy(browsers, step.a);
			if (browser === undefined) return;
			world.host.setSync({ kind: "slow", ms: 200 });
			send(browser, step, step.b < 0.7 ? "prompt" : "command");
			await world.clock.advance(Math.floor(step.c * REACHES_MS));
			world.host.cutPower();
			world.host.setSync({ kind: "fast" });
		},
	};
}
