/** Collects what arrives and hands it over with a painted frame; a hidden page, which paints nothing, gets it by timer. */
export interface FrameBatch<T> {
	add(item: T): void;
	flush(): void;
}

export const HIDDEN_FLUSH_MS = 200;
/** A stream of frames changes the page at most this often: nobody reads faster, and every change is a layout. */
export const MIN_FLUSH_INTERVAL_MS = 32;

export function createFrameBatch<T>(options: {
	deliver: (items: T[]) => void;
	now: () => number;
	visible: () => boolean;
	nextFrame: (run: () => void) => void;
	later: (delayMs: number, run: () => void) => void;
}): FrameBatch<T> {
	let items: T[] = [];
	let scheduled = false;
	/** Tells the timers of this batch from those of an earlier one. */
	let round = 0;
	let deliveredAt = Number.NEGATIVE_INFINITY;
	const flush = () => {
		scheduled = false;
		if (items.length === 0) return;
		const batch = items;
		items = [];
		deliveredAt = options.now();
		options.deliver(batch);
	};
	return {
		add(item) {
			items.push(item);
			if (scheduled) return;
			scheduled = true;
			round += 1;
			const mine = round;
			// The timer also covers a page that is hidden between asking for a frame and getting it.
			options.later(HIDDEN_FLUSH_MS, () => {
				if (mine === round) flush();
			});
			if (!options.visible()) return;
			const wait = deliveredAt + MIN_FLUSH_INTERVAL_MS - options.now();
			if (wait <= 0) options.nextFrame(flush);
			else options.later(wait, () => options.nextFrame(flush));
		},
		flush,
	};
}
