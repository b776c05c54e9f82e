import { createTracker, type Supervisor, WORK_MS } from "./create-tracker.ts";
import { forkTrackerd, trackerdSource } from "./fork-trackerd.ts";
import type { Tracker } from "./tracker.ts";

export interface StartTrackerOptions {
	/** Where everything is kept: a folder of its own, made if it is missing. */
	home: string;
	/** Files and folders that are never recorded, absolute. */
	excluded?: readonly string[];
	env?: NodeJS.ProcessEnv;
	/** The program of the process; a built one starts faster than the source. */
	entry?: string;
	onLog?(text: string): void;
	/** See `TrackerDeps`. */
	workMs?: number;
}

/** Starts again so often; then everything is unavailable. */
const RESTARTS = 5;

/** A recorder of one's own, with a simple supervisor. */
export function startTracker({
	home,
	excluded = [],
	env = process.env,
	entry = trackerdSource(),
	onLog,
	workMs = WORK_MS,
}: StartTrackerOptions): Tracker {
	return createTracker({
		home,
		excluded,
		workMs,
		start: (listener) => forkTrackerd(entry, env, listener),
		supervise: superviseSimply,
		after(ms, run) {
			const timer = setTimeout(run, ms);
			return () => clearTimeout(timer);
		},
		log: ({ because, text }, message) => onLog?.(`${message}: ${because ?? text ?? ""}`),
	});
}

function superviseSimply(start: () => void): Supervisor {
	let at = "off";
	let failures = 0;
	function begin(): void {
		at = "starting";
		start();
	}
	return {
		get state() {
			return { at };
		},
		needed() {
			if (at === "off") begin();
		},
		started() {
			at = "ready";
		},
		failed() {
			failures += 1;
			if (failures > RESTARTS) at = "open";
			else begin();
		},
		stop() {
			at = "stopped";
		},
	};
}
