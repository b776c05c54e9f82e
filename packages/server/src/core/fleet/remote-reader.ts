import type { LiveEvent, Position } from "@rightseat/protocol/fleet/position";
import type { Cancel, Clock } from "../kernel/clock.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { ChainLink } from "../log/chains.ts";
import type { FleetReader, OwnerAnswer } from "../ports/fleet.ts";
import { renameEvent, renameSnapshot } from "./foreign-frame.ts";
import { remoteStep, wakeAt } from "./remote-conversation.ts";
import { type Copy, initialRemoteState, type RemoteEffect, type RemoteInput } from "./remote-state.ts";

/** One conversation of another host, read: the machine with its clock, its owner and whom it tells. */
export interface RemoteReader {
	/** Somebody looks at it, or a connection that was lost is back. */
	doubt(): void;
	event(event: LiveEvent): void;
	/** A beat of its owner, with the head of this conversation if it names it. */
	beat(head: Position | undefined): void;
	/** Its owner is not heard any more. */
	silent(): void;
	close(): void;
}

export interface RemoteReaderDeps {
	/** The id here. */
	id: ConversationId;
	/** The id there. */
	conversationId: string;
	reader: FleetReader;
	link: ChainLink;
	clock: Pick<Clock, "elapsed" | "after">;
	/** Never rejects. */
	ask(from: Position | undefined): Promise<OwnerAnswer>;
	/** Never rejects; undefined when there is none that can be trusted. */
	readCopy(): Promise<Copy | undefined>;
}

export function createRemoteReader(deps: RemoteReaderDeps): RemoteReader {
	const { id, conversationId, reader, clock } = deps;
	let state = initialRemoteState;
	let timer: Cancel | undefined;
	let isClosed = false;

	function give(input: RemoteInput): void {
		if (isClosed) return;
		const step = remoteStep(deps.link, state, input, clock.elapsed());
		state = step.state;
		// First, so that the owner makes the next page while this one is shown.
		for (const effect of step.effects) if (effect.kind === "ask") perform(effect);
		for (const effect of step.effects) if (effect.kind !== "ask") perform(effect);
		timer?.();
		const at = wakeAt(state);
		timer = at === undefined || isClosed ? undefined : clock.after(Math.max(0, at - clock.elapsed()), () => give({ kind: "tick" }));
	}

	function perform(effect: RemoteEffect): void {
		switch (effect.kind) {
			case "ask":
				void deps.ask(effect.from).then((answer) => give({ kind: "answer", ask: effect.ask, answer }));
				return;
			case "read-copy":
				void deps.readCopy().then((copy) => give({ kind: "copy", copy }));
				return;
			case "event": {
				const { frame, ...position } = effect.event;
				// Its place must count, or every reader would think that it missed something.
				reader.event(renameEvent(frame, { conversationId, position }, id) ?? unreadable(id, position), position);
				return;
			}
			case "snapshot": {
				const { position, frame, isRewritten, copyOf } = effect;
				const renamed = renameSnapshot(frame, { conversationId, position }, id);
				if (renamed !== undefined) reader.snapshot(renamed, position, { isRewritten, copyOf });
				return;
			}
			default:
				reader.gone();
		}
	}

	return {
		doubt: () => give({ kind: "doubt" }),
		event: (event) => give({ kind: "event", event }),
		beat: (head) => give({ kind: "beat", head }),
		silent: () => give({ kind: "silent" }),
		close() {
			isClosed = true;
			timer?.();
		},
	};
}

const unreadable = (conversationId: string, { epoch, seq }: Position): string =>
	JSON.stringify({ type: "fleet:unreadable", data: { conversationId, epoch, seq } });
