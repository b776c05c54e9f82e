/** Waits until the output of a command whose bash has ended is quiet: a background child may still write, and this long nobody minds waiting. */
export interface Drain {
	/** Bytes came. */
	data(): void;
	/** Bash has ended. */
	exited(): void;
	/** Calls back once the output has been quiet; asking again while it waits changes nothing. */
	wait(): void;
	stop(): void;
}

const QUIET_MS = 100;
/** A child that never stops writing does not hold the command longer than this. */
export const DRAIN_MAX_MS = 500;
const STEP_MS = 20;

export function createDrain(onQuiet: () => void): Drain {
	let lastDataAt = 0;
	let exitAt = 0;
	let timer: NodeJS.Timeout | undefined;

	function look(): void {
		timer = undefined;
		const now = performance.now();
		if (now - Math.max(lastDataAt, exitAt) >= QUIET_MS || now - exitAt >= DRAIN_MAX_MS) onQuiet();
		else timer = setTimeout(look, STEP_MS);
	}

	return {
		data() {
			lastDataAt = performance.now();
		},
		exited() {
			exitAt = performance.now();
		},
		wait() {
			if (timer === undefined) look();
		},
		stop: () => clearTimeout(timer),
	};
}
