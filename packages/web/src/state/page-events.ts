import { useEffect, useRef } from "react";

/** What one part of the page asks of another. Each request is carried out once, by its listener. */
export interface PageEvents {
	/** Puts text into the message box, e.g. to edit a prompt again. */
	compose: PageEvent<string>;
	/** Puts a query into the search box, and the focus. */
	search: PageEvent<string>;
	chooseModel: PageEvent<void>;
	/** Hides a conversation and deletes it when the undo time is over. */
	deleteConversation: PageEvent<string>;
}

export interface PageEvent<T> {
	emit(value: T): void;
	/** Call the function to stop listening. */
	listen(listener: (value: T) => void): () => void;
}

export function createPageEvents(): PageEvents {
	return {
		compose: createEvent({ held: true }),
		// The list may be hidden: the search waits for it to open.
		search: createEvent({ held: true }),
		// Later they would come as a surprise: a list that opens by itself, a conversation that disappears.
		chooseModel: createEvent({ held: false }),
		deleteConversation: createEvent({ held: false }),
	};
}

/** Listens for as long as the component is there; always calls the newest `listener`. */
export function usePageEvent<T>(event: PageEvent<T>, listener: (value: T) => void): void {
	const newest = useRef(listener);
	newest.current = listener;
	useEffect(() => event.listen((value) => newest.current(value)), [event]);
}

/** A held event that nobody hears waits for the next listener; only the newest one does. */
export function createEvent<T>({ held }: { held: boolean }): PageEvent<T> {
	const listeners = new Set<(value: T) => void>();
	let waiting: { value: T } | undefined;
	return {
		emit(value) {
			if (listeners.size === 0 && held) waiting = { value };
			for (const listener of [...listeners]) listener(value);
		},
		listen(listener) {
			listeners.add(listener);
			const first = waiting;
			waiting = undefined;
			if (first !== undefined) listener(first.value);
			return () => void listeners.delete(listener);
		},
	};
}
