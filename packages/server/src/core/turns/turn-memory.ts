import type { TurnError } from "@rightseat/protocol/model/turn";
import type { MemoryLedger } from "../kernel/memory-ledger.ts";

/** What one running turn holds of the memory that all of them share. */
export interface TurnMemory {
	/** False when the turn has grown to so many characters and there is no room for them. */
	fits(chars: number): boolean;
	/** The turn is stored. */
	release(): void;
}

export function createTurnMemory(memory: MemoryLedger): TurnMemory {
	const account = memory.account("turns");
	let held = 0;
	return {
		fits(chars) {
			// A text with one character beyond Latin-1 takes two bytes for each.
			const more = 2 * chars - held;
			if (more > 0 && !account.reserve(more)) return false;
			if (more < 0) account.add(more);
			held += more;
			return true;
		},
		release() {
			account.add(-held);
			held = 0;
		},
	};
}

/** Of the turn that grew last; the others go on. */
export const outOfMemory = (): TurnError => ({
	code: "too-large",
	message:
		"This turn was stopped: the memory for running work is used up (RIGHTSEAT_MEMORY_MB). What it did is kept; send “Continue” when other turns have ended.",
	params: { reason: "memory" },
});
