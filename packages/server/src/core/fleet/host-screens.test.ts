import { afterEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { createPresence } from "../../services/presence/presence.ts";
import { conversationId } from "../kernel/ids.ts";
import { createHostScreens, MAX_HOST_SCREENS } from "./host-screens.ts";

let core: CoreBed;
afterEach(() => core.close());

test("[FL262] how many conversations are on screens of other hosts is bounded, and one that is none is on none", async () => {
	core = await createCoreBed();
	const presence = createPresence();
	const screens = createHostScreens({ screens: presence, clock: core.clock, conversations: core.conversations });
	const id = await core.begin();
	let shown = 0;
	presence.onChange((_, isShown) => (shown += isShown ? 1 : -1));
	for (let host = 0; host < MAX_HOST_SCREENS + 20; host++) screens.told(`host ${host}`, id, { isShown: true });
	screens.told("host 600", conversationId("none"), { isShown: true });
	screens.told("host 600", undefined, { isShown: true });
	expect([shown, presence.watched(id)]).toEqual([MAX_HOST_SCREENS, true]);
	await core.clock.advance(200_000);
	expect(presence.watched(id)).toBe(false);
});
