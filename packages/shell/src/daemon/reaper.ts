import { isolatedAsync } from "./isolated.ts";

/** Looks for orphans soon after a child of this process has changed, debounced: a build ends hundreds of processes a second. */
export function createReaper(look: () => Promise<void>): { stop(): void } {
	let timer: NodeJS.Timeout | undefined;
	function onChildChange(): void {
		timer ??= setTimeout(() => {
			timer = undefined;
			void isolatedAsync("look for orphans", look);
		}, DEBOUNCE_MS);
	}
	process.on("SIGCHLD", onChildChange);
	return {
		stop() {
			process.off("SIGCHLD", onChildChange);
			clearTimeout(timer);
		},
	};
}

const DEBOUNCE_MS = 200;
