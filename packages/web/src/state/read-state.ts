import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { Clock } from "../connection/clock.ts";
import type { Connection } from "../connection/connection.ts";
import type { ConversationView } from "../conversation/conversation-view.ts";
import type { ViewCache } from "../conversation/view-cache.ts";
import type { PageState } from "./page-state.ts";
import { saveVisits } from "./visits.ts";

/** Gone for this long, a reader is told what happened meanwhile. */
const AWAY_AFTER_MS = 60_000;
const SAVE_MS = 1_500;
/** Conversations whose title is known without the server. */
const KEPT_CONVERSATIONS = 200;

export type ReadState = ReturnType<typeof createReadState>;

/** Knows what the reader has seen: unread marks, "while you were away", presence, and the copy on the device. */
export function createReadState(deps: {
	state: PageState;
	clock: Clock;
	cache: Pick<ViewCache, "save" | "saveList">;
	storage: Pick<Storage, "setItem">;
	visible: () => boolean;
	send: Connection["send"];
}) {
	const { clock, cache, visible } = deps;
	const { get, set } = deps.state;
	const dirty = new Set<string>();
	let saving = false;
	/** The newest end of a turn that the server was told is on screen. */
	let shownEnd: string | undefined;

	function visit(id: string): void {
		const view = get().views[id];
		if (view === undefined) return;
		set({ visits: { ...get().visits, [id]: { seq: view.lastSeq, at: clock.now() } } });
	}

	/** What happens from now on happens before the reader's eyes. */
	function comeBack(id: string): void {
		const [last, now] = [get().visits[id], clock.now()];
		if (last !== undefined && now - last.at >= AWAY_AFTER_MS) set({ away: { ...get().away, [id]: { ...last, until: now } } });
	}

	function save(): void {
		saving = false;
		// What the end of the login took away must not come back.
		if (get().session === "signed-out") return;
		for (const id of dirty) {
			const view = get().views[id];
			// A full device is no reason to trouble a reader: the server has everything.
			if (view !== undefined) void cache.save(view, clock.now()).catch(() => undefined);
		}
		dirty.clear();
		// Conversations that began after the list was loaded must be in it offline, too.
		void cache.saveList(newestOf(get().conversations)).catch(() => undefined);
		set({ visits: saveVisits(deps.storage, get().visits) });
	}

	function tellPresence(): void {
		const { openId } = get();
		deps.send({
			type: "presence:set",
			data: openId === undefined ? { visible: visible() } : { visible: visible(), conversationId: openId },
		});
	}

	/** The server takes an answer for seen when a page says so that has it. */
	function tellEnd(view: ConversationView | undefined): void {
		const end = view?.turn === undefined ? view?.messages.findLast(({ role }) => role === "assistant")?.id : undefined;
		if (end === undefined || end === shownEnd) return;
		shownEnd = end;
		tellPresence();
	}

	return {
		tellPresence,
		viewsChanged(changed: ReadonlyMap<string, ConversationView>) {
			for (const id of changed.keys()) dirty.add(id);
			const { openId } = get();
			if (openId !== undefined && changed.has(openId) && visible()) {
				visit(openId);
				tellEnd(changed.get(openId));
			}
			if (saving || dirty.size === 0) return;
			saving = true;
			clock.after(SAVE_MS, save);
		},
		/** The reader turns to a conversation. */
		arrive(id: string) {
			comeBack(id);
			tellPresence();
			visit(id);
		},
		visibilityChanged() {
			const { openId } = get();
			if (!visible()) {
				if (openId !== undefined) visit(openId);
				save();
			} else if (openId !== undefined) {
				comeBack(openId);
				visit(openId);
			}
			tellPresence();
		},
		dismissAway(id: string) {
			const { [id]: _gone, ...away } = get().away;
			set({ away });
		},
	};
}

function newestOf(conversations: Readonly<Record<string, Conversation>>): Conversation[] {
	const byActivity = Object.values(conversations).toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
	return byActivity.slice(0, KEPT_CONVERSATIONS);
}
