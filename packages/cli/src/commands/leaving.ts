/** So long the server has to confirm that the answer was seen; the person has all of it before them meanwhile, and Ctrl-C leaves at once. */
const SEEN_LIMIT_MS = 5_000;

/** How a command that showed an answer comes to its end, once. */
export interface Leaving {
	isOver(): boolean;
	/** Says goodbye, and ends when the server has heard that the answer was seen. Called again, it waits no longer. */
	leave(sayGoodbye: () => void, end: () => void): void;
	/** Ends at once; nothing was seen. */
	fail(end: () => void): void;
}

export function createLeaving(deps: {
	/** Nothing more is shown. */
	finish(): void;
	/** The line to the server. */
	close(): void;
	isSeen(): boolean;
	/** Tells the server; false when that is not possible. */
	saySeen(onAnswered: () => void): boolean;
}): Leaving {
	let isOver = false;
	let stopWaiting: (() => void) | undefined;

	function begin(): boolean {
		stopWaiting?.();
		if (isOver) return false;
		isOver = true;
		deps.finish();
		return true;
	}
	function close(end: () => void): void {
		deps.close();
		end();
	}
	/** Whoever ends the process before the server has answered may take the word back with it. */
	function untilHeard(end: () => void): void {
		let isEnded = false;
		const endOnce = () => {
			clearTimeout(timer);
			if (!isEnded) close(end);
			isEnded = true;
		};
		const timer = setTimeout(endOnce, SEEN_LIMIT_MS);
		stopWaiting = endOnce;
		if (!deps.saySeen(endOnce)) endOnce();
	}
	return {
		isOver: () => isOver,
		leave(sayGoodbye, end) {
			if (!begin()) return;
			sayGoodbye();
			if (deps.isSeen()) untilHeard(end);
			else close(end);
		},
		fail(end) {
			if (begin()) close(end);
		},
	};
}
