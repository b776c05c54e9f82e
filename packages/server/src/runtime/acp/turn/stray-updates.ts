import type { SessionUpdate } from "./updates.ts";

/** What an agent said while no turn ran: kept, bounded, for the beginning of the next one. */
export interface StrayUpdates {
	add(update: SessionUpdate): void;
	/** A permission that it asked for while no turn ran; it was refused. */
	addRefused(what: string): void;
	/** All of it, and nothing is kept any more. */
	take(): { updates: SessionUpdate[]; refused: string[] };
	/** Characters kept. */
	readonly size: number;
}

export const MAX_STRAY_CHARS = 256 * 1024;
const MAX_REFUSED = 20;

export function createStrayUpdates(): StrayUpdates {
	let updates: SessionUpdate[] = [];
	let refused: string[] = [];
	let size = 0;
	let begun = new Set<string>();

	/** Words, a title, and tools that began here; a tool of the turn before has its end already. */
	function isWanted(update: SessionUpdate): boolean {
		if (update.kind !== "tool") return update.kind === "text" || update.kind === "thought" || update.kind === "title";
		const { report } = update;
		if (report.input !== undefined || report.status === "pending") begun.add(report.toolCallId);
		return begun.has(report.toolCallId);
	}

	return {
		add(update) {
			if (!isWanted(update)) return;
			const chars = JSON.stringify(update).length;
			if (size + chars > MAX_STRAY_CHARS) return;
			size += chars;
			updates.push(update);
		},
		addRefused(what) {
			if (refused.length < MAX_REFUSED) refused.push(what);
		},
		take() {
			const taken = { updates, refused };
			[updates, refused, size, begun] = [[], [], 0, new Set()];
			return taken;
		},
		get size() {
			return size;
		},
	};
}
