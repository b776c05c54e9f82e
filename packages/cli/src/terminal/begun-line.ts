/** What the line that is being typed is meant for: whatever waited for an answer when it was begun. */
export interface BegunLine {
	/** After every key. */
	look(isEmpty: boolean): void;
	/**
	 * Something was asked since the line was begun, or what it answers is settled; undefined: it goes where it was meant to go. Told once: from
	 * then on it is meant for what waits now.
	 */
	moved(): "asked" | "settled" | undefined;
}

export function createBegunLine(waiting: () => string | undefined): BegunLine {
	let begun: { requestId: string | undefined } | undefined;
	return {
		look(isEmpty) {
			begun = isEmpty ? undefined : (begun ?? { requestId: waiting() });
		},
		moved() {
			const requestId = waiting();
			if (begun === undefined || begun.requestId === requestId) return undefined;
			begun = { requestId };
			return requestId === undefined ? "settled" : "asked";
		},
	};
}
