import type { Clock } from "../../core/kernel/clock.ts";
import type { Courier } from "../courier.ts";
import type { LinkConfig } from "./connect-options.ts";
import { createNatsBus } from "./nats-bus.ts";
import { createNatsCopies } from "./nats-copies.ts";
import { createNatsLink } from "./nats-link.ts";
import { createPlacement } from "./replicas.ts";

/** No message is larger, seal included. */
const MAX_MESSAGE_BYTES = 921_600;
/** Room for what the engine puts around a message. */
const MARGIN_BYTES = 65_536;

/** A connection that has been made, for whoever needs one at once. */
export interface NatsCourier extends Courier {
	/** Resolves when connected; rejects with why not. */
	ready(): Promise<void>;
}

interface CourierDeps {
	clock: Clock;
	name: string;
	/** What is to be stored waits for more servers of the cluster. */
	onFewServers?: (() => void) | undefined;
}

/** NATS with JetStream as what carries a fleet's words. It begins to connect at once and goes on until it is closed. */
export function createNatsCourier(config: LinkConfig, deps: CourierDeps): NatsCourier {
	const placement = createPlacement(deps);
	const link = createNatsLink(config, deps);
	const bus = createNatsBus(link, placement);
	const { status, onStatus, onBack, isAtFirst, leaveNode, ready, close } = link;
	return {
		bus,
		copies: (fleet) => createNatsCopies(link, bus, fleet, placement),
		maxBytes: () => Math.min(MAX_MESSAGE_BYTES, (link.line("control")?.info?.max_payload ?? MAX_MESSAGE_BYTES) - MARGIN_BYTES),
		...{ status, onStatus, onBack, isAtFirst, leaveNode, ready, close },
	};
}
