import type { Origin } from "@rightseat/protocol/model/vocabulary";

/** Who does something: by which channel, and there from which address or as whom. */
export interface Actor {
	origin: Origin;
	from?: string | undefined;
}
