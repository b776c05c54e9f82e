import type { ClientFrame } from "@rightseat/protocol/frames/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emptyView } from "../conversation/conversation-view.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createTestState } from "../testing/page-state.ts";
import { createReadState } from "./read-state.ts";
import { createWindowActions } from "./window-actions.ts";

let warn: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
	warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
});
afterEach(() => warn.mockRestore());

const fullStorage = {
	setItem() {
		throw new DOMException("There is no space left.", "QuotaExceededError");
	},
};

const roomyStorage: Pick<Storage, "setItem"> = { setItem: () => undefined };

function setUp({ storage = roomyStorage } = {}) {
	const state = createTestState({ openId: "c1", views: { c1: { ...emptyView("c1"), lastSeq: 7 } } });
	const clock = createFakeClock();
	const sent: ClientFrame[] = [];
	const saved: string[] = [];
	let visible = true;
	const readState = createReadState({
		state,
		clock,
		storage,
		cache: {
			save: async (view) => void saved.push(view.conversationId),
			saveList: async () => undefined,
		},
		visible: () => visible,
		send: (frame) => sent.push(frame) > 0,
	});
	function look(now: boolean): void {
		visible = now;
		readState.visibilityChanged();
	}
	return { state, clock, sent, saved, readState, look };
}

test("[PG32] who was gone for a minute gets the card of that conversation, who was gone for a moment does not", () => {
	const { state, clock, look, readState } = setUp();
	look(false);
	clock.advance(59_000);
	look(true);
	expect(state.get().away).toEqual({});
	look(false);
	clock.advance(60_000);
	look(true);
	expect(state.get().away.c1).toEqual({ seq: 7, at: clock.now() - 60_000, until: clock.now() });
	readState.dismissAway("c1");
	expect(state.get().away).toEqual({});
});

test("[PG16] many changes of a conversation are one write to the device", () => {
	const { state, clock, saved, readState } = setUp();
	for (let index = 0; index < 5; index++) readState.viewsChanged(new Map(Object.entries(state.get().views)));
	clock.advance(1_500);
	expect(saved).toEqual(["c1"]);
});

test("[PG305] in a browser whose storage is full the server still hears who is looking, and settings change", () => {
	const { sent, look, state } = setUp({ storage: fullStorage });
	look(false);
	expect(sent).toEqual([{ type: "presence:set", data: { visible: false, conversationId: "c1" } }]);
	createWindowActions({ state, storage: fullStorage }).changeSettings({ theme: "dark" });
	expect(state.get().settings.theme).toBe("dark");
});

test("[PG906] a visible page tells the server that the end of a turn is on its screen, once", () => {
	const { state, sent, readState, look } = setUp();
	const changed = () => readState.viewsChanged(new Map(Object.entries(state.get().views)));
	const answer = (id: string) => ({
		...{ id, role: "assistant" as const, content: "Done.", createdAt: "2026-01-01T00:00:00.000Z" },
		metadata: { outcome: "completed" as const, tools: [], parts: [] },
	});
	changed();
	expect(sent).toEqual([]);
	state.set({ views: { c1: { ...emptyView("c1"), messages: [answer("a1")] } } });
	changed();
	changed();
	const seen = { type: "presence:set", data: { visible: true, conversationId: "c1" } };
	expect(sent.splice(0)).toEqual([seen]);
	look(false);
	sent.length = 0;
	state.set({ views: { c1: { ...emptyView("c1"), messages: [answer("a1"), answer("a2")] } } });
	changed();
	expect(sent).toEqual([]);
	look(true);
	expect(sent).toEqual([seen]);
});
