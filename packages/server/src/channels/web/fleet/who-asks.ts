import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import { fieldOf } from "@rightseat/protocol/model/field";
import type { Actor } from "../../../core/kernel/actor.ts";
import type { Identity } from "../auth/identity.ts";

/** Where something came from, as it is called here and as other hosts are told. */
export interface Source {
	source: string;
	farSource: string;
}

/** An address of the console's network tells another host little: the device is named as well, as the list of logins there calls it. */
export const sourcesOf = (source: string, identity: Identity | null): Source => ({
	source,
	farSource: identity?.kind === "session" ? `${source}${deviceMark(identity.session.id)}` : source,
});
const deviceMark = (id: string) => ` device ${id}`;

/** Is this what other hosts are told of a device with this login? */
export const isOfDevice =
	(id: string) =>
	({ from }: Actor): boolean =>
		from?.endsWith(deviceMark(id)) === true;

/** Who asks for this. */
export function whoAsks({ source, farSource }: Source, frame: { data?: unknown }): Actor {
	const id = fieldOf(frame.data, "conversationId");
	return { origin: "web", from: typeof id === "string" && splitRemoteId(id) !== undefined ? farSource : source };
}
