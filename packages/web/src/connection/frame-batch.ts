/** Collects what arrives and hands it over once per painted frame; a hidden page, which paints nothing, gets it by timer. */
export interface FrameBatch<T> {
	add(item: T): void;
	flush(): void;
}

export const HIDDEN_FLUSH_MS = 200;

export function createFrameBatch<T>(options: {
	deliver: (items: T[]) => void;
	visible: () => boolean;
	nextFrame: (run: () => void) => void;
	later: (delayMs: number, run: () => void) => void;
}): FrameBatch<T> {
	let items: T[] = [];
	let scheduled = false;
	const flush = () => {
		scheduled = false;
		if (items.length === 0) return;
		const batch = items;
		items = [];
		options.deliver(batch);
	};
	return {
		add(item) {
			items.push(item);
			if (scheduled) return;
			scheduled = true;
			// The timer also covers a page that is hidden between asking for a frame and getting it.
			options.later(HIDDEN_FLUSH_MS, flush);
			if (options.visible()) options.nextFrame(flush);
		},
		flush,
	};
}
