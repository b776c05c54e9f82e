import type { LiveEvent, Position } from "@rightseat/protocol/fleet/position";
import type { OwnerAnswer } from "../ports/fleet.ts";

/** The owner's log, as far as a reader's position is compared with it. */
export interface OwnerLog {
	head(): Position;
	/** The chain after this event of the current epoch; undefined when it is no longer kept or was never there. */
	chainAt(seq: number): string | undefined;
	/** Events after this one, the next first: a page of them, or fewer. Undefined when they are no longer kept. */
	after(seq: number): readonly LiveEvent[] | undefined;
	snapshot(): string;
}

/** What a reader that has `from` must get to be where the log is: events, or everything. */
export function answerReader(log: OwnerLog, from: Position | undefined): Exclude<OwnerAnswer, { kind: "failed" }> {
	const head = log.head();
	const everything = (isRewritten: boolean) => ({ kind: "snapshot" as const, position: head, frame: log.snapshot(), isRewritten });
	if (from === undefined || from.epoch !== head.epoch) return everything(false);
	const chain = from.seq === head.seq ? head.chain : log.chainAt(from.seq);
	// A reader ahead of the log saw words that are gone: the machine was rolled back.
	if (from.seq > head.seq) return everything(true);
	if (chain === undefined) return everything(false);
	if (chain !== from.chain) return everything(true);
	if (from.seq === head.seq) return { kind: "events", events: [], head, hasMore: false };
	const events = log.after(from.seq);
	if (events === undefined || events.length === 0) return everything(false);
	return { kind: "events", events, head, hasMore: events.at(-1)?.seq !== head.seq };
}
