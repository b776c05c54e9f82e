import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { Head, Position } from "@rightseat/protocol/fleet/position";
import { renameEvent, renameSnapshot } from "../../core/fleet/foreign-frame.ts";
import { remoteStep, wakeAt } from "../../core/fleet/remote-conversation.ts";
import { type Copy, initialRemoteState, type RemoteEffect, type RemoteInput } from "../../core/fleet/remote-state.ts";
import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { FleetReader, OwnerAnswer } from "../../core/ports/fleet.ts";
import type { Bus } from "../bus.ts";
import { chainLink } from "../crypto/chain.ts";
import type { Sealer } from "../crypto/seal.ts";
import { openEvent } from "../crypto/sealed-json.ts";
import { subjects } from "../subjects.ts";

/** One conversation of another host that somebody looks at. */
export interface RemoteWatch {
	readonly host: string;
	/** The owner's sign of life, with the heads that it names. */
	beat(heads: readonly Head[]): void;
	/** The owner is away. */
	silent(): void;
	/** Anything may have been lost. */
	doubt(): void;
	close(): void;
}

interface WatchDeps {
	fleet: string;
	bus: Bus;
	sealer: Sealer;
	clock: Clock;
	ask(host: string, conversationId: string, from: Position | undefined): Promise<OwnerAnswer>;
	readCopy(host: string, conversationId: string): Promise<Copy | undefined>;
	/** Something came that its host cannot have said. */
	onForged(): void;
}

/** Drives the reader's machine: gives it what arrives, and does what it wants done. Undefined: this is no conversation of another host. */
export function createRemoteWatch(id: ConversationId, reader: FleetReader, deps: WatchDeps): RemoteWatch | undefined {
	const place = splitRemoteId(id);
	if (place === undefined) return undefined;
	const { host, conversationId } = place;
	const { fleet, bus, sealer, clock } = deps;
	let state = initialRemoteState;
	let isClosed = false;
	let cancel: Cancel = () => undefined;

	function give(input: RemoteInput): void {
		if (isClosed) return;
		const step = remoteStep(chainLink, state, input, clock.elapsed());
		state = step.state;
		for (const effect of step.effects) carryOut(effect);
		cancel();
		const at = wakeAt(state);
		if (at !== undefined && !isClosed) cancel = clock.after(Math.max(0, at - clock.elapsed()), () => give({ kind: "tick" }));
	}

	function carryOut(effect: RemoteEffect): void {
		switch (effect.kind) {
			case "ask":
				deps.ask(host, conversationId, effect.from).then(
					(answer) => give({ kind: "answer", ask: effect.ask, answer }),
					(error: unknown) => give({ kind: "answer", ask: effect.ask, answer: { kind: "failed", reason: reasonOf(error) } }),
				);
				return;
			case "read-copy":
				deps.readCopy(host, conversationId).then(
					(copy) => give({ kind: "copy", copy }),
					() => give({ kind: "copy" }),
				);
				return;
			case "event": {
				const { frame, ...position } = effect.event;
				const renamed = renameEvent(frame, { conversationId, position }, id);
				// What it said cannot be shown, but it counts: the next event is the next one.
				if (renamed === undefined) deps.onForged();
				else reader.event(renamed, position);
				return;
			}
			case "snapshot": {
				const { frame, position, isRewritten, copyOf } = effect;
				const renamed = renameSnapshot(frame, { conversationId, position }, id);
				if (renamed === undefined) deps.onForged();
				else reader.snapshot(renamed, position, { isRewritten, copyOf });
				return;
			}
			case "gone":
				reader.gone();
				return;
		}
	}

	const unsubscribe = bus.subscribe(subjects.live(fleet, host, conversationId), ({ bytes }) => {
		const event = openEvent(sealer, { fleet, host, conversationId }, bytes);
		if (event === undefined) deps.onForged();
		else give({ kind: "event", event });
	});
	give({ kind: "doubt" });
	return {
		host,
		beat: (heads) => give({ kind: "beat", head: heads.find((head) => head.conversationId === conversationId) }),
		silent: () => give({ kind: "silent" }),
		doubt: () => give({ kind: "doubt" }),
		close() {
			isClosed = true;
			cancel();
			unsubscribe();
		},
	};
}

/** Certainly not delivered, or nobody knows. */
const reasonOf = (error: unknown) =>
	error instanceof AppError && ["host-offline", "host-removed", "fleet-not-connected"].includes(error.code) ? "no-responders" : "timeout";
