import type { ConversationId } from "../../core/kernel/ids.ts";

/** Which conversations are on a visible screen right now. Shared by everybody who would otherwise notify about them. */
export interface Presence {
	watched(id: ConversationId): boolean;
	/** A screen that shows nothing yet. */
	screen(): Screen;
	/** Called when a screen shows a conversation, also when it says so again, and when it no longer does. */
	onChange(listener: (id: ConversationId, isShown: boolean) => void): () => void;
}

export interface Screen {
	/** Shows this conversation now, or none. */
	show(id: ConversationId | undefined): void;
	close(): void;
}

export function createPresence(): Presence {
	const looking = new Map<Screen, ConversationId>();
	const listeners = new Set<(id: ConversationId, isShown: boolean) => void>();
	function set(screen: Screen, id: ConversationId | undefined): void {
		const before = looking.get(screen);
		if (id === undefined) looking.delete(screen);
		else looking.set(screen, id);
		for (const listener of listeners) {
			if (before !== undefined && before !== id) listener(before, false);
			if (id !== undefined) listener(id, true);
		}
	}
	return {
		watched: (id) => [...looking.values()].includes(id),
		screen() {
			const screen: Screen = {
				show: (id) => set(screen, id),
				close: () => set(screen, undefined),
			};
			return screen;
		},
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}
