import type { FleetLooked } from "@rightseat/protocol/fleet/requests";
import type { Conversations } from "../conversations/conversations.ts";
import type { Cancel, Clock } from "../kernel/clock.ts";
import { type ConversationId, messageId } from "../kernel/ids.ts";

/** Conversations of this host on screens of others; the oldest gives way. */
export const MAX_HOST_SCREENS = 500;
/** A host that said nothing for so long shows it no more. */
const SHOWN_MS = 150_000;

/** What is on visible screens, as whoever notifies knows it. */
export interface Screens {
	watched(id: ConversationId): boolean;
	onChange(listener: (id: ConversationId, isShown: boolean) => void): () => void;
	screen(): { show(id: ConversationId | undefined): void; close(): void };
}

/** Conversations of this host on screens of other hosts, for as long as those say so. */
export interface HostScreens {
	told(host: string, id: ConversationId | undefined, look: FleetLooked): void;
}

export function createHostScreens({
	screens,
	clock,
	conversations,
}: {
	screens: Pick<Screens, "screen">;
	clock: Clock;
	conversations: Pick<Conversations, "find" | "inbox">;
}): HostScreens {
	const open = new Map<string, { screen: ReturnType<Screens["screen"]>; end: Cancel }>();
	function close(key: string): void {
		const found = open.get(key);
		open.delete(key);
		found?.end();
		found?.screen.close();
	}
	return {
		told(host, id, { isShown, isAgain, messageId: answer }) {
			if (id === undefined || conversations.find(id) === undefined) return;
			if (answer !== undefined) return conversations.inbox.looked(id, messageId(answer));
			const key = `${host} ${id}`;
			const known = open.get(key);
			if (isShown !== true) return close(key);
			// That a page is still there is no look of a person: nobody may have seen what came meanwhile.
			if (isAgain === true && known === undefined) return;
			known?.end();
			open.delete(key);
			const [oldest] = open.keys();
			if (open.size >= MAX_HOST_SCREENS && oldest !== undefined) close(oldest);
			const screen = known?.screen ?? screens.screen();
			open.set(key, { screen, end: clock.after(SHOWN_MS, () => close(key)) });
			if (isAgain !== true) screen.show(id);
		},
	};
}
