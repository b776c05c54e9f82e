import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { Head, Position } from "@rightseat/protocol/fleet/position";
import { createRemoteReader } from "../../core/fleet/remote-reader.ts";
import type { Copy } from "../../core/fleet/remote-state.ts";
import type { Clock } from "../../core/kernel/clock.ts";
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
	/** Something came that cannot be opened. */
	onUnopened(): void;
}

/** Gives a reader what the bus brings, and the owner's answers. Undefined: this is no conversation of another host. */
export function createRemoteWatch(id: ConversationId, reader: FleetReader, deps: WatchDeps): RemoteWatch | undefined {
	const place = splitRemoteId(id);
	if (place === undefined) return undefined;
	const { host, conversationId } = place;
	const { fleet, bus, sealer, clock } = deps;
	const remote = createRemoteReader({
		...{ id, conversationId, reader, clock, link: chainLink },
		ask: (from) => deps.ask(host, conversationId, from).catch((error: unknown) => ({ kind: "failed", reason: reasonOf(error) })),
		readCopy: () => deps.readCopy(host, conversationId).catch(() => undefined),
	});
	const unsubscribe = bus.subscribe(subjects.live(fleet, host, conversationId), ({ bytes }) => {
		const event = openEvent(sealer, { fleet, host, conversationId }, bytes);
		if (event === undefined) deps.onUnopened();
		else remote.event(event);
	});
	remote.doubt();
	return {
		host,
		beat: (heads) => remote.beat(heads.find((head) => head.conversationId === conversationId)),
		silent: remote.silent,
		doubt: remote.doubt,
		close() {
			remote.close();
			unsubscribe();
		},
	};
}

/** Certainly not delivered, or nobody knows. */
const reasonOf = (error: unknown) =>
	error instanceof AppError && ["host-offline", "host-removed", "fleet-not-connected"].includes(error.code) ? "no-responders" : "timeout";
