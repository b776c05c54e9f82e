import type { ConversationId } from "../../core/kernel/ids.ts";

/** Which conversations are on a visible screen right now. Shared by everybody who would otherwise notify about them. */
export interface Presence {
	watched(id: ConversationId): boolean;
	/** A screen that shows nothing yet. */
	screen(): Screen;
}

export interface Screen {
	/** Shows this conversation now, or none. */
	show(id: ConversationId | undefined): void;
	close(): void;
}

export function createPresence(): Presence {
	const looking = new Map<Screen, ConversationId>();
	return {
		watched: (id) => [...looking.values()].includes(id),
		screen() {
			const screen: Screen = {
				show(id) {
					if (id === undefined) looking.delete(screen);
					else looking.set(screen, id);
				},
				close: () => looking.delete(screen),
			};
			return screen;
		},
	};
}
