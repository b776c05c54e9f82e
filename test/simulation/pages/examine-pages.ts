import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { ConversationView } from "../../../packages/web/src/conversation/conversation-view.ts";
import { foldOf, storedFrames } from "../core/examine.ts";
import { comparable, difference } from "../core/shown.ts";
import type { Life } from "../frame/life.ts";
import type { Browser, PagesScene } from "./pages-part.ts";

/** Pages reconnect, outboxes empty themselves; what was refused or held people take up again or let go. */
export function restPages({ world, browsers }: PagesScene): boolean {
	const life = world.host.life;
	if (life === undefined) return false;
	let isAtRest = true;
	for (const browser of browsers) {
		const { connection, outbox, openId, views } = browser.page.state();
		if (connection.kind !== "open") isAtRest = false;
		for (const item of outbox) {
			isAtRest = false;
			if (item.state === "held") browser.page.actions.retryOutbox(item.clientMessageId);
			if (item.state === "failed") letGo(world, browser, item.clientMessageId);
		}
		const row = openId === undefined ? undefined : life.conversations.find(conversationId(openId));
		const view = openId === undefined ? undefined : views[openId];
		// One that has everything on its device, and whose connection fell silent before a word came, has yet to notice that.
		if (row !== undefined && (view?.epoch !== row.epoch || view.lastSeq !== row.headSeq || view.status !== row.status)) isAtRest = false;
	}
	return isAtRest;
}

/** It was refused with words, and the person reads them. */
function letGo(world: PagesScene["world"], { page, sent }: Browser, clientMessageId: string): void {
	const item = world.ledger.sent.get(sent.get(clientMessageId) ?? "");
	if (item !== undefined) item.refused = true;
	page.actions.discardOutbox(clientMessageId);
}

/** Every page shows what one shows that is opened now for the first time; and what was sent arrived. */
export async function examinePages(scene: PagesScene): Promise<void> {
	const { world, browsers } = scene;
	const life = world.host.life;
	if (life === undefined) return;
	const before = [...browsers];
	const fresh = scene.addBrowser("visitor");
	await world.clock.advance(100);
	for (const { id } of life.conversations.list({ limit: 100 }).conversations) {
		const watching = before.filter(({ page }) => page.state().openId === id);
		if (watching.length === 0) continue;
		fresh.page.open(id);
		await world.clock.advance(300);
		const opened = fresh.page.state().views[id];
		for (const { name, page } of watching) compare(scene, { name, id, life }, page.state().views[id], opened);
	}
	for (const { name, sent } of before)
		for (const marker of sent.values()) {
			const item = world.ledger.sent.get(marker);
			if (item === undefined || item.dropped || item.refused || item.acked !== undefined || world.ledger.deleted.has(item.conversationId))
				continue;
			world.violate("outbox-delivers", `${marker} was sent on ${name} and never confirmed`);
		}
}

function compare(
	{ world }: PagesScene,
	{ name, id, life }: { name: string; id: string; life: Life },
	view: ConversationView | undefined,
	fresh: ConversationView | undefined,
): void {
	if (view === undefined || fresh === undefined) {
		world.violate(
			"pages-show-the-same",
			`${id}: ${name} shows ${view === undefined ? "nothing" : "it"}, a new page ${fresh === undefined ? "nothing" : "it"}`,
		);
		return;
	}
	const [seen, wanted] = comparable(view, fresh, () => foldOf(storedFrames(life, id)));
	if (seen !== wanted) world.violate("pages-show-the-same", `${id} on ${name}: ${difference(seen, wanted)}`);
}
