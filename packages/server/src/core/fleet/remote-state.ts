import type { LiveEvent, Position } from "@rightseat/protocol/fleet/position";
import type { OwnerAnswer } from "../ports/fleet.ts";

/** Live events that are kept while the owner is asked; further ones are asked for afterwards. */
export const MAX_ASIDE_EVENTS = 500;
export const MAX_ASIDE_CHARS = 1_048_576;
/** The owner is asked no more often than this, whatever arrives. */
export const ASK_SPACING_MS = 200;
/** An ask without an answer is given up; later than whoever carries it gives up, because the owner would do the same work again. */
export const ASK_TIMEOUT_MS = 30_000;
/** After a failure the next ask waits so long, then twice as long each time. */
export const RETRY_FIRST_MS = 500;
export const RETRY_MAX_MS = 30_000;
/** A beat may be older than the event that came before it; two in a row are not. */
export const DISAGREEING_BEATS = 2;

/** What a reader knows of one conversation of another host. */
export interface RemoteState {
	/** How far it is shown, and of which history. */
	readonly shown: Position | undefined;
	/** Whose word that is. */
	readonly source: "nothing" | "owner" | "copy";
	readonly owner: "here" | "away" | "gone";
	readonly ask: Ask;
	/** Asks made so far; an answer to an earlier one than the last says nothing. */
	readonly asks: number;
	readonly lastAskAt: number;
	/** Until the next try after a failure; 0 without one. */
	readonly waitMs: number;
	/** The next ask claims no position: what the owner said last did not fit. */
	readonly isFresh: boolean;
	readonly aside: readonly LiveEvent[];
	readonly asideChars: number;
	/** Something happened during an ask that its answer may not know of: ask once more. */
	readonly mustAskAgain: boolean;
	/** Beats in a row that tell another head than the one shown. */
	readonly disagreed: number;
}

type Ask = { kind: "resting" } | { kind: "due"; at: number } | { kind: "waiting"; until: number };

/** What can reach a reader. */
export type RemoteInput =
	/** Somebody looks at it, or a connection that was lost is back: anything may be missing. */
	| { kind: "doubt" }
	| { kind: "event"; event: LiveEvent }
	| { kind: "answer"; ask: number; answer: OwnerAnswer }
	/** A beat of the owner, with the head of this conversation if it names it. */
	| { kind: "beat"; head?: Position | undefined }
	/** Beats have stopped, or the owner said goodbye. */
	| { kind: "silent" }
	/** The copy that was to be read; none when there is none or it cannot be trusted. */
	| { kind: "copy"; copy?: Copy | undefined }
	| { kind: "tick" };

/** The last snapshot that the owner left where it can be read without it. */
export interface Copy {
	position: Position;
	frame: string;
	/** When it was made, in the owner's clock. */
	at: number;
}

/** What a reader wants done. Frames are in the order in which people see them. */
export type RemoteEffect =
	| { kind: "ask"; ask: number; from: Position | undefined }
	| { kind: "read-copy" }
	| { kind: "event"; event: LiveEvent & { frame: string } }
	| { kind: "snapshot"; position: Position; frame: string; isRewritten: boolean; copyOf?: number }
	| { kind: "gone" };

/** The next state, and what to do about it. */
export interface RemoteStep {
	state: RemoteState;
	effects: readonly RemoteEffect[];
}

/** Before anything is known. */
export const initialRemoteState: RemoteState = {
	...{ shown: undefined, source: "nothing", owner: "here", ask: { kind: "resting" }, asks: 0, lastAskAt: Number.NEGATIVE_INFINITY },
	...{ waitMs: 0, isFresh: false, aside: [], asideChars: 0, mustAskAgain: false, disagreed: 0 },
};
