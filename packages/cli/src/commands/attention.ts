/** Without a key for so long nobody counts as sitting at this terminal: it may stay open for days. */
const GONE_AFTER_MS = 60_000;

/** Whether a person looks at what a terminal shows, told to the server. */
export interface Attention {
	/** Somebody is at the keyboard. */
	key(): void;
	/** After everything that happened: whoever is here when a turn ends has seen its answer. */
	look(isRunning: boolean): void;
	close(): void;
}

export function createAttention(say: (isVisible: boolean) => void): Attention {
	let timer: NodeJS.Timeout | undefined;
	let wasRunning = false;
	function leave(): void {
		timer = undefined;
		say(false);
	}
	return {
		key() {
			if (timer === undefined) say(true);
			clearTimeout(timer);
			timer = setTimeout(leave, GONE_AFTER_MS);
		},
		look(isRunning) {
			// The server takes only what is said after the end for a look.
			if (wasRunning && !isRunning && timer !== undefined) say(true);
			wasRunning = isRunning;
		},
		close() {
			clearTimeout(timer);
			timer = undefined;
		},
	};
}
